(function (require, native) {
  'use strict'
  // What follows a script over its awaits is one immutable Map from storage to
  // value; the engine carries it.
  const async = native('async')

  function within(context, f, args) {
    const before = async.current()
    async.set(context)
    try {
      return f(...args)
    } finally {
      async.set(before)
    }
  }

  class AsyncLocalStorage {
    #enabled = true
    static bind(f) { return AsyncResource.bind(f) }
    static snapshot() {
      const context = async.current()
      return (f, ...args) => within(context, f, args)
    }
    getStore() {
      const context = async.current()
      return this.#enabled && context !== undefined ? context.get(this) : undefined
    }
    run(store, f, ...args) {
      this.#enabled = true
      return within(new Map(async.current() || []).set(this, store), f, args)
    }
    exit(f, ...args) {
      const context = new Map(async.current() || [])
      context.delete(this)
      return within(context, f, args)
    }
    enterWith(store) {
      this.#enabled = true
      async.set(new Map(async.current() || []).set(this, store))
    }
    disable() { this.#enabled = false }
  }

  let last = 1

  class AsyncResource {
    #context = async.current()
    #id = ++last
    constructor(type) { this.type = type }
    runInAsyncScope(f, thisArg, ...args) { return within(this.#context, () => Reflect.apply(f, thisArg, args), []) }
    bind(f, thisArg) {
      const resource = this
      return function (...args) { return resource.runInAsyncScope(f, thisArg === undefined ? this : thisArg, ...args) }
    }
    static bind(f, type, thisArg) { return new AsyncResource(type || f.name || 'bound-anonymous-fn').bind(f, thisArg) }
    asyncId() { return this.#id }
    triggerAsyncId() { return 0 }
    emitDestroy() { return this }
  }

  return {
    AsyncLocalStorage,
    AsyncResource,
    createHook: () => ({ enable() { return this }, disable() { return this } }),
    executionAsyncId: () => 1,
    triggerAsyncId: () => 0,
    executionAsyncResource: () => ({}),
    asyncWrapProviders: {},
  }
})
