// The module dsh-mnemon/testing: plugins mounted beside one Core of their own,
// for tests of packages. It is no production loader.
(function (host, kernel, contracts) {
  'use strict'

  const { Context } = kernel
  const { DEFAULT_MEMORY_VIEW_BUDGET } = contracts

  const frozenInfo = choose => choose === undefined ? undefined : info => choose(info)

  class MemoryCompositionRunner {
    context = new Context()
    #core
    #entries = new Map() // id -> fiber
    #ids = new WeakMap() // fiber -> id
    #turns = new Set() // releases
    #beginnings = new Set() // abort controllers
    #closing

    constructor(options = {}) {
      const { sourceConfiguration, sourceCapabilities, ...settings } = options
      this.#core = host.core({ ...settings, sourceConfiguration: frozenInfo(sourceConfiguration), sourceCapabilities: frozenInfo(sourceCapabilities) })
      this.context.provide('mnemonMemory', this.#core.service)
      this.context.provide('loader', {
        locate: fiber => this.#ids.get(fiber),
        import: specifier => host.import(specifier),
        unwrapExports: module => module.default ?? module,
      })
    }

    async mount(plugin, entry) {
      this.#open()
      const id = entry.instanceId.trim()
      if (id === '' || this.#entries.has(id)) throw new Error(`duplicate or empty test Entry id: ${id}`)
      const fiber = this.context.plugin(this.#bound(plugin, id), entry.config)
      this.#entries.set(id, fiber)
      try {
        await fiber.await()
        this.#open()
      } catch (error) {
        await this.#unmount(id, fiber)
        throw error
      }
      return () => this.#unmount(id, fiber)
    }

    // bound is the plugin, told to the loader when it starts.
    #bound(plugin, id) {
      const apply = (ctx, config) => { this.#ids.set(ctx.fiber, id); return plugin.apply(ctx, config) }
      return { ...plugin, apply }
    }

    async #unmount(id, fiber) {
      if (this.#entries.get(id) !== fiber) return
      this.#entries.delete(id)
      await fiber.dispose()
    }

    async beginTurn(request = {}, signal) {
      this.#open()
      signal?.throwIfAborted()
      const budget = { ...(request.budget ?? DEFAULT_MEMORY_VIEW_BUDGET) }
      const lease = this.#core.lease()
      const controller = new AbortController()
      const cancel = () => controller.abort(signal.reason)
      signal?.addEventListener('abort', cancel, { once: true })
      this.#beginnings.add(controller)
      try {
        const composed = await lease.compose({ scope: request.scope ?? { storage: 'custom' }, scenario: request.scenario ?? 'plugin-test', budget }, controller.signal)
        this.#open()
        return this.#turn(lease, composed)
      } catch (error) {
        lease.release()
        throw error
      } finally {
        signal?.removeEventListener('abort', cancel)
        this.#beginnings.delete(controller)
      }
    }

    #turn(lease, { view, route, action }) {
      let active = true
      const release = () => {
        if (!active) return
        active = false
        this.#turns.delete(release)
        lease.release()
      }
      this.#turns.add(release)
      const assertActive = () => {
        this.#open()
        if (!active) throw new Error('Memory test turn is released')
      }
      return Object.freeze({
        view,
        executeRoute: async (id, input, signal) => { assertActive(); return route(id, input, signal) },
        executeAction: async (id, input, authorize, signal) => { assertActive(); return action(id, input, authorize, signal) },
        release,
      })
    }

    inspect() { return this.#core.inspect() }

    async managementCatalog(scope = { storage: 'custom' }) {
      this.#open()
      return this.#core.catalog(scope)
    }

    async executeManagement(request) {
      this.#open()
      return this.#core.manage(request)
    }

    async managementClient(sourceInstanceKey, scope = { storage: 'custom' }) {
      const own = structuredClone(scope)
      const { sources } = await this.managementCatalog(own)
      const found = sources.find(source => source.sourceInstanceKey === sourceInstanceKey)
      if (found === undefined) throw new Error(`No managed test Source: ${sourceInstanceKey}`)
      let revision = found.revision
      const execute = async fields => {
        const result = await this.executeManagement({ sourceInstanceKey, scope: own, ...fields })
        revision = result.revision
        return result
      }
      return {
        sourceInstanceKey,
        get revision() { return revision },
        read: (operation, input = null) => execute({ mode: 'read', operation, input, confirmed: false }),
        mutate: (operation, input, options) => execute({ mode: 'mutate', operation, input, confirmed: options?.confirmed === true, expectedRevision: options?.expectedRevision ?? revision }),
      }
    }

    dispose() {
      this.#closing ??= this.#close()
      return this.#closing
    }

    async #close() {
      for (const controller of this.#beginnings) controller.abort(new Error('MemoryCompositionRunner is disposed'))
      for (const release of this.#turns) release()
      const failures = []
      const attempt = async step => { try { await step() } catch (error) { failures.push(error) } }
      for (const fiber of [...this.#entries.values()].reverse()) await attempt(() => fiber.dispose())
      this.#entries.clear()
      await attempt(() => this.context.fiber.dispose())
      // What a Source leaves undone fails no dispose, as in the published runner; but it is told.
      try { await this.#core.close() } catch (error) { console.error(error) }
      if (failures.length > 0) throw new AggregateError(failures, 'MemoryCompositionRunner cleanup failed')
    }

    #open() { if (this.#closing !== undefined) throw new Error('MemoryCompositionRunner is disposed') }
  }

  // A Client artifact declares itself once to window.__ModuleLoader__.
  function loadMemoryClientArtifact(path, dependencies) {
    let declared
    const loader = {
      load(value) {
        const valid = declared === undefined && value !== undefined && typeof value.id === 'string' && typeof value.factory === 'function'
        if (!valid) throw new Error('Expected exactly one DSH Client artifact declaration')
        declared = value
      },
    }
    const window = new Proxy(globalThis.window ?? {}, {
      get(target, key) {
        if (key === '__ModuleLoader__') return loader
        const value = Reflect.get(target, key)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    new Function('window', host.readFile(path))(window)
    if (declared === undefined) throw new Error('No DSH Client declaration in artifact')
    return declared.factory(id => {
      if (!Object.hasOwn(dependencies, id)) throw new Error(`Missing Client test dependency: ${id}`)
      return dependencies[id]
    })
  }

  return Object.freeze({ DEFAULT_MEMORY_VIEW_BUDGET, MemoryCompositionRunner, loadMemoryClientArtifact })
})
