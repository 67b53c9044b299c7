const a = { b: 1 }}
return a
