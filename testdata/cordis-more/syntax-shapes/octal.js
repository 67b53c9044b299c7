const a = 010
return () => {}
