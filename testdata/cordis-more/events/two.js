let off
harness.handle('off', () => String(off()))
return { name: 'ears-b', apply(ctx) {
  off = ctx.on('news', (...a) => console.log('b', a.length, typeof a[2], a[2]?.deep?.[0] ?? 'none'))
  ctx.on('angry', () => console.log('b hears angry'))
  ctx.on('chain', async (x, next) => `b:${x}(` + await next() + ')')
  for (const bad of [['x'], ['x', 'notfn']]) { try { ctx.on(...bad); console.log('accepted', typeof bad[0]) } catch (e) { console.log('refused', e.name) } }
} }
