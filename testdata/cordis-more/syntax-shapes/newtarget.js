const a = new.target
return () => {}
