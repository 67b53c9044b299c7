// The modules dsh-mnemon/contracts, dsh-mnemon/extension-sdk and dsh-mnemon/core
// as authors know them. The rules are the host's (package compose); what is
// here reads arguments and freezes results.
(function (host) {
  'use strict'

  const contracts = Object.freeze({
    COMPOSABLE_MEMORY_API_VERSION: 'dsh-mnemon/v1',
    MEMORY_PLUGIN_API_VERSION: 'dsh-mnemon/plugin/v1',
    DEFAULT_MEMORY_VIEW_BUDGET: host.defaultBudget,
    MEMORY_CAPABILITIES: host.capabilities,
    MEMORY_SOURCE_MODES: Object.freeze(['eager', 'routed']),
    ANY_MEMORY_STRATEGY: '*',
    ANY_MEMORY_SOURCE_ROLE: '*',
    MEMORY_VIEW_EXTENSION_SLOTS: Object.freeze(['selection', 'projection', 'capture']),
  })

  // What keeps the very values of an author is here; other rules for inputs are
  // the host's.

  function record(value, label) {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
    throw new Error(`${label} must be an object`)
  }

  const statusOf = { failed: 'failed', partial: 'partial', unknown: 'partial' }

  function receipt(viewId, offerId, sourceInstanceKey, revision, details, completion = 'unknown') {
    const value = { id: `receipt:${crypto.randomUUID()}`, viewId, offerId, sourceInstanceKey, status: statusOf[completion] ?? 'succeeded', completion }
    if (completion === 'committed') value.committedAt = new Date().toISOString()
    if (revision !== undefined) value.revision = revision
    value.details = details
    return value
  }

  async function withStorageLock(directory, operation) {
    const release = await host.lock(directory)
    try { return await operation() } finally { release() }
  }

  // Definitions.

  const callable = value => typeof value === 'function'

  function source(definition) {
    const { manifest, create } = definition
    return Object.freeze({ manifest: host.source(manifest, callable(create)), create })
  }

  function strategy(definition) {
    const { manifest, compose, createTurn } = definition
    const normal = host.strategy(manifest, callable(compose), createTurn === undefined || callable(createTurn))
    return Object.freeze(createTurn === undefined ? { manifest: normal, compose } : { manifest: normal, compose, createTurn })
  }

  function extension(definition) {
    const { manifest, contribute } = definition
    return Object.freeze({ manifest: host.extension(manifest, callable(contribute)), contribute })
  }

  function viewExtension({ typeId, packageName, slot, contribute }) {
    return extension({
      manifest: { apiVersion: contracts.COMPOSABLE_MEMORY_API_VERSION, kind: 'strategy-extension', typeId, packageName, strategyTypeId: contracts.ANY_MEMORY_STRATEGY, slot, deterministic: true },
      contribute: callable(contribute) ? (request, sources) => host.slotValue(slot, contribute(request, sources)) : contribute,
    })
  }

  function strategyConfiguration(value) {
    const declared = host.declaration(value)
    const { create } = value
    const definition = {
      ...declared.metadata,
      create(input) {
        const contribution = create(declared.values(input))
        declared.check(contribution)
        return contribution
      },
    }
    return Object.freeze(definition)
  }

  // Installation.

  function entryOf(ctx, explicit) {
    const own = explicit?.trim()
    if (own) return own
    const located = ctx.get('loader', false)?.locate(ctx.fiber)?.trim()
    if (located) return located
    throw new Error('installMemory requires a stable Loader Entry id; pass options.instanceId for direct ctx.plugin() mounts')
  }

  function install(ctx, contribution, options = {}) {
    const instanceId = entryOf(ctx, options.instanceId)
    ctx.effect(() => ctx.mnemonMemory.installContributions(contribution, { ...options, instanceId }), `dsh-mnemon: install ${instanceId}`)
  }

  // A Strategy of the host, as the package that it stands in for.
  function native(name, descriptor, declaration, define) {
    const memoryPlugin = host.descriptor(descriptor)
    const create = config => ({ plugin: memoryPlugin, strategies: [define(config)] })
    return Object.freeze({
      name,
      inject: Object.freeze(['mnemonMemory']),
      memoryPlugin,
      memoryStrategyConfiguration: strategyConfiguration({ ...declaration, create }),
      apply(ctx, config) { install(ctx, create(config)) },
    })
  }

  const extensionSdk = Object.freeze({
    createMemoryMutationReceipt: receipt,
    defineMemoryPlugin: descriptor => host.descriptor(descriptor),
    defineMemorySource: source,
    defineMemoryStrategy: strategy,
    defineMemoryStrategyConfiguration: strategyConfiguration,
    defineMemoryStrategyExtension: extension,
    defineMemoryViewExtension: viewExtension,
    installMemory: install,
    memoryConfigurationDigest: value => host.configurationDigest(value),
    memoryInputInteger: (value, fallback, minimum, maximum) => host.inputInteger(value, fallback, minimum, maximum),
    memoryInputMigrationLineage: value => host.inputLineage(value),
    memoryInputRecord: record,
    memoryInputStringArray: (value, label, maximum = 50) => host.inputStringArray(value, label, maximum),
    memoryInputText: (value, label, maximum, required = true) => host.inputText(value, label, maximum, required),
    memoryViewExtensionValues: contributions => host.slotValues(contributions),
    truncateMemoryText: (value, maximum) => host.truncate(value, maximum),
    validateMemoryViewExtension: (slot, value) => host.slotValue(slot, value),
    withMemoryStorageLock: withStorageLock,
  })

  const core = Object.freeze({
    name: 'dsh-mnemon-core',
    provide: Object.freeze(['mnemonMemory']),
    inject: Object.freeze([]),
    apply(ctx) {
      const memory = host.core({})
      ctx.provide('mnemonMemory', memory.service)
      ctx.effect(() => () => memory.close(), 'dsh-mnemon.core()')
    },
  })

  return { contracts, extensionSdk, core, native }
})
