return { name: 'effects', apply(ctx) {
  ctx.effect(() => { console.log('set 1'); return () => console.log('undo 1') }, 'one')
  ctx.effect(() => { console.log('set nothing') })
  ctx.effect(function* () { yield () => console.log('undo g1'); yield () => console.log('undo g2'); return () => console.log('undo gret') })
  ctx.effect(async () => { await null; return () => console.log('undo async') })
  ctx.effect(() => [() => console.log('undo arr1'), () => console.log('undo arr2')])
  const early = ctx.effect(() => () => console.log('undo early'))
  early(); early()
  console.log('early type', typeof early)
  const nested = ctx.effect(function* () { yield ctx.effect(() => () => console.log('undo inner')); yield () => console.log('undo outer') })
  console.log(typeof nested)
  for (const bad of [5, 'x', {}, true, null]) { try { ctx.effect(() => bad); console.log('ok', String(bad)) } catch (e) { console.log('bad', String(bad), e.message) } }
  try { ctx.effect(5) } catch (e) { console.log(e.name) }
  try { ctx.effect(() => { throw new Error('setup fails') }) } catch (e) { console.log(e.message) }
  const p = ctx.effect(async () => async () => { await null; console.log('undo async async') })
  console.log('p', typeof p, typeof p?.then)
} }
