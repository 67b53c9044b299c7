return { name: 'thrower', apply() { throw 'apply text' } }
