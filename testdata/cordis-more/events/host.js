return { name: 'ears-a', apply(ctx) {
  ctx.on('news', (...a) => console.log('a', JSON.stringify(a)))
  ctx.on('news', () => console.log('a prepended'), true)
  ctx.on('news', () => console.log('a prepend obj'), { prepend: true })
  ctx.once('once-only', x => console.log('once', x))
  ctx.on('angry', () => { throw new Error('listener angry') })
  ctx.on('async-angry', async () => { throw new Error('async listener angry') })
  ctx.on('chain', async (x, next) => 'a(' + await next() + ')')
  ctx.on('block', () => 'blocked')
  ctx.on('chain-throw', () => { throw new Error('chain threw') })
  ctx.on('chain-async', async (n, next) => n + await next())
  const off = ctx.on('news', () => console.log('never'))
  console.log(String(off()), typeof off)
} }
