f() = 1
return () => {}
