(function (require, native) {
  'use strict'
  const host = native('host')
  const { formatWithOptions } = { formatWithOptions: (...args) => require('util').formatWithOptions(...args) }

  class Console {
    #counts = new Map()
    #timers = new Map()
    #indent = ''
    #say
    constructor(options) {
      const out = options && (options.stdout || options)
      const err = (options && options.stderr) || out
      this.#say = out && typeof out.write === 'function'
        ? (level, text) => (level === 'error' || level === 'warn' ? err : out).write(`${text}\n`)
        : (level, text) => host.log(level, text)
      // Console's methods work without their object.
      for (const name of Object.getOwnPropertyNames(Console.prototype)) {
        if (name !== 'constructor') Object.defineProperty(this, name, { value: this[name].bind(this), writable: true, enumerable: true, configurable: true })
      }
    }
    #write(level, args) {
      // Plain text needs no formatting, and the formatter need not be loaded.
      let text = args.length === 1 && typeof args[0] === 'string' ? args[0] : formatWithOptions({}, ...args)
      if (this.#indent) text = this.#indent + text.replace(/\n/g, `\n${this.#indent}`)
      this.#say(level, text)
    }
    log(...args) { this.#write('log', args) }
    info(...args) { this.#write('info', args) }
    debug(...args) { this.#write('debug', args) }
    warn(...args) { this.#write('warn', args) }
    error(...args) { this.#write('error', args) }
    trace(...args) {
      const stack = String(new Error().stack).split('\n').slice(2).join('\n')
      this.#write('error', [`Trace${args.length ? `: ${formatWithOptions({}, ...args)}` : ''}\n${stack}`])
    }
    dir(value, options) { this.#write('log', [require('util').inspect(value, { customInspect: false, ...options })]) }
    dirxml(...args) { this.#write('log', args) }
    assert(fine, ...args) {
      if (fine) return
      if (typeof args[0] === 'string') args[0] = `Assertion failed: ${args[0]}`
      else args.unshift('Assertion failed')
      this.#write('warn', args)
    }
    table(data) { this.#write('log', [data]) }
    group(...args) {
      if (args.length > 0) this.#write('log', args)
      this.#indent += '  '
    }
    groupCollapsed(...args) { this.group(...args) }
    groupEnd() { this.#indent = this.#indent.slice(2) }
    count(label = 'default') {
      const n = (this.#counts.get(`${label}`) || 0) + 1
      this.#counts.set(`${label}`, n)
      this.#write('log', [`${label}: ${n}`])
    }
    countReset(label = 'default') { this.#counts.delete(`${label}`) }
    time(label = 'default') { this.#timers.set(`${label}`, host.elapsed()) }
    #took(label) {
      const begun = this.#timers.get(`${label}`)
      return begun === undefined ? undefined : `${label}: ${((host.elapsed() - begun) / 1e6).toFixed(3)}ms`
    }
    timeEnd(label = 'default') {
      this.timeLog(label)
      this.#timers.delete(`${label}`)
    }
    timeLog(label = 'default', ...args) {
      const took = this.#took(label)
      if (took !== undefined) this.#write('log', [took, ...args])
    }
    timeStamp() {}
    profile() {}
    profileEnd() {}
  }
  const console = new Console()
  console.Console = Console
  return console
})
