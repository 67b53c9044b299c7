const a = 3px
return () => {}
