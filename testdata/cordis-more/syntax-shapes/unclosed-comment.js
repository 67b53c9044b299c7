return () => {}
/* never closed
