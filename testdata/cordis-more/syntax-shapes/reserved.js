const class = 1
return () => {}
