const await = 1
return () => {}
