(function (require, native) {
  'use strict'
  const EventEmitter = require('events')
  const { fault, func, hidden, expected } = require('internal')
  const host = native('host')

  // The environment: what the host lets the script read, and what it set itself.
  const own = new Map()
  const read = (key) => (own.has(key) ? own.get(key) : host.env(key))
  const env = new Proxy({}, {
    get: (target, key) => (typeof key === 'string' ? read(key) : undefined),
    has: (target, key) => typeof key === 'string' && read(key) !== undefined,
    set(target, key, value) {
      own.set(key, String(value))
      return true
    },
    defineProperty(target, key, d) {
      own.set(key, String(d.value))
      return true
    },
    deleteProperty(target, key) {
      own.set(key, undefined)
      return true
    },
    ownKeys() {
      const names = new Set(host.envNames())
      for (const [key, value] of own) {
        if (value === undefined) names.delete(key)
        else names.add(key)
      }
      return [...names].filter((key) => read(key) !== undefined)
    },
    getOwnPropertyDescriptor(target, key) {
      const value = typeof key === 'string' ? read(key) : undefined
      return value === undefined ? undefined : { value, writable: true, enumerable: true, configurable: true }
    },
  })

  function stream(name, fd) {
    const s = new EventEmitter()
    return Object.assign(s, {
      fd,
      isTTY: undefined,
      writable: true,
      write(chunk, encoding, callback) {
        if (typeof encoding === 'function') callback = encoding
        if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) throw expected('chunk', 'of type string or an instance of Buffer or Uint8Array', chunk)
        host.log(name, typeof chunk === 'string' ? chunk : require('buffer').Buffer.from(chunk).toString())
        if (typeof callback === 'function') queueMicrotask(callback)
        return true
      },
      end(chunk, ...rest) {
        if (chunk !== undefined && typeof chunk !== 'function') s.write(chunk, ...rest)
        return s
      },
      getColorDepth: () => 1,
      hasColors: () => false,
    })
  }

  function hrtime(before) {
    const ns = host.elapsed()
    let pair = [Math.floor(ns / 1e9), ns % 1e9]
    if (before !== undefined) {
      pair = [pair[0] - before[0], pair[1] - before[1]]
      if (pair[1] < 0) pair = [pair[0] - 1, pair[1] + 1e9]
    }
    return pair
  }
  hrtime.bigint = () => BigInt(Math.trunc(host.elapsed()))

  class Process extends EventEmitter {}
  Object.defineProperty(Process, 'name', { value: 'process' })
  const process = new Process()
  const memory = () => ({ rss: 2 ** 26, heapTotal: 2 ** 25, heapUsed: 2 ** 24, external: 2 ** 20, arrayBuffers: 2 ** 16 })
  memory.rss = () => 2 ** 26
  Object.assign(process, {
    version: 'v20.20.2',
    versions: { node: '20.20.2', v8: '0.0.0', uv: '0.0.0', modules: '115' },
    release: { name: 'node', lts: 'Iron' },
    features: { inspector: false, ipv6: true, tls: false, uv: false },
    config: { target_defaults: {}, variables: {} },
    title: 'node',
    arch: host.arch(),
    platform: host.platform(),
    pid: host.pid(),
    ppid: 1,
    execPath: host.execPath(),
    execArgv: [],
    argv0: 'node',
    argv: [host.execPath(), '', ...host.args()],
    exitCode: undefined,
    env,
    cwd: () => host.cwd(),
    chdir() { throw fault('ERR_ACCESS_DENIED', 'process.chdir is not available to this script: its folder is the host\'s to set') },
    exit() { throw fault('ERR_ACCESS_DENIED', 'process.exit is not available to this script: the process is the host\'s') },
    abort() { process.exit() },
    reallyExit() { process.exit() },
    kill(pid, signal) {
      if (signal !== 0 && pid !== host.pid()) signal = signal || 'SIGTERM'
      const error = new Error('kill EPERM')
      throw Object.assign(error, { errno: -1, code: 'EPERM', syscall: 'kill' })
    },
    umask: () => 0o022,
    uptime: () => host.elapsed() / 1e9,
    hrtime,
    memoryUsage: memory,
    cpuUsage: () => ({ user: 0, system: 0 }),
    resourceUsage: () => ({ userCPUTime: 0, systemCPUTime: 0, maxRSS: 0 }),
    nextTick(f, ...args) {
      func(f, 'callback')
      queueMicrotask(() => f(...args))
    },
    emitWarning(warning, type) {
      const w = typeof warning === 'string' ? Object.assign(new Error(warning), { name: (type && type.type) || (typeof type === 'string' ? type : 'Warning') }) : warning
      host.log('warn', `${w.name}: ${w.message}`)
      queueMicrotask(() => process.emit('warning', w))
    },
    binding(name) { throw fault('ERR_ACCESS_DENIED', `process.binding(${name}) is not available to this script`) },
    hasUncaughtExceptionCaptureCallback: () => false,
    setUncaughtExceptionCaptureCallback() {},
    getActiveResourcesInfo: () => [],
    allowedNodeEnvironmentFlags: new Set(),
  })
  require('internal').lazy(process, {
    stdout: () => stream('stdout', 1),
    stderr: () => stream('stderr', 2),
    stdin: () => {
      const { Readable } = require('streams')
      const s = new Readable()
      s.fd = 0
      s.isTTY = false
      s.push(null)
      return s
    },
  })
  Object.defineProperty(process, Symbol.toStringTag, { value: 'process', configurable: true })
  hidden(process, { _events: process._events, _eventsCount: 0, _maxListeners: undefined })
  return process
})
