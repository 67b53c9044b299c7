const s = '\u{110000}'
return () => {}
