class Cat { constructor() { this.n = 1 } }
const all = {
  undef: () => {}, deepUndef: () => ({ a: { b: [1, undefined] } }), nan: () => [0, { x: NaN }], minus0: () => [1, -0], inf: () => ({ 'a b': -Infinity }), big: () => ({ n: 10n }),
  sym: () => [Symbol.iterator], fn: () => ({ list: [() => 1] }), date: () => [new Date(5)], map: () => ({ m: new Map([[1, 2]]) }), weak: () => new WeakMap(), err: () => ({ e: new RangeError('x') }),
  cls: () => [new Cat()], nullp: () => { const o = Object.create(null); o.x = { y: 1 }; return o }, sparse: () => ({ l: [, 1] }), extra: () => { const a = [1]; a.foo = 2; return { a } }, sub: () => { class L extends Array {} ; return { l: L.from([1]) } },
  boxedNum: () => Object(5), buf: () => ({ b: new ArrayBuffer(2) }), cyc: () => { const a = []; a.push([a]); return a }, deep: () => { let o = { end: true }; for (let i = 0; i < 3000; i++) o = { o }; return o },
  getterThrows: () => ({ get x() { throw new Error('getter says no') } }), proxyThrow: () => new Proxy({}, { ownKeys() { throw new TypeError('proxy says no') } }), tag: () => ({ [Symbol.toStringTag]: 'X', a: 1 }),
  args: () => (function () { return arguments })(1, 2), match: () => 'abc'.match(/b/), setter: () => ({ set x(v) {} }), dataview: () => new DataView(new ArrayBuffer(1)), frozen: () => Object.freeze({ a: Object.freeze([1]) }),
  emoji: () => '😀\u2028', longkey: () => ({ ['k'.repeat(50)]: [undefined] }), arrGetter: () => { const a = [1, 2]; Object.defineProperty(a, 1, { get: () => 7, enumerable: true }); return a }, symKey: () => ({ a: { [Symbol.for('q')]: 1 } }),
  nonEnum: () => ({ a: Object.defineProperty([], 'hid', { value: 1 }) }), promiseField: () => ({ p: Promise.resolve(1) }), asyncIter: () => (async function* () {})(), gen: () => (function* () { yield 1 })(), bigarr: () => Array.from({ length: 5 }, (_, i) => i * 1.5),
  lonely: () => 'a\ud800', keys: () => ({ b: 1, 2: 2, 1: 1, a: 0 }), negzeroDeep: () => ({ a: [{ b: -0 }] }), emptykey: () => ({ '': undefined }), protoArr: () => Object.setPrototypeOf([1], null),
}
for (const k in all) harness.handle(k, all[k])
harness.handle('echo', a => a)
harness.handle('mutate', a => { a.list.push(2); return a })
harness.handle('argc', (...a) => a.length + ':' + String(a[0]))
return { name: 'lossless', apply() {} }
