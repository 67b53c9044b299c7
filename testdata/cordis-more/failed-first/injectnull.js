return { inject: null, apply() { console.log('null inject') } }
