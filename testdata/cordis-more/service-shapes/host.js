class Counter { #n = 0; constructor() { this.start = 10 } inc() { return ++this.#n } get value() { return this.#n } static make() { return new Counter() } where() { return this.start } }
class Sub extends Counter { twice() { return this.inc() + this.inc() } }
let live = 1
return { name: 'library', apply(ctx) {
  ctx.provide('num', 5); ctx.provide('str', 'text'); ctx.provide('bool', false); ctx.provide('nul', null); ctx.provide('undef', undefined)
  ctx.provide('fnsvc', (a, b) => a + b)
  ctx.provide('obj', { kind: 'obj', add: (a, b) => a + b, echo: x => x, boom() { throw new TypeError('obj boom') }, async later(x) { return x * 2 }, nothing() {}, get live() { return live++ }, each(list, fn) { return list.map(x => fn(x)) }, eachAsync: async (list, fn) => { const out = []; for (const x of list) out.push(await fn(x)); return out }, makeAdder: n => x => x + n, self() { return this.kind } })
  ctx.provide('inst', new Sub())
  ctx.provide('nested', { a: { b: { c: () => 'deep', d: [1, 2] } }, list: [{ f: () => 'in list' }] })
  ctx.provide('arr', [1, 2, 3])
  ctx.provide('frozen', Object.freeze({ a: 1, f() { return 'frozen ok' } }))
  ctx.provide('asyncs', { fail: async () => { throw new Error('async fail') }, reject: () => Promise.reject('plain reject'), val: () => Promise.resolve({ deep: [1] }) })
} }
