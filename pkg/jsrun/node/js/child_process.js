(function (require, native) {
  'use strict'
  const EventEmitter = require('events')
  const { fault, expected, string, func, view } = require('internal')
  const { Buffer, wrap } = require('buffer')
  const { Readable, Writable } = require('streams')
  const { constants } = require('os')
  const p = native('process')

  const denial = 'the host starts no programs for this script; it does so by Host.Processes'

  function granted() {
    if (!p.allowed()) throw fault('ERR_ACCESS_DENIED', `child_process is not granted: ${denial}`)
  }

  function signalOf(signal) {
    if (signal === undefined || signal === null) return 'SIGTERM'
    if (signal === 0) return '0'
    if (typeof signal === 'number') {
      const found = Object.entries(constants.signals).find(([, n]) => n === signal)
      if (found) return found[0]
    } else if (typeof signal === 'string') {
      const upper = signal.toUpperCase()
      if (Object.prototype.hasOwnProperty.call(constants.signals, upper)) return upper
    } else throw expected('signal', 'of type string or number', signal)
    throw fault('ERR_UNKNOWN_SIGNAL', `Unknown signal: ${signal}`)
  }

  function streamsOf(stdio, fallback) {
    if (stdio === undefined || stdio === null) stdio = fallback
    const list = typeof stdio === 'string' ? [stdio, stdio, stdio] : stdio
    if (!Array.isArray(list)) throw fault('ERR_INVALID_ARG_VALUE', `The argument 'stdio' is invalid. Received ${String(stdio)}`)
    return [0, 1, 2].map((i) => {
      const s = list[i]
      if (s === undefined || s === null) return 'pipe'
      if (s === 'pipe' || s === 'overlapped') return 'pipe'
      if (s === 'ignore') return 'ignore'
      if (s === 'inherit' || typeof s === 'number' || (s && typeof s.fd === 'number')) return 'inherit'
      throw fault('ERR_INVALID_ARG_VALUE', `The argument 'stdio' is invalid. Received '${String(s)}'`)
    })
  }

  function environment(env) {
    if (env === undefined || env === null) return undefined
    return Object.keys(env).filter((key) => env[key] !== undefined).map((key) => `${key}=${env[key]}`)
  }

  // normal brings the arguments that all functions share to (file, args, options).
  function normal(file, args, options) {
    string(file, 'file')
    if (file === '') throw fault('ERR_INVALID_ARG_VALUE', "The argument 'file' cannot be empty. Received ''")
    if (!Array.isArray(args)) {
      if (args !== undefined && args !== null && typeof args !== 'object') throw expected('args', 'of type object', args)
      if (args !== undefined && args !== null && options === undefined) options = args
      else if (args !== undefined && args !== null) throw expected('args', 'an instance of Array', args)
      args = []
    }
    options = options === undefined || options === null ? {} : options
    if (typeof options !== 'object') throw expected('options', 'of type object', options)
    args = args.map((arg, i) => {
      const text = String(arg)
      if (text.includes('\0')) throw fault('ERR_INVALID_ARG_VALUE', `The argument 'args[${i}]' must be a string without null bytes. Received '${text.replace(/\0/g, '\\x00')}'`)
      return text
    })
    let cwd = options.cwd
    if (cwd !== undefined && cwd !== null && typeof cwd !== 'string') cwd = require('fs').pathOf(cwd, 'options.cwd')
    if (options.timeout !== undefined && options.timeout !== null && !(Number.isInteger(options.timeout) && options.timeout >= 0)) throw expected('timeout', 'an unsigned integer', options.timeout)
    const shell = Boolean(options.shell)
    return {
      file, args, options,
      call: shell ? [file, ...args].join(' ') : file,
      given: shell ? [] : args,
      details: { dir: cwd === null ? undefined : cwd, env: environment(options.env), argv0: options.argv0, group: Boolean(options.detached), shell },
    }
  }

  const spawnargs = (n) => (n.details.shell ? ['/bin/sh', '-c', n.call] : [n.options.argv0 || n.file, ...n.args])

  function spawnError(refusal, n, what = 'spawn') {
    const file = n.details.shell ? '/bin/sh' : n.file
    const error = new Error(`${what} ${file} ${refusal.code}${refusal.note ? `: ${refusal.note}` : ''}`)
    error.errno = refusal.errno
    error.code = refusal.code
    error.syscall = `${what} ${file}`
    error.path = file
    error.spawnargs = spawnargs(n).slice(1)
    return error
  }

  class ChildProcess extends EventEmitter {
    #handle
    #open = 0
    #exited = false
    constructor() {
      super()
      this.connected = false
      this.signalCode = null
      this.exitCode = null
      this.killed = false
      this.stdin = this.stdout = this.stderr = null
    }
    static start(child, n, streams) {
      child.spawnfile = n.details.shell ? '/bin/sh' : n.file
      child.spawnargs = spawnargs(n)
      const handle = p.spawn(n.call, n.given, { ...n.details, streams }, (...event) => child.#told(...event))
      if (streams[0] === 'pipe') child.stdin = new Writable(handle.pid === undefined ? { write: (data, done) => queueMicrotask(() => done(null)), end() {} } : handle)
      for (const [i, name] of [[1, 'stdout'], [2, 'stderr']]) {
        if (streams[i] !== 'pipe') continue
        const stream = child[name] = new Readable()
        child.#open++
        stream.once('close', () => {
          child.#open--
          child.#maybeClose()
        })
      }
      child.stdio = [child.stdin, child.stdout, child.stderr]
      if (handle.pid === undefined) {
        queueMicrotask(() => {
          child.#exited = true
          child.exitCode = handle.errno
          child.emit('error', spawnError(handle, n))
          child.#open = 0
          for (const stream of [child.stdout, child.stderr]) if (stream) stream.destroy()
          if (child.stdin) child.stdin.destroy()
          child.emit('close', child.exitCode, null)
        })
        return
      }
      child.#handle = handle
      child.pid = handle.pid
      queueMicrotask(() => child.emit('spawn'))
    }
    #told(what, ...rest) {
      if (what !== 'exit') {
        this[what].push(rest[0])
        return
      }
      this.#exited = true
      this.exitCode = rest[0]
      this.signalCode = rest[1]
      if (this.stdin) this.stdin.destroy()
      this.emit('exit', this.exitCode, this.signalCode)
      // What nobody reads must not keep it from closing.
      for (const stream of [this.stdout, this.stderr]) if (stream && stream.readableFlowing === null) stream.resume()
      this.#maybeClose()
    }
    #maybeClose() {
      if (this.#exited && this.#open === 0 && this.#handle) {
        this.#handle.done = true
        const closing = this.#handle
        this.#handle = undefined
        void closing
        this.emit('close', this.exitCode, this.signalCode)
      }
    }
    kill(signal) {
      const name = signalOf(signal)
      if (!this.#handle || this.#exited) return false
      const code = this.#handle.kill(name)
      if (code === '') {
        if (name !== '0') this.killed = true
        return true
      }
      if (code !== 'ESRCH') this.emit('error', Object.assign(new Error(`kill ${code}`), { code, syscall: 'kill' }))
      return false
    }
    ref() {}
    unref() {}
    disconnect() {}
    send() { throw fault('ERR_IPC_CHANNEL_CLOSED', 'Channel closed') }
    [Symbol.dispose || Symbol.for('Symbol.dispose')]() { this.kill() }
  }

  function abortError(signal) {
    const error = fault('ABORT_ERR', 'The operation was aborted')
    error.name = 'AbortError'
    if (signal.reason !== undefined) error.cause = signal.reason
    return error
  }

  // limit ends a child after its timeout or when its signal aborts.
  function limit(child, options) {
    const undo = []
    if (options.timeout > 0) {
      const timer = setTimeout(() => child.kill(options.killSignal), options.timeout)
      undo.push(() => clearTimeout(timer))
    }
    const { signal } = options
    if (signal) {
      const stop = () => {
        if (child.exitCode !== null || child.signalCode !== null) return
        if (child.kill(options.killSignal)) child.emit('error', abortError(signal))
      }
      if (signal.aborted) queueMicrotask(stop)
      else {
        signal.addEventListener('abort', stop, { once: true })
        undo.push(() => signal.removeEventListener('abort', stop))
      }
    }
    child.once('exit', () => undo.forEach((u) => u()))
  }

  function spawn(file, args, options) {
    granted()
    const n = normal(file, args, options)
    const child = new ChildProcess()
    ChildProcess.start(child, n, streamsOf(n.options.stdio, 'pipe'))
    limit(child, n.options)
    return child
  }

  const defaultMax = 1024 * 1024

  function execFile(file, args, options, callback) {
    if (typeof args === 'function') [args, options, callback] = [[], {}, args]
    else if (typeof options === 'function') {
      [options, callback] = [Array.isArray(args) ? {} : args, options]
      if (!Array.isArray(args)) args = []
    }
    if (callback !== undefined && callback !== null) func(callback, 'callback')
    granted()
    const o = { encoding: 'utf8', timeout: 0, maxBuffer: defaultMax, killSignal: 'SIGTERM', cwd: null, env: null, shell: false, ...options }
    const child = spawn(file, args || [], { ...o, timeout: 0, signal: undefined, stdio: 'pipe' })
    const parts = { stdout: [], stderr: [] }
    let failure = null
    let killed = false
    const stop = (error) => {
      failure = failure || error
      killed = true
      child.kill(o.killSignal)
    }
    for (const name of ['stdout', 'stderr']) {
      let size = 0
      child[name].on('data', (chunk) => {
        const room = o.maxBuffer - size
        size += chunk.length
        if (size <= o.maxBuffer) return parts[name].push(chunk)
        if (room > 0) parts[name].push(chunk.subarray(0, room))
        if (!failure) stop(fault('ERR_CHILD_PROCESS_STDIO_MAXBUFFER', `${name} maxBuffer length exceeded`, RangeError))
        return undefined
      })
    }
    const timer = o.timeout > 0 ? setTimeout(() => stop(null), o.timeout) : undefined
    const { signal } = o
    const abort = () => stop(abortError(signal))
    if (signal) {
      if (signal.aborted) queueMicrotask(abort)
      else signal.addEventListener('abort', abort, { once: true })
    }
    const text = (name) => {
      const all = Buffer.concat(parts[name])
      return o.encoding === 'buffer' || !Buffer.isEncoding(o.encoding) ? all : all.toString(o.encoding)
    }
    let ended = false
    const end = (code, signalCode) => {
      if (ended) return
      ended = true
      if (timer !== undefined) clearTimeout(timer)
      if (signal) signal.removeEventListener('abort', abort)
      const cmd = n(file, args, o)
      if (!failure && (code !== 0 || signalCode)) {
        failure = new Error(`Command failed: ${cmd}\n${text('stderr')}`)
        failure.code = code
        failure.killed = killed || child.killed
        failure.signal = signalCode
      }
      if (failure) failure.cmd = cmd
      if (callback) callback(failure, text('stdout'), text('stderr'))
    }
    child.on('close', end)
    child.on('error', (error) => {
      failure = failure || error
      if (child.pid === undefined) end(child.exitCode, null)
    })
    return child
  }

  const n = (file, args, o) => (o.shell ? file : [file, ...(args || [])].join(' '))

  function exec(command, options, callback) {
    if (typeof options === 'function') [options, callback] = [{}, options]
    string(command, 'command')
    return execFile(command, [], { ...options, shell: true }, callback)
  }

  function spawnSync(file, args, options) {
    granted()
    const n = normal(file, args, options)
    const o = n.options
    const streams = streamsOf(o.stdio, 'pipe')
    let input = o.input
    if (input !== undefined && input !== null) input = typeof input === 'string' ? Buffer.from(input, o.encoding === 'buffer' ? undefined : o.encoding) : view(input)
    const maxBuffer = o.maxBuffer === undefined || o.maxBuffer === null ? defaultMax : Math.min(o.maxBuffer, 2 ** 28)
    const r = p.spawnSync(n.call, n.given, { ...n.details, streams }, undefined, input, o.timeout || 0, maxBuffer, signalOf(o.killSignal))
    const shown = (name, i) => {
      if (streams[i] !== 'pipe') return null
      const bytes = r[name] ? wrap(r[name]) : Buffer.alloc(0)
      return o.encoding && o.encoding !== 'buffer' ? bytes.toString(o.encoding) : bytes
    }
    if (r.pid === undefined) {
      return { error: spawnError(r, n, 'spawnSync'), status: null, signal: null, output: null, pid: 0, stdout: null, stderr: null }
    }
    const output = [null, shown('stdout', 1), shown('stderr', 2)]
    const out = { pid: r.pid, output, stdout: output[1], stderr: output[2], status: r.status, signal: r.signal }
    if (r.code) out.error = spawnError({ code: r.code, errno: r.code === 'ENOBUFS' ? -105 : r.errno }, n, 'spawnSync')
    return out
  }

  function failed(result, command) {
    if (result.error) return Object.assign(result.error, result)
    if (result.status === 0) return undefined
    let message = `Command failed: ${command}`
    if (result.stderr && result.stderr.length > 0) message += `\n${result.stderr.toString()}`
    return Object.assign(new Error(message), result)
  }

  function finishSync(result, command, options) {
    if (result.stderr && result.stderr.length > 0 && !(options && options.stdio)) native('host').log('stderr', result.stderr.toString())
    const error = failed(result, command)
    if (error) throw error
    return result.stdout
  }

  function execFileSync(file, args, options) {
    if (!Array.isArray(args) && options === undefined) [args, options] = [[], args]
    return finishSync(spawnSync(file, args || [], options), [file, ...(args || [])].join(' '), options)
  }

  function execSync(command, options) {
    string(command, 'command')
    return finishSync(spawnSync(command, [], { ...options, shell: true }), command, options)
  }

  // Promised, these two give both outputs by name.
  for (const f of [exec, execFile]) {
    Object.defineProperty(f, Symbol.for('nodejs.util.promisify.custom'), {
      value: (...args) => {
        let child
        const promise = new Promise((resolve, reject) => {
          child = f(...args, (error, stdout, stderr) => (error ? reject(Object.assign(error, { stdout, stderr })) : resolve({ stdout, stderr })))
        })
        promise.child = child
        return promise
      },
    })
  }

  function fork() { throw fault('ERR_ACCESS_DENIED', 'child_process.fork is not available to this script: there is no Node to fork') }

  return { ChildProcess, spawn, spawnSync, execFile, execFileSync, exec, execSync, fork }
})
