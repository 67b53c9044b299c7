class MyErr extends Error { constructor(m) { super(m); this.name = 'MyErr'; this.code = 'E_MINE' } }
const t = v => () => { throw v }
const all = { error: () => { throw new Error('plain error') }, type: () => { throw new TypeError('typed') }, custom: () => { throw new MyErr('custom one') }, sub: () => { throw new (class extends RangeError {})('ranged') },
  string: t('just text'), number: t(42), nul: t(null), undef: t(undefined), sym: t(Symbol('s')), obj: t({ code: 1 }), objmsg: t({ message: 'object message' }), nomsg: t({ message: 5 }), emptymsg: () => { throw new Error('') },
  cause: () => { throw new Error('outer', { cause: new Error('inner') }) }, agg: () => { throw new AggregateError([new Error('one')], 'many') }, frozen: () => { throw Object.freeze(new Error('frozen')) },
  stackless: () => { const e = new Error('no stack'); delete e.stack; throw e }, stacktext: () => { const e = new Error('own stack'); e.stack = 'my own stack'; throw e }, fn: t(() => 1), multi: () => { throw new Error('first line\nsecond line') },
  promise: () => Promise.reject(new Error('rejected')), nested: async () => { await null; throw new MyErr('later') }, getmsg: () => { throw { get message() { return 'from getter' } } }, arr: t(['a', 'b']), date: t(new Date(0)) }
for (const k in all) harness.handle(k, all[k])
return { apply() {} }
