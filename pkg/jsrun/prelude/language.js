// What the language has and the engine has not. Each piece is defined only
// where it is missing, and is not enumerable.
((host) => {
  const {apply, construct, ownKeys, defineProperty, getPrototypeOf, setPrototypeOf} = Reflect
  const own = host.own // (o, name, value), unless it is there
  const methods = (o, list) => {
    for (const name of ownKeys(list)) own(o, name, list[name])
  }
  const constant = (o, name, value) => {
    if (!Object.hasOwn(o, name)) defineProperty(o, name, {value, writable: false, enumerable: false, configurable: false})
  }
  const isObject = (x) => x !== null && (typeof x === 'object' || typeof x === 'function')
  const tag = (o, value) => defineProperty(o, Symbol.toStringTag, {value, writable: false, enumerable: false, configurable: true})

  for (const name of ['asyncIterator', 'dispose', 'asyncDispose']) constant(Symbol, name, Symbol(`Symbol.${name}`))

  methods(Object, {
    groupBy(items, key) {
      const out = Object.create(null)
      let i = 0
      for (const item of items) {
        const k = key(item, i++)
        ;(out[typeof k === 'symbol' ? k : `${k}`] ??= []).push(item)
      }
      return out
    },
  })
  methods(Map, {
    groupBy(items, key) {
      const out = new Map()
      let i = 0
      for (const item of items) {
        const k = key(item, i++)
        const list = out.get(k)
        if (list) list.push(item)
        else out.set(k, [item])
      }
      return out
    },
  })
  methods(Promise, {
    withResolvers() {
      let resolve, reject
      const promise = new this((ok, no) => { resolve = ok; reject = no })
      return {promise, resolve, reject}
    },
    try(f, ...args) {
      return new this((resolve) => resolve(f(...args)))
    },
  })
  methods(Array, {
    async fromAsync(items, map, thisArg) {
      if (map !== undefined && typeof map !== 'function') throw new TypeError(`${String(map)} is not a function`)
      const out = typeof this === 'function' && this !== Array ? new this() : []
      const add = async (i, value) => {
        if (map) value = await apply(map, thisArg, [value, i])
        defineProperty(out, i, {value, writable: true, enumerable: true, configurable: true})
      }
      let i = 0
      const method = items[Symbol.asyncIterator] ?? items[Symbol.iterator]
      if (method == null) {
        const n = Math.min(Math.max(Math.trunc(Number(items.length)) || 0, 0), Number.MAX_SAFE_INTEGER)
        for (; i < n; i++) await add(i, await items[i])
        out.length = n
        return out
      }
      const iterator = apply(method, items, [])
      for (;;) {
        const step = await iterator.next()
        if (!isObject(step)) throw new TypeError(`Iterator result ${String(step)} is not an object`)
        if (step.done) break
        try {
          await add(i++, await step.value)
        } catch (error) {
          try { await iterator.return?.() } catch {}
          throw error
        }
      }
      out.length = i
      return out
    },
  })
  methods(String.prototype, {
    isWellFormed() { return host.isWellFormed(String(this)) },
    toWellFormed() { return host.toWellFormed(String(this)) },
  })
  methods(Error, {
    captureStackTrace(target) {
      if (!isObject(target)) throw new TypeError('Invalid argument')
      const {stack} = new Error()
      const lines = stack === undefined ? [] : String(stack).split('\n').slice(2)
      const name = target.name, message = target.message
      const head = name === undefined ? 'Error' : message ? `${name}: ${message}` : `${name}`
      defineProperty(target, 'stack', {value: [head, ...lines].join('\n'), writable: true, enumerable: false, configurable: true})
    },
  })
  own(Error, 'stackTraceLimit', 10)
  defineProperty(Error, 'stackTraceLimit', {enumerable: true})

  const IteratorPrototype = getPrototypeOf(getPrototypeOf([][Symbol.iterator]()))
  if (typeof globalThis.Iterator === 'undefined') {
    function Iterator() {
      if (new.target === undefined || new.target === Iterator) throw new TypeError('Abstract class Iterator not directly constructable')
    }
    defineProperty(Iterator, 'prototype', {value: IteratorPrototype, writable: false, enumerable: false, configurable: false})
    own(IteratorPrototype, 'constructor', Iterator)
    tag(IteratorPrototype, 'Iterator')
    own(globalThis, 'Iterator', Iterator)

    const direct = (o) => {
      if (!isObject(o)) throw new TypeError('Iterator helper called on a value that is no object')
      return {iterator: o, next: o.next}
    }
    const step = (record) => {
      const result = apply(record.next, record.iterator, [])
      if (!isObject(result)) throw new TypeError(`Iterator result ${String(result)} is not an object`)
      return result
    }
    const close = (record) => { record.iterator.return?.() }
    const callable = (f, record) => {
      if (typeof f === 'function') return
      close(record)
      throw new TypeError(`${String(f)} is not a function`)
    }
    const count = (n, record) => {
      const limit = Number(n)
      if (Number.isNaN(limit) || limit < 0) {
        close(record)
        throw new RangeError(`${String(n)} must be positive`)
      }
      return Math.trunc(limit)
    }
    const HelperPrototype = Object.create(IteratorPrototype)
    const helpers = new WeakMap()
    // helper wraps a generator; what the consumer leaves closes the source.
    const helper = (record, body) => {
      const o = Object.create(HelperPrototype)
      helpers.set(o, {record, generator: body(), begun: false, done: false})
      return o
    }
    const helperOf = (o) => {
      const h = helpers.get(o)
      if (!h) throw new TypeError('not an Iterator Helper')
      return h
    }
    methods(HelperPrototype, {
      next() {
        const h = helperOf(this)
        h.begun = true
        return h.generator.next()
      },
      return() {
        const h = helperOf(this)
        if (!h.begun && !h.done) close(h.record)
        h.done = h.begun = true
        return h.generator.return(undefined)
      },
    })
    tag(HelperPrototype, 'Iterator Helper')
    // each yields what visit makes of the values, closing the source on a throw
    // and when the consumer leaves.
    const each = (record, visit) => helper(record, function* () {
      let open = true
      try {
        for (let i = 0; ; i++) {
          let result
          open = false
          result = step(record)
          if (result.done) return
          const value = result.value
          open = true
          const more = yield* visit(value, i)
          if (more === false) return
        }
      } finally {
        if (open) close(record)
      }
    })
    methods(IteratorPrototype, {
      map(f) {
        const record = direct(this)
        callable(f, record)
        return each(record, function* (value, i) { yield f(value, i) })
      },
      filter(f) {
        const record = direct(this)
        callable(f, record)
        return each(record, function* (value, i) { if (f(value, i)) yield value })
      },
      take(n) {
        const record = direct(this)
        const limit = count(n, record)
        return helper(record, function* () {
          let open = true
          try {
            for (let left = limit; left > 0; left--) {
              open = false
              const result = step(record)
              if (result.done) return
              open = true
              yield result.value
            }
          } finally {
            if (open) close(record)
          }
        })
      },
      drop(n) {
        const record = direct(this)
        const limit = count(n, record)
        return each(record, function* (value, i) { if (i >= limit) yield value })
      },
      flatMap(f) {
        const record = direct(this)
        callable(f, record)
        return each(record, function* (value, i) {
          const inner = f(value, i)
          if (!isObject(inner)) throw new TypeError('flatMap wants an iterable')
          const method = inner[Symbol.iterator]
          yield* method == null ? {[Symbol.iterator]: () => inner} : {[Symbol.iterator]: () => apply(method, inner, [])}
        })
      },
      reduce(f, ...initial) {
        const record = direct(this)
        callable(f, record)
        let acc, i = 0
        if (initial.length > 0) acc = initial[0]
        else {
          const first = step(record)
          if (first.done) throw new TypeError('Reduce of a done iterator with no initial value')
          acc = first.value
          i = 1
        }
        visit(record, (value) => { acc = f(acc, value, i++) })
        return acc
      },
      toArray() {
        const out = []
        visit(direct(this), (value) => { out.push(value) })
        return out
      },
      forEach(f) {
        const record = direct(this)
        callable(f, record)
        let i = 0
        visit(record, (value) => { f(value, i++) })
      },
      some(f) {
        const record = direct(this)
        callable(f, record)
        let i = 0
        return visit(record, (value) => (f(value, i++) ? true : undefined)) === true
      },
      every(f) {
        const record = direct(this)
        callable(f, record)
        let i = 0
        return visit(record, (value) => (f(value, i++) ? undefined : true)) !== true
      },
      find(f) {
        const record = direct(this)
        callable(f, record)
        let i = 0, found
        visit(record, (value) => {
          if (!f(value, i++)) return undefined
          found = value
          return true
        })
        return found
      },
    })
    // visit calls f until it gives something, and then closes the source.
    function visit(record, f) {
      for (;;) {
        const result = step(record)
        if (result.done) return undefined
        let out
        try {
          out = f(result.value)
        } catch (error) {
          try { close(record) } catch {}
          throw error
        }
        if (out !== undefined) {
          close(record)
          return out
        }
      }
    }
    const WrapPrototype = Object.create(IteratorPrototype)
    const wrapped = new WeakMap()
    methods(WrapPrototype, {
      next() { return apply(wrapped.get(this).next, wrapped.get(this).iterator, []) },
      return() {
        const {iterator} = wrapped.get(this)
        const f = iterator.return
        return f === undefined ? {value: undefined, done: true} : apply(f, iterator, [])
      },
    })
    methods(Iterator, {
      from(o) {
        if (!isObject(o) && typeof o !== 'string') throw new TypeError(`${String(o)} is not an object`)
        const method = o[Symbol.iterator]
        const iterator = method == null ? o : apply(method, o, [])
        if (!isObject(iterator)) throw new TypeError(`${String(iterator)} is not an object`)
        if (iterator instanceof Iterator) return iterator
        const out = Object.create(WrapPrototype)
        wrapped.set(out, {iterator, next: iterator.next})
        return out
      },
    })
  }
  methods(IteratorPrototype, {
    [Symbol.dispose]() { this.return?.() },
  })

  // later makes globals when a script first names one of them: few scripts do.
  const later = (names, make) => {
    let made
    for (const name of names) {
      const settle = (value) => { defineProperty(globalThis, name, {value, writable: true, enumerable: false, configurable: true}) }
      const get = () => {
        made ??= make()
        settle(made[name])
        return made[name]
      }
      defineProperty(globalThis, name, {get, set: settle, enumerable: false, configurable: true})
    }
  }
  later(['WeakRef', 'FinalizationRegistry'], () => {
    // A strong reference: the engine tells nobody what it has collected.
    class WeakRef {
      #target
      constructor(target) {
        if (!isObject(target) && typeof target !== 'symbol') throw new TypeError('WeakRef: target must be an object')
        this.#target = target
      }
      deref() { return this.#target }
    }
    tag(WeakRef.prototype, 'WeakRef')

    // Its callbacks are never called, which the language allows.
    class FinalizationRegistry {
      constructor(cleanup) {
        if (typeof cleanup !== 'function') throw new TypeError('FinalizationRegistry: cleanup must be callable')
      }
      register(target) {
        if (!isObject(target) && typeof target !== 'symbol') throw new TypeError('FinalizationRegistry.prototype.register: invalid target')
      }
      unregister(token) {
        if (!isObject(token) && typeof token !== 'symbol') throw new TypeError('Invalid unregisterToken')
        return false
      }
    }
    tag(FinalizationRegistry.prototype, 'FinalizationRegistry')
    return {WeakRef, FinalizationRegistry}
  })
  later(['SharedArrayBuffer', 'Atomics'], () => {
    // A buffer that other threads would see: here there are none, so it is a
    // buffer like others, and waiting is sleeping.
    class SharedArrayBuffer {
      constructor(length) {
        const buffer = new ArrayBuffer(length)
        shared.add(buffer)
        return setPrototypeOf(buffer, new.target.prototype), buffer
      }
      get byteLength() { return byteLength.call(this) }
      slice(begin, end) {
        const out = slice.call(this, begin, end)
        shared.add(out)
        setPrototypeOf(out, SharedArrayBuffer.prototype)
        return out
      }
    }
    const shared = new WeakSet()
    const byteLength = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'byteLength').get
    const {slice} = ArrayBuffer.prototype
    tag(SharedArrayBuffer.prototype, 'SharedArrayBuffer')

    const integers = ['Int8Array', 'Uint8Array', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array', 'BigInt64Array', 'BigUint64Array']
    const kindOf = Object.getOwnPropertyDescriptor(getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get
    const cell = (array, index, waitable) => {
      const kind = isObject(array) ? kindOf.call(array) : undefined
      if (waitable ? kind !== 'Int32Array' && kind !== 'BigInt64Array' : !integers.includes(kind)) throw new TypeError('[object Array] is not an integer typed array.')
      const i = index === undefined ? 0 : Math.trunc(Number(index)) || 0
      if (i < 0 || i >= array.length) throw new RangeError('Invalid atomic access index')
      return i
    }
    const modify = (f) => (array, index, value) => {
      const i = cell(array, index)
      const old = array[i]
      array[i] = f(old, typeof old === 'bigint' ? BigInt(value) : Math.trunc(Number(value)) || 0)
      return old
    }
    const Atomics = {}
    methods(Atomics, {
      add: modify((a, b) => a + b), sub: modify((a, b) => a - b), and: modify((a, b) => a & b), or: modify((a, b) => a | b),
      xor: modify((a, b) => a ^ b), exchange: modify((_, b) => b),
      load(array, index) { return array[cell(array, index)] },
      store(array, index, value) {
        const i = cell(array, index)
        value = typeof array[i] === 'bigint' ? BigInt(value) : Math.trunc(Number(value)) || 0
        array[i] = value
        return value
      },
      compareExchange(array, index, expected, value) {
        const i = cell(array, index)
        const old = array[i]
        if (old === expected) array[i] = value
        return old
      },
      isLockFree(n) { return n === 1 || n === 2 || n === 4 || n === 8 },
      notify(array, index) { cell(array, index, true); return 0 },
      wait(array, index, value, timeout) {
        const i = cell(array, index, true)
        if (!shared.has(array.buffer)) throw new TypeError('[object Int32Array] is not a shared typed array.')
        if (array[i] !== value) return 'not-equal'
        const n = timeout === undefined ? NaN : Number(timeout)
        host.sleep(Number.isNaN(n) ? Infinity : Math.max(n, 0))
        return 'timed-out'
      },
    })
    tag(Atomics, 'Atomics')
    return {SharedArrayBuffer, Atomics}
  })

  // The engine takes the locale for a radix. Digits are grouped as in English.
  const group = (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ',')
  const fixed = Number.prototype.toFixed
  const english = (n, options) => {
    if (Number.isNaN(n)) return 'NaN'
    if (!Number.isFinite(n)) return n < 0 ? '-∞' : '∞'
    const least = options?.minimumFractionDigits ?? 0
    const most = options?.maximumFractionDigits ?? Math.max(least, 3)
    let [whole, part = ''] = (Math.abs(n) < 1e21 ? fixed.call(Math.abs(n), most) : host.digits(Math.abs(n))).split('.')
    part = part.replace(/0+$/, '').padEnd(least, '0')
    const text = (options?.useGrouping === false ? whole : group(whole)) + (part && `.${part}`)
    return n < 0 || Object.is(n, -0) ? `-${text}` : text
  }
  const replace = (o, name, value) => defineProperty(o, name, {value, writable: true, enumerable: false, configurable: true})
  const number = Number.prototype.valueOf
  replace(Number.prototype, 'toLocaleString', {toLocaleString(_, options) { return english(number.call(this), options) }}.toLocaleString)

  const bigint = BigInt.prototype.toString
  replace(BigInt.prototype, 'toLocaleString', {toLocaleString() {
    const text = bigint.call(this)
    return text.startsWith('-') ? `-${group(text.slice(1))}` : group(text)
  }}.toLocaleString)

  // Timers. The queue and the clock are the host's; these are its faces.
  const timers = new Map()
  class Timeout {
    #id; #again
    constructor(id, again) {
      this.#id = id
      this.#again = again
    }
    ref() { host.refTimer(this.#id, true); return this }
    unref() { host.refTimer(this.#id, false); return this }
    hasRef() { return host.hasRefTimer(this.#id) }
    refresh() { this.#again(); return this }
    close() { clear(this); return this }
    [Symbol.toPrimitive]() { return this.#id }
    [Symbol.dispose]() { clear(this) }
    static {
      idOf = (x) => (isObject(x) && #id in x ? x.#id : x)
    }
  }
  var idOf
  const clear = (timer) => {
    const id = Number(idOf(timer))
    if (timers.delete(id)) host.stopTimer(id)
  }
  const make = (name, repeats, immediate) => (f, delay, ...args) => {
    if (typeof f !== 'function') {
      const error = new TypeError(`The "callback" argument must be of type function. Received ${f === null ? 'null' : typeof f}`)
      error.code = 'ERR_INVALID_ARG_TYPE'
      throw error
    }
    if (immediate && delay !== undefined) args.unshift(delay)
    let ms = Math.trunc(Number(delay))
    if (immediate) ms = -1
    else if (!(ms >= 1 && ms <= 2147483647)) ms = 1
    const id = host.newTimer()
    const start = () => host.startTimer(id, ms, () => {
      if (!repeats) timers.delete(id)
      try {
        f(...args)
      } finally {
        if (repeats && timers.has(id)) start()
      }
    })
    const timer = new Timeout(id, () => { if (timers.has(id)) start() })
    timers.set(id, timer)
    start()
    return timer
  }
  for (const [name, f] of Object.entries({
    setTimeout: make('setTimeout', false, false),
    setInterval: make('setInterval', true, false),
    setImmediate: (f, ...args) => immediate(f, undefined, ...args),
    clearTimeout: (timer) => clear(timer),
    clearInterval: (timer) => clear(timer),
    clearImmediate: (timer) => clear(timer),
    queueMicrotask: (f) => {
      if (typeof f !== 'function') {
        const error = new TypeError(`The "callback" argument must be of type function. Received ${f === null ? 'null' : typeof f}`)
        error.code = 'ERR_INVALID_ARG_TYPE'
        throw error
      }
      then.call(resolved, () => f())
    },
  })) {
    defineProperty(f, 'name', {value: name, configurable: true})
    own(globalThis, name, f)
  }
  const immediate = make('setImmediate', false, true)
  const {then} = Promise.prototype
  const resolved = Promise.resolve()
  return {}
})
