// The context that a plugin gets: the lifecycle is Go's (package fiber), the
// shape is what published plugins expect. The completion value is a function of
// the host's part that gives the class Context and what the host itself calls.
(function (host) {
  'use strict'

  // refs leads from a context or fiber to what the host knows it by. It is a field
  // that nobody else sees: the engine's WeakMap holds its values, and never lets
  // go of two that know each other.
  class Ref extends function (owner) { return owner } {
    #ref
    constructor(owner, ref) { super(owner); this.#ref = ref }
    static of(owner) { return Object(owner) === owner && #ref in owner ? owner.#ref : undefined }
  }
  const refs = { set: (owner, ref) => { void new Ref(owner, ref) }, get: Ref.of }
  const events = new WeakMap() // root fiber of the host -> event name -> listeners
  const view = Symbol('view') // guards the second way to make a Context

  class ValidationError extends TypeError {
    constructor(issues) {
      super(['invalid config:', ...issues.map(line)].join('\n'))
      this.name = 'ValidationError'
    }
  }

  function line(issue) {
    return issue.path ? `  - ${issue.message} (at ${issue.path.join('.')})` : `  - ${issue.message}`
  }

  function configured(schema, config) {
    if (!schema) return config
    const outcome = schema['~standard'].validate(config)
    if ('then' in outcome) throw new TypeError('Async config validation is not supported')
    if (outcome.issues) throw new ValidationError(outcome.issues)
    return outcome.value
  }

  // An effect is what a setup returns: nothing, a disposer, a promise of one or
  // an iterable of them. collected gives one function that undoes all, last
  // first, each awaited before the next once one of them is asynchronous.
  function collected(setup) {
    const undos = []
    const add = undo => {
      if (typeof undo === 'function') undos.push(undo)
      else if (undo !== undefined && undo !== null) throw new TypeError('Invalid effect')
    }
    const undo = () => {
      let task
      for (const each of undos.splice(0).reverse()) {
        if (task) { task = task.then(each); continue }
        const result = each()
        if (result && typeof result.then === 'function') task = result
      }
      return task
    }
    let pending
    try { pending = run(setup, add) } catch (error) { undo(); throw error }
    return { undo, pending }
  }

  function run(setup, add) {
    const effect = setup()
    if (effect === undefined || effect === null || typeof effect === 'function') { add(effect); return undefined }
    if (typeof effect !== 'object') throw new TypeError('Invalid effect')
    if (typeof effect.then === 'function') return effect.then(add)
    if (!(Symbol.iterator in effect)) throw new TypeError('Invalid effect')
    for (const steps = effect[Symbol.iterator](); ;) {
      const step = steps.next()
      add(step.value)
      if (step.done) return undefined
    }
  }

  // register makes an effect of the context's Fiber and returns its disposer,
  // which undoes it at once as far as nothing has to be awaited.
  function register(ref, setup, label) {
    const effect = ref.effect(label, () => collected(setup))
    const { dispose } = effect
    if (effect.ready) dispose.then = (done, failed) => effect.ready.then(() => () => dispose()).then(done, failed)
    return dispose
  }

  function listeners(ref, name) {
    if (!events.has(ref.root)) events.set(ref.root, new Map())
    const table = events.get(ref.root)
    if (!table.has(name)) table.set(name, [])
    return table.get(name)
  }

  const bails = value => value !== null && value !== undefined && value !== false

  function listen(ref, name, callback, options, single) {
    const prepend = options === true || (typeof options === 'object' && options !== null && options.prepend === true)
    const entry = single ? (...args) => { stop(); return callback(...args) } : callback
    const stop = register(ref, () => {
      const list = listeners(ref, name)
      if (prepend) list.unshift(entry)
      else list.push(entry)
      return () => { const at = list.indexOf(entry); if (at >= 0) list.splice(at, 1) }
    }, `ctx.on(${String(name)})`)
    return stop
  }

  const dispatch = {
    on: ref => (name, callback, options) => listen(ref, name, callback, options, false),
    once: ref => (name, callback, options) => listen(ref, name, callback, options, true),
    emit: ref => (name, ...args) => { for (const each of [...listeners(ref, name)]) each(...args) },
    parallel: ref => async (name, ...args) => {
      const settled = await Promise.allSettled([...listeners(ref, name)].map(async each => each(...args)))
      const reasons = settled.filter(each => each.status === 'rejected').map(each => each.reason)
      if (reasons.length > 0) throw new AggregateError(reasons)
    },
    serial: ref => async (name, ...args) => {
      for (const each of [...listeners(ref, name)]) { const value = await each(...args); if (bails(value)) return value }
    },
    bail: ref => (name, ...args) => {
      for (const each of [...listeners(ref, name)]) { const value = each(...args); if (bails(value)) return value }
    },
    waterfall: ref => (name, ...args) => {
      const last = args.pop()
      return [...listeners(ref, name)].reduceRight((next, each) => () => each(...args, next), () => last(...args))()
    },
  }

  class Fiber {
    constructor(ref) { refs.set(this, ref) }
    get name() { return refs.get(this).name() }
    get state() { return refs.get(this).state() }
    async await() { await refs.get(this).await(); return this }
    dispose() { return refs.get(this).dispose() }
  }

  // fiberOf keeps one Fiber for each of the host's, so that plugins and loaders
  // may use it as a key.
  function fiberOf(ref) {
    return ref.own ??= new Fiber(ref)
  }

  function callback(plugin) {
    if (typeof plugin === 'function') return constructible(plugin) ? (ctx, config) => { void new plugin(ctx, config) } : plugin
    if (plugin && typeof plugin === 'object' && typeof plugin.apply === 'function') return (ctx, config) => plugin.apply(ctx, config)
    throw new Error('invalid plugin, expect function or object with an "apply" method, received ' + typeof plugin)
  }

  const constructible = plugin => /^class\b/.test(Function.prototype.toString.call(plugin))

  function names(inject) {
    if (!inject) return []
    if (Array.isArray(inject)) return inject
    return Object.keys(inject).filter(name => inject[name]?.required !== false && inject[name] !== false)
  }

  // mount gives the plugin to the host, which calls back when it may start.
  function mount(ref, plugin, config) {
    const apply = callback(plugin)
    return ref.plugin(plugin.name ?? '', names(plugin.inject), own => {
      const ctx = new Context(view, own)
      const effect = collected(() => apply(ctx, configured(plugin.Config, config)))
      own.effect('apply', () => ({ undo: effect.undo }))
      return effect.pending
    })
  }

  const services = {
    get(target, key, receiver) {
      if (typeof key !== 'string' || key in target) return Reflect.get(target, key, receiver)
      return refs.get(target).use(key)
    },
  }

  class Context {
    constructor(token, own) {
      const ref = token === view ? own : host.root()
      refs.set(this, ref)
      this.fiber = fiberOf(ref.fiber)
      for (const name of Object.keys(dispatch)) this[name] = dispatch[name](ref)
      this.effect = (setup, label = 'anonymous') => register(ref, setup, String(label))
      this.provide = (name, value) => ref.provide(String(name), value)
      this.get = name => ref.get(String(name))
      this.plugin = (plugin, config) => fiberOf(mount(ref, plugin, config))
      this.inject = (inject, apply) => this.plugin({ name: apply.name, inject, apply })
      return new Proxy(this, services)
    }
  }

  return { Context, ValidationError, mount, refOf: fiber => refs.get(fiber) }
})
