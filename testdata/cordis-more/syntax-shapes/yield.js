const yield = 1
return () => { }
