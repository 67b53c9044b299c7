// EventTarget, Event, DOMException and the abort family, as the web and Node
// have them.
(() => {
  const {setTimeout} = globalThis
  const {defineProperty} = Reflect
  let made
  const make = () => {
    const codes = {
      IndexSizeError: 1, HierarchyRequestError: 3, WrongDocumentError: 4, InvalidCharacterError: 5, NoModificationAllowedError: 7,
      NotFoundError: 8, NotSupportedError: 9, InUseAttributeError: 10, InvalidStateError: 11, SyntaxError: 12, InvalidModificationError: 13,
      NamespaceError: 14, InvalidAccessError: 15, TypeMismatchError: 17, SecurityError: 18, NetworkError: 19, AbortError: 20,
      URLMismatchError: 21, QuotaExceededError: 22, TimeoutError: 23, InvalidNodeTypeError: 24, DataCloneError: 25,
    }

    class DOMException extends Error {
      #name
      constructor(message = '', options) {
        super(message)
        if (options !== null && typeof options === 'object') {
          this.#name = 'name' in options ? String(options.name) : 'Error'
          if ('cause' in options) Object.defineProperty(this, 'cause', {value: options.cause, writable: true, configurable: true})
        } else {
          this.#name = options === undefined ? 'Error' : String(options)
        }
      }
      get name() { return this.#name }
      get code() { return codes[this.#name] ?? 0 }
      get [Symbol.toStringTag]() { return 'DOMException' }
    }

    const NONE = 0, CAPTURING = 1, AT_TARGET = 2, BUBBLING = 3
    class Event {
      #type; #target = null; #stopped = false; #halted = false; #prevented = false; #options; #busy = false; #passive = false; #trusted = false
      constructor(type, options) {
        if (arguments.length === 0) throw new TypeError('The "type" argument must be specified')
        this.#type = `${type}`
        this.#options = options ?? {}
      }
      static {
        Event.start = undefined
      }
      get type() { return this.#type }
      get target() { return this.#target }
      get currentTarget() { return this.#busy ? this.#target : null }
      get srcElement() { return this.#target }
      get bubbles() { return Boolean(this.#options.bubbles) }
      get cancelable() { return Boolean(this.#options.cancelable) }
      get composed() { return Boolean(this.#options.composed) }
      get defaultPrevented() { return this.cancelable && this.#prevented }
      get returnValue() { return !this.defaultPrevented }
      get eventPhase() { return this.#busy ? AT_TARGET : NONE }
      get isTrusted() { return this.#trusted }
      get timeStamp() { return 0 }
      get cancelBubble() { return this.#stopped }
      set cancelBubble(v) { if (v) this.#stopped = true }
      composedPath() { return this.#busy ? [this.#target] : [] }
      preventDefault() { if (!this.#passive) this.#prevented = true }
      stopPropagation() { this.#stopped = true }
      stopImmediatePropagation() { this.#halted = true; this.#stopped = true }
      get [Symbol.toStringTag]() { return 'Event' }
      static _steer(event) {
        return {
          begin(target, trusted) { event.#target = target; event.#busy = true; event.#trusted = trusted },
          passive(on) { event.#passive = on },
          get halted() { return event.#halted },
          get busy() { return event.#busy },
          end() { event.#busy = false },
        }
      }
    }
    const steer = Event._steer
    delete Event._steer
    delete Event.start
    for (const [name, value] of Object.entries({NONE, CAPTURING_PHASE: CAPTURING, AT_TARGET, BUBBLING_PHASE: BUBBLING})) {
      Object.defineProperty(Event, name, {value, enumerable: true})
      Object.defineProperty(Event.prototype, name, {value, enumerable: true})
    }

    class CustomEvent extends Event {
      #detail
      constructor(type, options) {
        super(type, options)
        this.#detail = options?.detail ?? null
      }
      get detail() { return this.#detail }
      get [Symbol.toStringTag]() { return 'CustomEvent' }
    }

    let send
    class EventTarget {
      #listeners = new Map()
      addEventListener(type, callback, options) {
        if (callback === null || callback === undefined) return
        if (typeof callback !== 'function' && typeof callback !== 'object') {
          throw new TypeError('The "listener" argument must be an instance of EventListener')
        }
        const {capture, once, passive, signal} = typeof options === 'object' && options !== null ? options : {capture: options}
        if (signal !== undefined) {
          if (!(signal instanceof AbortSignal)) throw new TypeError('The "options.signal" property must be an instance of AbortSignal')
          if (signal.aborted) return
        }
        type = `${type}`
        const list = this.#listeners.get(type) ?? []
        if (list.some((l) => l.callback === callback && l.capture === Boolean(capture))) return
        this.#listeners.set(type, [...list, {callback, capture: Boolean(capture), once: Boolean(once), passive: Boolean(passive), removed: false}])
        signal?.addEventListener('abort', () => this.removeEventListener(type, callback, {capture}), {once: true})
      }
      removeEventListener(type, callback, options) {
        const capture = Boolean(typeof options === 'object' && options !== null ? options.capture : options)
        type = `${type}`
        const list = this.#listeners.get(type)
        const found = list?.find((l) => l.callback === callback && l.capture === capture)
        if (!found) return
        found.removed = true
        this.#listeners.set(type, list.filter((l) => l !== found))
      }
      dispatchEvent(event) {
        if (!(event instanceof Event)) throw new TypeError('The "event" argument must be an instance of Event')
        return this.#send(event, false)
      }
      #send(event, trusted) {
        const at = steer(event)
        if (at.busy) throw new DOMException('The event is already being dispatched', 'InvalidStateError')
        at.begin(this, trusted)
        for (const listener of this.#listeners.get(event.type) ?? []) {
          if (listener.removed) continue
          if (listener.once) this.removeEventListener(event.type, listener.callback, {capture: listener.capture})
          at.passive(listener.passive)
          try {
            const {callback} = listener
            const out = typeof callback === 'function' ? callback.call(this, event) : callback.handleEvent?.(event)
            if (out !== null && typeof out === 'object' && typeof out.then === 'function') out.then(undefined, report)
          } catch (error) {
            report(error)
          }
          at.passive(false)
          if (at.halted) break
        }
        at.end()
        return !event.defaultPrevented
      }
      static {
        send = (target, event) => target.#send(event, true)
      }
      get [Symbol.toStringTag]() { return 'EventTarget' }
    }

    // What a listener throws stops nobody else; it is an uncaught error of the run.
    const report = (error) => { Promise.reject(error) }

    // handler is a property such as onabort.
    const handler = (prototype, type) => {
      const handlers = new WeakMap()
      Object.defineProperty(prototype, `on${type}`, {
        get() { return handlers.get(this)?.callback ?? null },
        set(callback) {
          const old = handlers.get(this)
          if (typeof callback !== 'function') callback = null
          if (old) {
            old.callback = callback
            return
          }
          if (callback === null) return
          const entry = {callback}
          handlers.set(this, entry)
          this.addEventListener(type, (event) => entry.callback?.call(this, event))
        },
        enumerable: true, configurable: true,
      })
    }

    const secret = Symbol('AbortSignal')
    let abort, follow
    class AbortSignal extends EventTarget {
      #aborted = false; #reason; #hooks = new Set(); #dependents = new Set(); #sources = null
      constructor(key) {
        if (key !== secret) throw new TypeError('Illegal constructor')
        super()
      }
      get aborted() { return this.#aborted }
      get reason() { return this.#reason }
      throwIfAborted() { if (this.#aborted) throw this.#reason }
      get [Symbol.toStringTag]() { return 'AbortSignal' }
      static abort(reason = new DOMException('This operation was aborted', 'AbortError')) {
        const signal = new AbortSignal(secret)
        signal.#aborted = true
        signal.#reason = reason
        return signal
      }
      static timeout(delay) {
        const n = Number(delay)
        if (!(n >= 0) || n > Number.MAX_SAFE_INTEGER) throw new RangeError('The value of "delay" is out of range')
        const signal = new AbortSignal(secret)
        const timer = setTimeout(() => signal.#abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')), Math.trunc(n))
        timer.unref?.()
        return signal
      }
      static any(signals) {
        const out = new AbortSignal(secret)
        const list = [...signals]
        for (const signal of list) {
          if (!(signal instanceof AbortSignal)) throw new TypeError('The "signals" argument must be an array of AbortSignal')
        }
        const first = list.find((signal) => signal.#aborted)
        if (first) {
          out.#aborted = true
          out.#reason = first.#reason
          return out
        }
        for (const signal of list) for (const source of signal.#sources ?? [signal]) {
          source.#dependents.add(out)
          ;(out.#sources ??= new Set()).add(source)
        }
        out.#sources ??= new Set()
        return out
      }
      #mark(reason) {
        if (this.#aborted) return false
        this.#aborted = true
        this.#reason = reason
        return true
      }
      #abort(reason) {
        if (!this.#mark(reason)) return
        const dependents = [...this.#dependents].filter((signal) => signal.#mark(reason))
        this.#dependents.clear()
        this.#fire()
        for (const signal of dependents) signal.#fire()
      }
      #fire() {
        for (const hook of [...this.#hooks]) hook(this.#reason)
        this.#hooks.clear()
        for (const source of this.#sources ?? []) source.#dependents.delete(this)
        send(this, new Event('abort'))
      }
      static {
        abort = (signal, reason) => signal.#abort(reason)
        // follow calls f with the reason once the signal aborts, before any
        // listener; null says that it is no AbortSignal.
        follow = (signal, f) => {
          if (signal === null || typeof signal !== 'object' || !(#aborted in signal)) return null
          if (signal.#aborted) {
            f(signal.#reason)
            return () => {}
          }
          signal.#hooks.add(f)
          return () => { signal.#hooks.delete(f) }
        }
      }
    }
    handler(AbortSignal.prototype, 'abort')

    class AbortController {
      #signal = new AbortSignal(secret)
      get signal() { return this.#signal }
      abort(reason = new DOMException('This operation was aborted', 'AbortError')) { abort(this.#signal, reason) }
      get [Symbol.toStringTag]() { return 'AbortController' }
    }
    return {
      globals: {DOMException, Event, CustomEvent, EventTarget, AbortSignal, AbortController},
      newSignal: () => new AbortSignal(secret),
      abort,
      follow,
      domException: (message, name) => new DOMException(message, name),
    }
  }
  const tools = () => (made ??= make())
  // The globals are made when a script first names one of them.
  for (const name of ['DOMException', 'Event', 'CustomEvent', 'EventTarget', 'AbortSignal', 'AbortController']) {
    const settle = (value) => { defineProperty(globalThis, name, {value, writable: true, enumerable: false, configurable: true}) }
    const get = () => {
      const value = tools().globals[name]
      settle(value)
      return value
    }
    defineProperty(globalThis, name, {get, set: settle, enumerable: false, configurable: true})
  }
  return {
    newSignal: () => tools().newSignal(),
    abort: (signal, reason) => tools().abort(signal, reason),
    follow: (signal, f) => tools().follow(signal, f),
    domException: (message, name) => tools().domException(message, name),
  }
})
