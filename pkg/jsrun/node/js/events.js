(function (require, native) {
  'use strict'
  const { fault, expected, func, range } = require('internal')

  let defaultMax = 10
  const errorMonitor = Symbol('events.errorMonitor')
  const captureRejectionSymbol = Symbol.for('nodejs.rejection')

  function count(value, name) {
    if (typeof value !== 'number') throw expected(name, 'of type number', value)
    if (!(value >= 0)) throw range(name, '>= 0', value)
    return value
  }

  // A plain function, so that old code may call it on an object of its own.
  function EventEmitter(options) {
    EventEmitter.init.call(this, options)
  }

  EventEmitter.init = function (options) {
    if (this._events === undefined || this._events === Object.getPrototypeOf(this)._events) {
      this._events = Object.create(null)
      this._eventsCount = 0
    }
    this._maxListeners = this._maxListeners || undefined
    if (options && options.captureRejections) this._capture = true
  }

  function table(emitter) {
    if (emitter._events === undefined) EventEmitter.init.call(emitter)
    return emitter._events
  }

  function add(emitter, type, listener, front) {
    func(listener, 'listener')
    const events = table(emitter)
    // Told before it is there, so that a listener of newListener comes first.
    if (events.newListener !== undefined) emitter.emit('newListener', type, listener.listener || listener)
    const list = emitter._events[type] || (emitter._eventsCount++, emitter._events[type] = [])
    if (front) list.unshift(listener)
    else list.push(listener)
    const max = emitter.getMaxListeners()
    if (max > 0 && list.length > max && !list.warned) {
      list.warned = true
      warn(emitter, type, list.length, max)
    }
    return emitter
  }

  function warn(emitter, type, length, max) {
    const name = emitter.constructor && emitter.constructor.name
    const w = new Error(`Possible EventEmitter memory leak detected. ${length} ${String(type)} listeners added to ${name ? `[${name}]` : 'it'}. ` +
      `MaxListeners is ${max}. Use emitter.setMaxListeners() to increase limit`)
    w.name = 'MaxListenersExceededWarning'
    w.emitter = emitter
    w.type = type
    w.count = length
    native('host').log('warn', `${w.name}: ${w.message}`)
  }

  function single(emitter, type, listener) {
    func(listener, 'listener')
    let fired = false
    const wrapped = function (...args) {
      if (fired) return undefined
      fired = true
      emitter.removeListener(type, wrapped)
      return listener.apply(emitter, args)
    }
    wrapped.listener = listener
    return wrapped
  }

  function unhandled(args) {
    const [error] = args
    if (error instanceof Error) throw error
    let shown
    try { shown = require('util').inspect(error) } catch { shown = String(error) }
    const wrapped = fault('ERR_UNHANDLED_ERROR', `Unhandled error. (${typeof error === 'string' ? `'${error}'` : shown})`)
    wrapped.context = error
    throw wrapped
  }

  function rejected(emitter, result, type, args) {
    if (!emitter._capture || !result || typeof result.then !== 'function') return
    result.then(undefined, (error) => {
      const handler = emitter[captureRejectionSymbol]
      if (typeof handler === 'function') handler.call(emitter, error, type, ...args)
      else emitter.emit('error', error)
    })
  }

  Object.assign(EventEmitter.prototype, {
    _events: undefined,
    _eventsCount: 0,
    _maxListeners: undefined,
    setMaxListeners(n) {
      this._maxListeners = count(n, 'setMaxListeners')
      return this
    },
    getMaxListeners() { return this._maxListeners === undefined ? defaultMax : this._maxListeners },
    emit(type, ...args) {
      const events = table(this)
      if (type === 'error' && events[errorMonitor] !== undefined) this.emit(errorMonitor, ...args)
      const list = events[type]
      if (list === undefined) {
        if (type === 'error') unhandled(args)
        return false
      }
      for (const listener of list.slice()) rejected(this, Reflect.apply(listener, this, args), type, args)
      return true
    },
    addListener(type, listener) { return add(this, type, listener, false) },
    on(type, listener) { return add(this, type, listener, false) },
    prependListener(type, listener) { return add(this, type, listener, true) },
    once(type, listener) { return this.on(type, single(this, type, listener)) },
    prependOnceListener(type, listener) { return this.prependListener(type, single(this, type, listener)) },
    removeListener(type, listener) {
      func(listener, 'listener')
      const list = table(this)[type]
      if (list === undefined) return this
      for (let i = list.length - 1; i >= 0; i--) {
        if (list[i] !== listener && list[i].listener !== listener) continue
        const [gone] = list.splice(i, 1)
        if (list.length === 0) drop(this, type)
        if (this._events.removeListener !== undefined) this.emit('removeListener', type, gone.listener || gone)
        break
      }
      return this
    },
    off(type, listener) { return this.removeListener(type, listener) },
    removeAllListeners(type) {
      const events = table(this)
      if (events.removeListener === undefined) {
        if (arguments.length > 0) drop(this, type)
        else { this._events = Object.create(null); this._eventsCount = 0 }
        return this
      }
      if (arguments.length === 0) {
        for (const key of Reflect.ownKeys(events)) if (key !== 'removeListener') this.removeAllListeners(key)
        drop(this, 'removeListener')
        return this
      }
      const list = events[type] || []
      while (list.length > 0) this.removeListener(type, list[list.length - 1])
      return this
    },
    listeners(type) { return (table(this)[type] || []).map((listener) => listener.listener || listener) },
    rawListeners(type) { return (table(this)[type] || []).slice() },
    listenerCount(type, listener) {
      const list = table(this)[type] || []
      return listener === undefined ? list.length : list.filter((l) => l === listener || l.listener === listener).length
    },
    eventNames() { return this._eventsCount > 0 ? Reflect.ownKeys(this._events) : [] },
  })

  function drop(emitter, type) {
    if (emitter._events[type] === undefined) return
    delete emitter._events[type]
    emitter._eventsCount--
  }

  function aborted(signal) {
    const error = fault('ABORT_ERR', 'The operation was aborted')
    error.name = 'AbortError'
    if (signal.reason !== undefined) error.cause = signal.reason
    return error
  }

  // subscribe hears an event of an emitter or an EventTarget; the undo is returned.
  function subscribe(target, type, listener) {
    if (typeof target.on === 'function') {
      target.on(type, listener)
      return () => target.removeListener(type, listener)
    }
    if (typeof target.addEventListener === 'function') {
      target.addEventListener(type, listener)
      return () => target.removeEventListener(type, listener)
    }
    throw expected('emitter', 'an instance of EventEmitter', target)
  }

  function once(emitter, type, options) {
    const signal = options && options.signal
    return new Promise((resolve, reject) => {
      if (signal && signal.aborted) throw aborted(signal)
      const undo = []
      const settle = (f) => (...args) => {
        for (const u of undo) u()
        f(...args)
      }
      undo.push(subscribe(emitter, type, settle((...args) => resolve(args))))
      if (type !== 'error' && typeof emitter.on === 'function') undo.push(subscribe(emitter, 'error', settle(reject)))
      if (signal) undo.push(subscribe(signal, 'abort', settle(() => reject(aborted(signal)))))
    })
  }

  // on gives an async iterator over the events of an emitter.
  function on(emitter, type, options) {
    const signal = options && options.signal
    if (signal && signal.aborted) throw aborted(signal)
    const ready = []
    const waiting = []
    let failure
    let ended = false
    const push = (...args) => (waiting.length > 0 ? waiting.shift().resolve({ value: args, done: false }) : ready.push(args))
    const fail = (error) => (waiting.length > 0 ? waiting.shift().reject(error) : (failure = { error }))
    const undo = [subscribe(emitter, type, push)]
    if (type !== 'error' && typeof emitter.on === 'function') undo.push(subscribe(emitter, 'error', fail))
    if (signal) undo.push(subscribe(signal, 'abort', () => fail(aborted(signal))))
    const end = () => {
      ended = true
      for (const u of undo.splice(0)) u()
      for (const w of waiting.splice(0)) w.resolve({ value: undefined, done: true })
      return Promise.resolve({ value: undefined, done: true })
    }
    return {
      next() {
        if (ready.length > 0) return Promise.resolve({ value: ready.shift(), done: false })
        if (failure) {
          const { error } = failure
          failure = undefined
          end()
          return Promise.reject(error)
        }
        if (ended) return Promise.resolve({ value: undefined, done: true })
        return new Promise((resolve, reject) => waiting.push({ resolve, reject }))
      },
      return: end,
      throw(error) { fail(error); end(); return Promise.resolve({ value: undefined, done: true }) },
      [Symbol.asyncIterator]() { return this },
    }
  }

  const targetMax = new WeakMap()

  function setMaxListeners(n = defaultMax, ...targets) {
    count(n, 'setMaxListeners')
    if (targets.length === 0) defaultMax = n
    for (const target of targets) {
      if (typeof target.setMaxListeners === 'function') target.setMaxListeners(n)
      else if (target && typeof target.addEventListener === 'function') targetMax.set(target, n)
      else throw expected('eventTargets', 'an instance of EventEmitter or EventTarget', target)
    }
  }

  function getMaxListeners(target) {
    if (typeof target.getMaxListeners === 'function') return target.getMaxListeners()
    return targetMax.has(target) ? targetMax.get(target) : defaultMax
  }

  function addAbortListener(signal, listener) {
    func(listener, 'listener')
    if (signal.aborted) queueMicrotask(() => listener())
    else signal.addEventListener('abort', listener, { once: true })
    return { [Symbol.dispose || Symbol.for('Symbol.dispose')]() { signal.removeEventListener('abort', listener) } }
  }

  Object.defineProperty(EventEmitter, 'defaultMaxListeners', {
    enumerable: true,
    get: () => defaultMax,
    set(n) { defaultMax = count(n, 'defaultMaxListeners') },
  })
  return Object.assign(EventEmitter, {
    EventEmitter,
    once,
    on,
    setMaxListeners,
    getMaxListeners,
    addAbortListener,
    errorMonitor,
    captureRejectionSymbol,
    usingDomains: false,
    captureRejections: false,
    listenerCount: (emitter, type) => emitter.listenerCount(type),
    getEventListeners: (emitter, type) => (typeof emitter.listeners === 'function' ? emitter.listeners(type) : []),
  })
})
