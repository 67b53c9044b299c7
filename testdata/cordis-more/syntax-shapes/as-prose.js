// as you like it
const text = 'it is as good'
const y = = 2
return () => {}
