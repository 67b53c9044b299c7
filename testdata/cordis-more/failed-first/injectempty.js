return { inject: [], apply() { console.log('empty inject') } }
