return {
  apply(ctx: Context) {
  },
}
