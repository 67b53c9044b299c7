// What the sandbox itself needs of JavaScript, taken before plugin code can
// change anything. It returns functions for Go; nothing of it is a global.
(function (host) {
  'use strict'
  const { apply, ownKeys, getPrototypeOf, setPrototypeOf, getOwnPropertyDescriptor: descriptor, defineProperty: define } = Reflect
  const { Proxy, Promise, Symbol, TypeError, RangeError, Uint8Array } = globalThis
  const { setTimeout, clearTimeout } = globalThis
  const { freeze, keys, prototype: objectPrototype } = Object
  const { isArray } = Array
  const fromUnit = String.fromCharCode
  const then = Promise.prototype.then
  const sourceOf = Function.prototype.toString
  const tagOf = objectPrototype.toString
  const asyncFunction = getPrototypeOf(async function () {})
  const typedArray = getPrototypeOf(Uint8Array.prototype)
  const kindOf = descriptor(typedArray, Symbol.toStringTag).get
  const { iterator, asyncIterator } = Symbol
  const seen = { add: WeakSet.prototype.add, has: WeakSet.prototype.has }
  const contexts = new WeakSet()

  // What aborts a signal, within the signal itself: the engine's WeakMap would keep
  // alive what a value of it leads back to.
  class Abort extends function (signal) { return signal } {
    #end
    constructor(signal, end) { super(signal); this.#end = end }
    static of(signal) { return signal.#end }
  }
  const hole = { __proto__: null }
  const put = (o, key, value) => define(o, key, { value, writable: true, enumerable: true, configurable: true })
  const isObject = v => (typeof v === 'object' && v !== null) || typeof v === 'function'

  const facade = (get, has, set) => {
    const named = key => typeof key === 'string'
    const ctx = new Proxy({ __proto__: null }, {
      __proto__: null,
      get: (_, key) => named(key) ? get(key) : undefined,
      has: (_, key) => named(key) && has(key),
      set: (_, key) => set(named(key) ? key : key.toString()),
      defineProperty: (_, key) => set(named(key) ? key : key.toString()),
      deleteProperty: () => true,
      ownKeys: () => [],
      getOwnPropertyDescriptor: () => undefined,
      getPrototypeOf: () => null,
      setPrototypeOf: () => false,
      preventExtensions: () => false,
    })
    apply(seen.add, contexts, [ctx])
    return ctx
  }

  // What a value is to someone who copies it.
  const kind = v => {
    if (apply(seen.has, contexts, [v])) return 'context'
    if (typeof v === 'function') return 'function'
    if (isArray(v)) return 'array'
    if (host.isPromise(v)) return 'promise'
    if (host.isError(v)) return 'error'
    if (apply(kindOf, v, []) === 'Uint8Array') return 'bytes'
    const proto = getPrototypeOf(v)
    if (typeof v.aborted === 'boolean' && typeof v.addEventListener === 'function') return 'signal'
    if (typeof v[asyncIterator] === 'function') return 'iterator'
    return proto === null ? 'bare' : proto === objectPrototype ? 'plain' : 'instance'
  }

  // The members of an object and of its prototype chain: [name, value, getter, inherited, hidden].
  const members = (v, withChain) => {
    const out = []
    const taken = { __proto__: null }
    for (let o = v; o !== null && o !== objectPrototype && o !== Function.prototype && o !== asyncFunction; o = withChain ? getPrototypeOf(o) : null) {
      for (const key of ownKeys(o)) {
        if (typeof key !== 'string' || key in taken) continue
        if (typeof v === 'function' && (key === 'prototype' || key === 'length' || key === 'name' || key === 'arguments' || key === 'caller')) continue
        const d = descriptor(o, key)
        if (o === v ? !d.enumerable : key === 'constructor') continue
        taken[key] = true
        if ('value' in d) out[out.length] = [key, d.value, undefined, o !== v, !d.enumerable]
        else if (d.get !== undefined) out[out.length] = [key, undefined, d.get, o !== v, !d.enumerable]
      }
    }
    return out
  }

  const asyncIterate = (next, end, fail) => {
    const it = { next, return: end, [asyncIterator]() { return this } }
    if (fail !== undefined) it.throw = fail
    return it
  }

  // Whether the result of a setup can be an effect, and of which form.
  const effectForm = v => {
    if (typeof v === 'function') return 'disposer'
    if (v === undefined || v === null) return 'nothing'
    if (typeof v !== 'object') return 'invalid'
    if ('then' in v) return 'promise'
    if (iterator in v) return 'iterable'
    return asyncIterator in v ? 'async iterable' : 'invalid'
  }

  const deepFreeze = v => {
    if (typeof v !== 'object' || v === null) return v
    for (const key of keys(v)) deepFreeze(v[key])
    return freeze(v)
  }

  const bytesOf = v => {
    if (v === undefined) return new Uint8Array(0)
    if (v instanceof ArrayBuffer) return new Uint8Array(v)
    if (ArrayBuffer.isView(v)) return new Uint8Array(v.buffer, v.byteOffset, v.byteLength)
    throw new TypeError('The "input" argument must be an instance of ArrayBuffer or ArrayBufferView')
  }

  class TextEncoder {
    get encoding() { return 'utf-8' }
    encode(text = '') { return host.encode(String(text)) }
    encodeInto(text, target) {
      let read = 0, written = 0
      for (const ch of String(text)) {
        const bytes = host.encode(ch)
        if (written + bytes.length > target.length) break
        target.set(bytes, written)
        written += bytes.length
        read += ch.length
      }
      return { read, written }
    }
    get [Symbol.toStringTag]() { return 'TextEncoder' }
  }

  const utf16 = bytes => {
    let text = ''
    for (let i = 0; i + 1 < bytes.length; i += 2) text += fromUnit(bytes[i] | bytes[i + 1] << 8)
    return (bytes.length % 2 === 0 ? text : text + '\uFFFD').toWellFormed()
  }
  const high = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8DŽ\x8F\x90‘’“”•–—˜™š›œ\x9DžŸ'
  const windows = bytes => {
    let text = ''
    for (const byte of bytes) text += byte >= 0x80 && byte < 0xA0 ? high[byte - 0x80] : fromUnit(byte)
    return text
  }
  const encodings = {
    __proto__: null,
    'utf-8': { labels: ['utf-8', 'utf8', 'unicode-1-1-utf-8'], whole: host.wholeBytes, decode: host.decode },
    'utf-16le': { labels: ['utf-16le', 'utf-16', 'ucs-2', 'unicode'], whole: bytes => bytes.length & ~1, decode: utf16 },
    'windows-1252': { labels: ['windows-1252', 'latin1', 'iso-8859-1', 'ascii', 'us-ascii', 'l1', 'cp1252'], whole: bytes => bytes.length, decode: windows },
  }

  class TextDecoder {
    #name; #fatal; #keepBOM; #rest = []; #begun = false
    constructor(label = 'utf-8', { fatal = false, ignoreBOM = false } = {}) {
      const wanted = String(label).trim().toLowerCase()
      this.#name = keys(encodings).find(name => encodings[name].labels.includes(wanted))
      if (this.#name === undefined) throw new RangeError(`The "${label}" encoding is not supported`)
      this.#fatal = Boolean(fatal)
      this.#keepBOM = Boolean(ignoreBOM)
    }
    get encoding() { return this.#name }
    get fatal() { return this.#fatal }
    get ignoreBOM() { return this.#keepBOM }
    decode(input, { stream = false } = {}) {
      const { whole, decode } = encodings[this.#name]
      let bytes = bytesOf(input)
      if (this.#rest.length > 0) bytes = Uint8Array.from([...this.#rest, ...bytes])
      const end = stream ? whole(bytes) : bytes.length
      this.#rest = [...bytes.subarray(end)]
      let text = decode(bytes.subarray(0, end), this.#fatal)
      if (!this.#begun && !this.#keepBOM && text[0] === '\uFEFF') text = text.slice(1)
      this.#begun = stream && (this.#begun || text.length > 0)
      return text
    }
    get [Symbol.toStringTag]() { return 'TextDecoder' }
  }

  return {
    facade, kind, members, asyncIterate, effectForm, deepFreeze, TextEncoder, TextDecoder, put, isObject,
    promise() {
      let resolve, reject
      const promise = new Promise((ok, no) => { resolve = ok; reject = no })
      return [promise, resolve, reject]
    },
    // What await does with v. Neither function is ever called from in here.
    follow(v, ok, no) { apply(then, new Promise(resolve => { resolve(v) }), [ok, no]) },
    setTimeout, clearTimeout,
    globalObject: () => globalThis,
    hole,
    element: (o, i) => i in o ? o[i] : hole,
    lengthen(o, n) { o.length = n },
    ended: async value => ({ value, done: true }),
    typeOf: v => typeof v,
    bytes: n => new Uint8Array(n),
    hide(o, key, value) { define(o, key, { value, writable: true, enumerable: false, configurable: true }) },
    getter(o, key, get, enumerable) { define(o, key, { get, enumerable, configurable: true }) },
    inherit: setPrototypeOf,
    array: (...items) => items,
    bareObject: () => ({ __proto__: null }),
    iterate: v => v[iterator](),
    iterateAsync: v => v[asyncIterator](),
    isClass: v => typeof v === 'function' && apply(sourceOf, v, []).startsWith('class'),
    // The engine gives asynchronous methods the prototype of all functions.
    isAsync: v => getPrototypeOf(v) === asyncFunction || /^async\s+[\w$#[]/.test(apply(sourceOf, v, [])),
    tag: v => apply(tagOf, v, []),
    ownEnumerable: (o, key) => descriptor(o, key)?.enumerable === true,
    enumerableKeys: keys,
    isArray,
    isPlain: v => typeof v === 'object' && v !== null && (getPrototypeOf(v) === null || getPrototypeOf(v) === objectPrototype),
    // A signal; listening is told whether anybody listens to it.
    signal(listening = () => {}) {
      const listeners = []
      const signal = {
        aborted: false, reason: undefined,
        addEventListener(type, fn) { if (type === 'abort' && typeof fn === 'function' && !listeners.includes(fn) && listeners.push(fn) === 1) listening(true) },
        removeEventListener(type, fn) { const at = listeners.indexOf(fn); if (type === 'abort' && at >= 0 && listeners.splice(at, 1) && listeners.length === 0) listening(false) },
        throwIfAborted() { if (this.aborted) throw this.reason },
      }
      new Abort(signal, reason => {
        if (signal.aborted) return
        signal.aborted = true
        signal.reason = reason
        listening(false)
        for (const fn of listeners.splice(0)) fn.call(signal, { type: 'abort', target: signal })
      })
      return signal
    },
    abort(signal, reason) { Abort.of(signal)(reason) },
  }
})
