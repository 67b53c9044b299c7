await Promise.reject(new Error('eval rejected'))
