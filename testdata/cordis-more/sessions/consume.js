return { inject: { shared: true }, apply(ctx) { console.log('consumed', ctx.shared.v); return () => console.log('released') } }
