return { name: 'hosty', apply() { throw new Error('panel cannot') } }
