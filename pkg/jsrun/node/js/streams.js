(function (require, native) {
  'use strict'
  // The two ends of pipes: as much of Node's streams as programs and callers of
  // theirs use.
  const EventEmitter = require('events')
  const { Buffer, wrap } = require('buffer')
  const { expected, view } = require('internal')

  class Readable extends EventEmitter {
    #waiting = []
    #flowing = null
    #done = false
    #decoder
    constructor() {
      super()
      this.readable = true
      this.destroyed = false
      this.readableEnded = false
    }
    setEncoding(encoding) {
      const { StringDecoder } = require('string_decoder')
      this.#decoder = new StringDecoder(encoding)
      return this
    }
    on(type, listener) {
      super.on(type, listener)
      if (type === 'data' && this.#flowing !== false) this.resume()
      return this
    }
    addListener(type, listener) { return this.on(type, listener) }
    get readableFlowing() { return this.#flowing }
    isPaused() { return this.#flowing === false }
    pause() {
      this.#flowing = false
      return this
    }
    resume() {
      if (this.#flowing !== true) {
        this.#flowing = true
        queueMicrotask(() => this.#flow())
      }
      return this
    }
    // push takes what has come; null is the end.
    push(chunk) {
      if (this.destroyed) return false
      this.#waiting.push(chunk === null ? null : wrap(chunk))
      if (this.#flowing) this.#flow()
      return true
    }
    #flow() {
      while (this.#flowing && this.#waiting.length > 0 && !this.#done) {
        const chunk = this.#waiting.shift()
        if (chunk !== null) {
          const shown = this.#decoder ? this.#decoder.write(chunk) : chunk
          if (shown.length > 0) this.emit('data', shown)
          continue
        }
        const rest = this.#decoder ? this.#decoder.end() : ''
        if (rest !== '') this.emit('data', rest)
        this.#finish(true)
      }
    }
    #finish(ended) {
      if (this.#done) return
      this.#done = true
      this.readable = false
      if (ended) {
        this.readableEnded = true
        this.emit('end')
      }
      this.destroyed = true
      this.emit('close')
    }
    get closed() { return this.#done }
    destroy(error) {
      if (this.#done) return this
      this.#waiting = []
      if (error) queueMicrotask(() => this.emit('error', error))
      queueMicrotask(() => this.#finish(false))
      return this
    }
    unref() { return this }
    ref() { return this }
    pipe(target) {
      this.on('data', (chunk) => target.write(chunk))
      this.on('end', () => { if (target.end && target.fd === undefined) target.end() })
      return target
    }
    [Symbol.asyncIterator || Symbol.for('Symbol.asyncIterator')]() {
      const ready = []
      const waiting = []
      let failure
      let ended = false
      const wake = () => { for (const w of waiting.splice(0)) w() }
      this.on('data', (chunk) => { ready.push(chunk); wake() })
      this.on('close', () => { ended = true; wake() })
      this.on('error', (error) => { failure = error; wake() })
      const next = async () => {
        for (;;) {
          if (ready.length > 0) return { value: ready.shift(), done: false }
          if (failure) throw failure
          if (ended) return { value: undefined, done: true }
          await new Promise((resolve) => waiting.push(resolve))
        }
      }
      return { next, return: async () => { this.destroy(); return { value: undefined, done: true } }, [Symbol.asyncIterator]() { return this } }
    }
  }

  class Writable extends EventEmitter {
    #sink
    #queue = []
    #busy = false
    constructor(sink) {
      super()
      this.#sink = sink
      this.writable = true
      this.destroyed = false
      this.writableEnded = false
      this.writableFinished = false
    }
    write(chunk, encoding, callback) {
      if (typeof encoding === 'function') [encoding, callback] = [undefined, encoding]
      const data = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : view(chunk)
      if (data === undefined) throw expected('chunk', 'of type string or an instance of Buffer, TypedArray, or DataView', chunk)
      if (this.writableEnded || this.destroyed) {
        const error = Object.assign(new Error('write after end'), { code: 'ERR_STREAM_WRITE_AFTER_END' })
        queueMicrotask(() => { if (callback) callback(error); this.emit('error', error) })
        return false
      }
      this.#queue.push([data, callback])
      this.#next()
      return this.#queue.length < 16
    }
    #next() {
      if (this.#busy) return
      const first = this.#queue.shift()
      if (first === undefined) {
        if (this.writableEnded && !this.writableFinished) {
          this.writableFinished = true
          this.#sink.end()
          queueMicrotask(() => { this.emit('finish'); this.destroyed = true; this.emit('close') })
        } else if (!this.writableEnded) this.emit('drain')
        return
      }
      const [data, callback] = first
      this.#busy = true
      this.#sink.write(data, (error) => {
        this.#busy = false
        if (callback) callback(error || null)
        if (error) {
          this.#queue = []
          this.writable = false
          this.destroyed = true
          if (!this.writableEnded || this.listenerCount('error') > 0) this.emit('error', error)
          this.emit('close')
          return
        }
        this.#next()
      })
    }
    end(chunk, encoding, callback) {
      if (typeof chunk === 'function') [chunk, callback] = [undefined, chunk]
      if (typeof encoding === 'function') [encoding, callback] = [undefined, encoding]
      if (chunk !== undefined && chunk !== null) this.write(chunk, encoding)
      if (callback) this.once('finish', callback)
      if (!this.writableEnded) {
        this.writableEnded = true
        this.writable = false
        this.#next()
      }
      return this
    }
    destroy(error) {
      if (this.destroyed) return this
      this.destroyed = true
      this.writable = false
      this.#queue = []
      this.#sink.end()
      queueMicrotask(() => { if (error) this.emit('error', error); this.emit('close') })
      return this
    }
    cork() {}
    uncork() {}
    setDefaultEncoding() { return this }
  }
  return { Readable, Writable }
})
