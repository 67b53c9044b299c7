const t = `abc ${1}
return () => {}
