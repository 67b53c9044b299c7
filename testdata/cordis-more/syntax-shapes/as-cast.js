return {
  apply(ctx) {
    const x = ctx.get('a') as any
  },
}
