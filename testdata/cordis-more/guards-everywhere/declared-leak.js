return { inject: ['probe'], async apply(ctx) { try { ctx.probe.leak() } catch (e) { console.log('caught leak') } console.log(await ctx.probe.later(3)) } }
