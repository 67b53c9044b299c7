for await (const x of [1, Promise.resolve(2)]) { console.log('x', x) }
return () => {}
