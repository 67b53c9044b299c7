const config = { a: 1 } satisfies object
return () => {}
