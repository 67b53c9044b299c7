const a = undefined
a.b.c
return () => {}
