const base = { name: 'base', inject: ['ghost'], apply() { console.log('inherited apply', this === obj) } }
const obj = Object.create(base)
return obj
