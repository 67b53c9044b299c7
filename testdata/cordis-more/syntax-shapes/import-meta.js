const u = import.meta.url
return () => {}
