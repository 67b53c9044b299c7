return { apply(ctx) { return ctx } }
