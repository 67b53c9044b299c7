return { apply(ctx) { ctx.nothing.here } }
