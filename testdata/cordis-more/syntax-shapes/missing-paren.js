return {
  apply(ctx) {
    console.log('a'
  },
}
