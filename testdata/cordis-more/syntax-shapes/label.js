a: a: for (;;) {}
return () => {}
