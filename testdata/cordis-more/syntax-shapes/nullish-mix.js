const a = null ?? 1 || 2
return () => {}
