(function (require, native) {
  'use strict'
  const { fault } = require('internal')

  function aborted(signal) {
    const error = fault('ABORT_ERR', 'The operation was aborted')
    error.name = 'AbortError'
    error.cause = signal.reason
    return error
  }

  // promised makes a timer that is awaited and that a signal can end.
  const promised = (set, clear) => (delay, value, options) => new Promise((resolve, reject) => {
    const signal = options && options.signal
    if (signal && signal.aborted) return reject(aborted(signal))
    const stop = () => {
      clear(timer)
      reject(aborted(signal))
    }
    const timer = set(() => {
      if (signal) signal.removeEventListener('abort', stop)
      resolve(value)
    }, delay)
    if (options && options.ref === false && timer.unref) timer.unref()
    if (signal) signal.addEventListener('abort', stop, { once: true })
    return undefined
  })

  const wait = promised(setTimeout, clearTimeout)
  const immediate = promised((f) => setImmediate(f), (t) => clearImmediate(t))
  const promises = {
    setTimeout: wait,
    setImmediate: (value, options) => immediate(0, value, options),
    setInterval(delay, value, options) {
      return {
        next: async () => ({ value: await wait(delay, value, options), done: false }),
        return: async () => ({ value: undefined, done: true }),
        [Symbol.asyncIterator]() { return this },
      }
    },
    scheduler: { wait: (delay, options) => wait(delay, undefined, options), yield: () => immediate(0) },
  }
  const custom = Symbol.for('nodejs.util.promisify.custom')
  if (!setTimeout[custom]) Object.defineProperty(setTimeout, custom, { value: promises.setTimeout, configurable: true })
  return { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, clearImmediate, promises }
})
