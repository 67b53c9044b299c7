const any = { schema: { type: 'json' }, render: (a, v) => [{ type: 'text', text: JSON.stringify(v) }] }
const tool = (name, parameters, execute, output = any, more = {}) => harness.defineTool({ name, description: name + ' tool', parameters, output, execute, ...more })
return { name: 'kit', apply(ctx) {
  const add = (...a) => ctx.tools.register(tool(...a))
  add('sum', { a: { type: 'integer', required: true, description: 'first' }, b: { type: 'number', required: true } }, async ({ a, b }) => a + b, { schema: { type: 'number' }, render: (a, v) => [{ type: 'text', text: `${a.a}+${a.b}=${v}` }], presentationMeta: (a, v) => ({ total: v }) })
  add('pick', { color: { type: 'string', enum: ['red', 'blue'], required: true }, fixed: { type: 'boolean', const: true }, either: { oneOf: [{ type: 'string' }, { type: 'integer' }] } }, a => a)
  add('nest', { o: { type: 'object', additionalProperties: false, properties: { x: { type: 'string', required: true } } }, list: { type: 'array', items: { type: 'number' } }, deep: { type: 'array', items: { type: 'object', additionalProperties: true, properties: { k: { type: 'array', required: true, items: { type: 'boolean' } } } } } }, a => a)
  add('loose', { type: 'object', properties: { any: {}, q: { type: 'number', title: 'Q', default: 5 } }, required: ['q'] }, a => a)
  add('free', { x: { type: 'json' } }, a => a)
  add('noargs', {}, a => Object.keys(a))
  add('badout', {}, () => 5, { schema: { type: 'string' }, render: () => [] })
  add('badtype', {}, () => ({ a: 1, b: 2 }), { schema: { type: 'object', additionalProperties: false, properties: { a: { type: 'string', required: true }, c: { type: 'null', required: true } } }, render: () => [] })
  add('lossy', {}, () => ({ d: new Date(0) }))
  add('thrower', {}, () => { throw new TypeError('tool threw') })
  add('strthrow', {}, async () => { throw 'tool text' })
  add('frozenargs', { list: { type: 'array', items: { type: 'number' } } }, a => [Object.isFrozen(a), Object.isFrozen(a.list), (() => { try { 'use strict'; a.list.push(1); return 'pushed' } catch (e) { return e.name } })()])
  add('meta', {}, () => 1, { ...any, presentationMeta: () => ({ nested: [1, { a: null }] }) })
  add('metabad', {}, () => 1, { ...any, presentationMeta: () => undefined })
  add('renderthrow', {}, () => 1, { schema: { type: 'json' }, render: () => { throw new Error('render threw') } })
  add('exec', {}, (a, exec) => [typeof exec, typeof exec?.signal, exec?.signal?.aborted])
  add('async', { n: { type: 'number' } }, async ({ n }) => { await null; return { n, sq: n * n } })
  for (const [label, f] of Object.entries({ dup: () => add('sum', {}, () => 1), reserved: () => add('run_code', {}, () => 1), plain: () => ctx.tools.register({ name: 'x' }), viaHarness: () => typeof harness.registerTool(ctx, tool('via', {}, () => 'v')), disposer: () => { const off = add('temp', {}, () => 1); return [typeof off, String(off?.())] }, schemas: () => ctx.tools.schemas().map(t => t.name).filter(n => !n.startsWith('cordis')).length, get: () => Object.keys(ctx.tools.get('sum')).join(), getNone: () => String(ctx.tools.get('nope')), keys: () => Object.keys(ctx.tools).join(), timeout: () => { add('t1', {}, () => 1, any, { timeoutMs: -5 }) }, timeoutOk: () => { add('t2', {}, () => 1, any, { timeoutMs: 50 }); return 'ok' } })) { try { console.log(label, f()) } catch (e) { console.log(label, '!', e.message.split('\n')[0]) } }
} }
