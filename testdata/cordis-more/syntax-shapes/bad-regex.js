const r = /(/
return () => {}
