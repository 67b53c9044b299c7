const util = require('node:util')
const { inspect, format } = util
class Foo { constructor() { this.a = 1 } get b() { return 2 } }
class Bar extends Foo {}
const circular = { name: 'c', list: [] }
circular.self = circular
circular.list.push(circular)
const named = function named() {}
for (const v of [undefined, null, 1, -0, 5n, 'a', "it's", `"'`, 'a\nb', true, Symbol('x'), {}, [], { a: 1, 'b-c': 'd', [Symbol('s')]: 1 }, [1, 2, 3], [1, , 3], [undefined, null], new Foo(), new Bar(), Foo, Bar, named, () => {}, async () => {}, function* g() {}, new Map([[1, { a: 2 }], ['x', 'y']]), new Set([1, 'a']), new Map(), new Set(), /x/g, new Date(0), new Date(NaN), Object.create(null), Object.assign(Object.create(null), { x: 1 }), circular, { a: { b: { c: { d: 1 } } } }, { a: [[[[1]]]] }, new Uint8Array([1, 2]), Buffer.from('hi'), new ArrayBuffer(2), new Number(1), new String('ab'), Object(Symbol('q')), new WeakMap(), { get x() { return 1 }, set y(v) {}, get z() { return 1 }, set z(v) {} }, { f() {}, g: class {} }, 'x'.repeat(200), { long: 'x'.repeat(70), b: 1 }, Array.from({ length: 120 }, (_, i) => i).length, { a: 1, b: { c: [1, 2, { d: 3 }] }, e: new Map([['k', new Set([1])]]) }, [['a', 1], ['b', 2]], Object.assign(() => {}, { prop: 1 }), Object.assign([1], { x: 2 }), { 'a': '\u0000\u001b' }, [new Foo(), [new Foo()]], { aaaaaaaaaaaaaaaaaaaaaaaaa: 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', cccccccccccccccccccc: 'dddddddddddddddddddd' }, new URL('http://a/b').href]) out(inspect(v))
out([inspect({ a: { b: { c: {} } } }, { depth: 0 }), inspect({ a: { b: { c: { d: 1 } } } }, { depth: null }), inspect({ a: 1, b: 2 }, { compact: false }), inspect([1, 2, 3, 4], { maxArrayLength: 2 }), inspect('abcdef', { maxStringLength: 3 }), inspect({ b: 1, a: 2 }, { sorted: true }), inspect({ a: 1 }, { breakLength: 3 })])
out([inspect({ [util.inspect.custom]: () => 'mine' }), inspect({ [inspect.custom](d, o, i) { return { x: i(1), d } } }), inspect({ k: { [inspect.custom]: () => 'in\nner' } })])
out([format('%s %d %i %f %j %o %O %c %%', 'a', '42', '3.7', '1.5', { a: 1 }, [1], { b: 2 }, 'css'), format('a', 'b', { c: 1 }), format('%s', null, undefined), format('%s %s', 'only'), format(1, 2, '3'), format('%s', { a: { b: {} } }), format('%s', [1, 'a']), format('%d', 5n), format('%s', Symbol('q')), format('%x', 1), format(), format('%s', class A {}), format('%s', new Error('e').message), format('%s', -0), format('%j', undefined), format('100%', 1), format('%s', { toString() { return 'own' } })])
const { isDeepStrictEqual: eq } = util
out([eq({ a: 1 }, { a: 1 }), eq([1, 2], [1, 3]), eq(NaN, NaN), eq(0, -0), eq(new Set([1, { a: 1 }]), new Set([1, { a: 1 }])), eq(new Map([[{ k: 1 }, 2]]), new Map([[{ k: 1 }, 2]])), eq(new Date(1), new Date(1)), eq(/a/g, /a/i), eq([], {}), eq(Object.create(null), {}), eq(circular, circular), eq({ a: undefined }, {}), eq(new Foo(), { a: 1 }), eq(Buffer.from('a'), Buffer.from('a')), eq(new Error('a'), new Error('b')), eq([1, , 2], [1, undefined, 2]), eq(new Number(1), new Number(1))])
const t = util.types
out([t.isDate(new Date()), t.isDate({}), t.isRegExp(/a/), t.isMap(new Map()), t.isSet(new Map()), t.isPromise(Promise.resolve()), t.isNativeError(new TypeError()), t.isTypedArray(Buffer.alloc(1)), t.isUint8Array(Buffer.alloc(1)), t.isArrayBuffer(new ArrayBuffer(1)), t.isAsyncFunction(async () => {}), t.isGeneratorFunction(function* () {}), t.isBoxedPrimitive(new String('')), t.isAnyArrayBuffer({})])
const old = (a, b, cb) => (a > b ? cb(new Error('no')) : cb(null, a + b))
out([await util.promisify(old)(1, 2), await util.promisify(old)(2, 1).catch((e) => e.message), await new Promise((r) => util.callbackify(async (x) => x + 1)(4, (e, v) => r([e, v]))), await new Promise((r) => util.callbackify(async () => { throw new Error('cb') })((e) => r(e.message))), thrown(() => util.promisify(5))])
function A() {} function B() {}
util.inherits(A, B)
out([new A() instanceof B, A.super_ === B, util.stripVTControlCharacters('\u001b[31mred\u001b[0m'), util.toUSVString('a\ud800'), util.isArray([]), typeof util.TextEncoder, inspect.custom === Symbol.for('nodejs.util.inspect.custom')])
