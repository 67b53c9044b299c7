break
return () => {}
