const a
return () => {}
