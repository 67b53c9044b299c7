return async () => { try { await import('node:fs') } catch (e) { console.log(typeof e.message) } }
