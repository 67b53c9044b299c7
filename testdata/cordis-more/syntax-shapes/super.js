super.foo()
return () => {}
