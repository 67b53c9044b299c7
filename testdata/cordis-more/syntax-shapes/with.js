with ({ a: 1 }) { a }
return () => {}
