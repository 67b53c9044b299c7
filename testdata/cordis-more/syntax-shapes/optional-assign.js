const a = {}
a?.b = 1
return () => {}
