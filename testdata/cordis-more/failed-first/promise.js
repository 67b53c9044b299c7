return Promise.resolve(ctx => { console.log('promised') })
