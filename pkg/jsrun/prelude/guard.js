// The constructors that may ask for more memory than there is, or for more
// stack than a parser has, behind a guard.
((host) => {
  const {construct, defineProperty, ownKeys, getOwnPropertyDescriptor, getPrototypeOf, setPrototypeOf, apply} = Reflect
  // replace puts a constructor in the place of the engine's, with the same
  // prototype and members. check sees the arguments first.
  const replace = (holder, name, Native, check, length, callable) => {
    const Wrapper = {[name]: function (...args) {
      if (new.target === undefined && !callable) throw new TypeError(`Constructor ${name} requires 'new'`)
      check(args)
      return construct(Native, args, new.target === undefined || new.target === Wrapper ? Native : new.target)
    }}[name]
    setPrototypeOf(Wrapper, getPrototypeOf(Native))
    for (const key of ownKeys(Native)) {
      if (key !== 'prototype') defineProperty(Wrapper, key, getOwnPropertyDescriptor(Native, key))
    }
    defineProperty(Wrapper, 'prototype', {value: Native.prototype, writable: false, enumerable: false, configurable: false})
    defineProperty(Wrapper, 'name', {value: name, writable: false, enumerable: false, configurable: true})
    defineProperty(Wrapper, 'length', {value: length, writable: false, enumerable: false, configurable: true})
    defineProperty(Native.prototype, 'constructor', {value: Wrapper, writable: getOwnPropertyDescriptor(Native.prototype, 'constructor').writable, enumerable: false, configurable: true})
    if (holder) defineProperty(holder, name, {value: Wrapper, writable: true, enumerable: false, configurable: true})
    return Wrapper
  }
  const {most} = host
  const limit = (bytes) => {
    if (bytes > most) throw new RangeError('Array buffer allocation failed')
  }
  // later puts the guard before a constructor when a script first names it: few
  // scripts do.
  const later = (name, check, length) => {
    const Native = globalThis[name]
    const settle = (value) => defineProperty(globalThis, name, {value, writable: true, enumerable: false, configurable: true})
    const get = () => replace(globalThis, name, Native, check(Native), length)
    defineProperty(globalThis, name, {get, set: settle, enumerable: false, configurable: true})
  }
  later('ArrayBuffer', () => ([n]) => limit(Number(n)), 1)
  for (const name of ['Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array', 'Float32Array', 'Float64Array', 'BigInt64Array', 'BigUint64Array']) {
    later(name, ({BYTES_PER_ELEMENT: size}) => ([x]) => {
      if (x === null || typeof x !== 'object') limit(Number(x) * size)
      else if (!host.isBuffer(x)) limit(Number(x.length) * size)
    }, 3)
  }
  for (const f of [function () {}, async function () {}, function* () {}]) {
    const Native = getPrototypeOf(f).constructor
    replace(Native === Function ? globalThis : null, Native.name, Native, (args) => {
      for (let i = 0; i < args.length; i++) args[i] = `${args[i]}`
      host.checkCode(...args)
    }, 1, true)
  }
  // Behind the guard eval is always the indirect one: it sees globals only.
  const indirect = globalThis.eval
  defineProperty(globalThis, 'eval', {value: {eval(code) {
    if (typeof code !== 'string') return code
    host.checkCode(code)
    return apply(indirect, undefined, [code])
  }}.eval, writable: true, enumerable: false, configurable: true})
  return {}
})
