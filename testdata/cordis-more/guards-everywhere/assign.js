return { apply(ctx) { try { ctx.cache = {} } catch (e) { console.log('caught') } ctx.cache } }
