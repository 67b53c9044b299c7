return { inject: ['probe', 'probe', 'ghost', 'ghost'], apply() { console.log('dup inject') } }
