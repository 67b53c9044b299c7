return { apply(ctx) { ctx.effect(() => 42) } }
