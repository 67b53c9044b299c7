<!-- html comment
return () => {}
