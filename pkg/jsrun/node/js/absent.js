(function (require, native) {
  'use strict'
  // Modules that a script cannot have. They load, so that a package which only
  // names them runs; a call says what there is instead.
  const { fault } = require('internal')
  const instead = {
    http: 'use fetch', https: 'use fetch', http2: 'use fetch', net: 'use fetch', tls: 'use fetch', dgram: 'use fetch', dns: 'use fetch', 'dns/promises': 'use fetch',
    stream: 'read and write whole files, or spawn', 'stream/promises': 'read and write whole files', 'stream/web': 'use the body of a Response',
    zlib: 'use a package that is JavaScript alone', readline: 'a script has no terminal', 'readline/promises': 'a script has no terminal', repl: 'a script has no terminal',
    worker_threads: 'a script has one thread', cluster: 'a script has one thread', vm: 'use Function', v8: 'it is another engine', inspector: 'it is another engine',
    diagnostics_channel: 'use events', querystring: 'use URLSearchParams',
  }
  const here = {
    tty: { isatty: () => false },
    worker_threads: { isMainThread: true, parentPort: null, workerData: null, threadId: 0 },
    diagnostics_channel: { channel: (name) => ({ name, hasSubscribers: false, publish() {}, subscribe() {}, unsubscribe: () => false }), hasSubscribers: () => false },
    cluster: { isPrimary: true, isMaster: true, isWorker: false },
  }

  // refusing stands for a function or class, and for what would hang on it.
  function refusing(name, path) {
    const called = { [path]: function () {
      throw fault('ERR_FEATURE_UNAVAILABLE_ON_PLATFORM', `node:${name} is not available to this script (${path}): ${instead[name] || 'the host does not give it'}`)
    } }[path]
    return new Proxy(called, shadow(name, path + '.'))
  }

  function shadow(name, before) {
    const kept = new Map()
    return { get(target, key) {
      if (typeof key !== 'string' || key === '__esModule' || key === 'then' || key === 'default' || key in target) return Reflect.get(target, key)
      if (!kept.has(key)) kept.set(key, refusing(name, before + key))
      return kept.get(key)
    } }
  }

  function absent(name) {
    // Bundlers copy a module's own members and keep its prototype.
    return Object.assign(Object.create(new Proxy({}, shadow(name, ''))), here[name])
  }

  const exports = {}
  require('internal').lazy(exports, Object.fromEntries([...new Set([...Object.keys(instead), ...Object.keys(here)])].map((name) => [name, () => absent(name)])))
  return exports
})
