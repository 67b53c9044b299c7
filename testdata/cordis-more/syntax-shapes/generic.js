const m = new Map<string, number>()
return () => {}
