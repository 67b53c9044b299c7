(function (require, native) {
  'use strict'
  const { fault, view } = require('internal')
  const { Buffer } = require('buffer')
  const { URL, URLSearchParams } = require('url')
  const net = native('net')

  // ---- Headers

  const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

  function nameOf(name, what) {
    name = String(name)
    if (!token.test(name)) throw new TypeError(`Headers.${what}: ${name} is an invalid header name.`)
    return name.toLowerCase()
  }

  function valueOf(value, what) {
    value = String(value).replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, '')
    if (/[\0\r\n]|[^\u0000-\u00ff]/.test(value)) throw new TypeError(`Headers.${what}: ${value} is an invalid header value.`)
    return value
  }

  class Headers {
    #list = [] // [name, value], cookies apart
    constructor(init) {
      if (init === undefined) return
      if (init === null || (typeof init !== 'object' && typeof init !== 'function')) throw new TypeError("Headers constructor: init given ('" + init + "') is not iterable.")
      if (typeof init[Symbol.iterator] === 'function') {
        for (const pair of init) {
          const two = [...pair]
          if (two.length !== 2) throw new TypeError('Headers constructor: expected name/value pair to be length 2, found ' + two.length + '.')
          this.append(two[0], two[1])
        }
      } else for (const key of Reflect.ownKeys(init)) if (Object.prototype.propertyIsEnumerable.call(init, key)) this.append(key, init[key])
    }
    append(name, value) {
      name = nameOf(name, 'append')
      value = valueOf(value, 'append')
      const found = name !== 'set-cookie' && this.#list.find(([n]) => n === name)
      if (found) found[1] += `${name === 'cookie' ? '; ' : ', '}${value}`
      else this.#list.push([name, value])
    }
    set(name, value) {
      name = nameOf(name, 'set')
      value = valueOf(value, 'set')
      this.#list = this.#list.filter(([n]) => n !== name)
      this.#list.push([name, value])
    }
    delete(name) {
      name = nameOf(name, 'delete')
      this.#list = this.#list.filter(([n]) => n !== name)
    }
    get(name) {
      name = nameOf(name, 'get')
      const found = this.#list.filter(([n]) => n === name)
      return found.length > 0 ? found.map(([, v]) => v).join(', ') : null
    }
    has(name) {
      name = nameOf(name, 'has')
      return this.#list.some(([n]) => n === name)
    }
    getSetCookie() { return this.#list.filter(([n]) => n === 'set-cookie').map(([, v]) => v) }
    forEach(callback, thisArg) { for (const [name, value] of this) callback.call(thisArg, value, name, this) }
    * entries() { yield* this.#list.slice().sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map((pair) => [...pair]) }
    * keys() { for (const [name] of this.entries()) yield name }
    * values() { for (const [, value] of this.entries()) yield value }
    [Symbol.iterator]() { return this.entries() }
    [Symbol.for('nodejs.util.inspect.custom')](depth, options, inspect) { return `Headers ${inspect(Object.fromEntries(this), options)}` }
  }

  // ---- Blob, File, FormData

  const exact = (u8) => u8.buffer.slice(u8.byteOffset, u8.byteOffset + u8.byteLength)

  class Blob {
    #bytes
    #type
    constructor(parts = [], options = {}) {
      if (parts === null || typeof parts !== 'object' || typeof parts[Symbol.iterator] !== 'function') throw fault('ERR_INVALID_ARG_TYPE', 'The "sources" argument must be an instance of a sequence.' + require('internal').received(parts))
      this.#bytes = Buffer.concat([...parts].map((part) => (part instanceof Blob ? part.#bytes : view(part) || Buffer.from(String(part)))))
      const type = options.type === undefined ? '' : String(options.type)
      this.#type = /[^\u0020-\u007e]/.test(type) ? '' : type.toLowerCase()
    }
    get size() { return this.#bytes.length }
    get type() { return this.#type }
    static bytes(blob) { return blob.#bytes }
    async text() { return new (require('encoding').TextDecoder)().decode(this.#bytes) }
    async arrayBuffer() { return exact(this.#bytes) }
    async bytes() { return new Uint8Array(exact(this.#bytes)) }
    slice(start, end, type) { return new Blob([this.#bytes.subarray(start, end)], { type: type || '' }) }
    stream() { return new Stream(onePart(this.#bytes)) }
  }
  class File extends Blob {
    constructor(parts, name, options = {}) {
      super(parts, options)
      this.name = String(name)
      this.lastModified = options.lastModified === undefined ? Date.now() : Number(options.lastModified)
    }
  }

  class FormData {
    #list = []
    static list(form) { return form.#list }
    #entry(name, value, file) {
      if (value instanceof Blob && !(value instanceof File)) value = new File([value], file === undefined ? 'blob' : file, { type: value.type })
      else if (value instanceof File && file !== undefined) value = new File([value], file, { type: value.type })
      return [String(name), value instanceof Blob ? value : String(value)]
    }
    append(name, value, file) { this.#list.push(this.#entry(name, value, file)) }
    set(name, value, file) {
      const entry = this.#entry(name, value, file)
      const at = this.#list.findIndex(([n]) => n === entry[0])
      this.#list = this.#list.filter(([n], i) => n !== entry[0] || i === at)
      if (at < 0) this.#list.push(entry)
      else this.#list[at] = entry
    }
    delete(name) { this.#list = this.#list.filter(([n]) => n !== String(name)) }
    get(name) {
      const found = this.#list.find(([n]) => n === String(name))
      return found ? found[1] : null
    }
    getAll(name) { return this.#list.filter(([n]) => n === String(name)).map(([, v]) => v) }
    has(name) { return this.#list.some(([n]) => n === String(name)) }
    forEach(callback, thisArg) { for (const [name, value] of this) callback.call(thisArg, value, name, this) }
    * entries() { for (const [name, value] of this.#list) yield [name, value] }
    * keys() { for (const [name] of this.#list) yield name }
    * values() { for (const [, value] of this.#list) yield value }
    [Symbol.iterator]() { return this.entries() }
  }

  function multipart(form) {
    const boundary = `----formdata-${require('crypto').randomUUID().replace(/-/g, '')}`
    const clean = (s) => s.replace(/\r\n?|\n/g, '\r\n').replace(/\r|\n|"/g, (c) => ({ '\r': '%0D', '\n': '%0A', '"': '%22' })[c])
    const parts = []
    for (const [name, value] of FormData.list(form)) {
      const head = `--${boundary}\r\nContent-Disposition: form-data; name="${clean(name)}"`
      if (typeof value === 'string') parts.push(Buffer.from(`${head}\r\n\r\n${value.replace(/\r\n?|\n/g, '\r\n')}\r\n`))
      else parts.push(Buffer.from(`${head}; filename="${clean(value.name)}"\r\nContent-Type: ${value.type || 'application/octet-stream'}\r\n\r\n`), Blob.bytes(value), Buffer.from('\r\n'))
    }
    parts.push(Buffer.from(`--${boundary}--\r\n`))
    return [Buffer.concat(parts), `multipart/form-data; boundary=${boundary}`]
  }

  // ---- bodies

  // A source gives parts: next() is a promise of bytes or null, cancel() gives up.
  const onePart = (bytes) => {
    let left = bytes.length > 0 ? bytes : null
    return {
      async next() {
        const part = left
        left = null
        return part === null ? null : new Uint8Array(exact(part))
      },
      cancel() { left = null },
    }
  }

  // Stream is a ReadableStream as far as bodies are read: by a reader or by for await.
  class Stream {
    #source
    #locked = false
    #done = false
    constructor(source) { this.#source = source }
    get locked() { return this.#locked }
    async #next() {
      if (this.#done) return { value: undefined, done: true }
      const value = await this.#source.next()
      if (value === null) {
        this.#done = true
        return { value: undefined, done: true }
      }
      return { value, done: false }
    }
    getReader() {
      if (this.#locked) throw fault('ERR_INVALID_STATE', 'Invalid state: ReadableStream is locked', TypeError)
      this.#locked = true
      return {
        read: () => this.#next(),
        releaseLock: () => { this.#locked = false },
        cancel: async (reason) => this.#cancel(reason),
        closed: new Promise(() => {}),
      }
    }
    async cancel(reason) { this.#cancel(reason) }
    #cancel(reason) {
      this.#done = true
      this.#source.cancel(reason)
    }
    [Symbol.asyncIterator || Symbol.for('Symbol.asyncIterator')]() {
      const reader = this.getReader()
      return { next: reader.read, return: async () => { await reader.cancel(); return { value: undefined, done: true } }, [Symbol.asyncIterator]() { return this } }
    }
  }

  // extract gives the bytes of what may be a body and the type that goes with it.
  function extract(body) {
    if (typeof body === 'string') return [Buffer.from(body), 'text/plain;charset=UTF-8']
    if (body instanceof URLSearchParams) return [Buffer.from(body.toString()), 'application/x-www-form-urlencoded;charset=UTF-8']
    if (body instanceof FormData) return multipart(body)
    if (body instanceof Blob) return [Blob.bytes(body), body.type || null]
    const u8 = view(body)
    if (u8 !== undefined) return [Buffer.from(u8), null]
    return [Buffer.from(String(body)), 'text/plain;charset=UTF-8']
  }

  class Body {
    #source = null
    #used = false
    #stream
    static fill(target, source) { target.#source = source }
    static source(target) { return target.#source }
    get bodyUsed() { return this.#used || Boolean(this.#stream && this.#stream.locked) }
    get body() {
      if (this.#source === null) return null
      if (this.#stream === undefined) {
        const source = this.#source
        this.#stream = new Stream({ next: () => { this.#used = true; return source.next() }, cancel: (reason) => source.cancel(reason) })
      }
      return this.#stream
    }
    async #all() {
      if (this.bodyUsed) throw new TypeError('Body is unusable: Body has already been read')
      this.#used = this.#source !== null
      const parts = []
      for (let part = this.#source && await this.#source.next(); part; part = await this.#source.next()) parts.push(part)
      return parts.length === 1 ? Buffer.from(parts[0].buffer, parts[0].byteOffset, parts[0].byteLength) : Buffer.concat(parts)
    }
    async text() { return new (require('encoding').TextDecoder)().decode(await this.#all()) }
    async json() {
      const text = await this.text()
      try { return JSON.parse(text) } catch (error) {
        throw text === '' ? new SyntaxError('Unexpected end of JSON input') : error
      }
    }
    async arrayBuffer() { return exact(await this.#all()) }
    async bytes() { return new Uint8Array(exact(await this.#all())) }
    async blob() { return new Blob([await this.#all()], { type: this.headers.get('content-type') || '' }) }
    async formData() {
      const type = this.headers.get('content-type') || ''
      if (!type.startsWith('application/x-www-form-urlencoded')) throw new TypeError('Body: a form of this type cannot be read')
      const form = new FormData()
      for (const [name, value] of new URLSearchParams(await this.text())) form.append(name, value)
      return form
    }
    // twin reads all once and gives both a copy.
    static twin(from, to) {
      if (from.bodyUsed) throw new TypeError('Response.clone: Body has already been consumed.')
      const source = from.#source
      if (source === null) return
      const seen = []
      let ended
      const reader = () => {
        let at = 0
        return {
          async next() {
            while (at >= seen.length) {
              if (ended) return null
              const wait = seen.waiting || (seen.waiting = source.next())
              const part = await wait
              if (seen.waiting === wait) {
                seen.waiting = undefined
                if (part === null) ended = true
                else seen.push(part)
              }
            }
            return seen[at++].slice()
          },
          cancel() {},
        }
      }
      from.#source = reader()
      to.#source = reader()
    }
  }

  // ---- Request, Response

  const methods = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT']

  class Request extends Body {
    constructor(input, init = {}) {
      super()
      init = init || {}
      const from = input instanceof Request ? input : undefined
      let url
      try { url = from ? from.url : new URL(`${input}`).href } catch (error) {
        throw new TypeError(`Failed to parse URL from ${input}`, { cause: error })
      }
      if (/^https?:\/\/[^/@]*@/.test(url)) throw new TypeError(`Request cannot be constructed from a URL that includes credentials: ${input}`)
      let method = init.method === undefined ? (from ? from.method : 'GET') : String(init.method)
      if (!token.test(method)) throw new TypeError(`'${method}' is not a valid HTTP method.`)
      if (methods.includes(method.toUpperCase())) method = method.toUpperCase()
      if (['CONNECT', 'TRACE', 'TRACK'].includes(method.toUpperCase())) throw new TypeError(`'${method}' HTTP method is unsupported.`)
      Object.defineProperties(this, {
        url: { value: url, enumerable: true },
        method: { value: method, enumerable: true },
        headers: { value: new Headers(init.headers === undefined ? (from ? from.headers : undefined) : init.headers), enumerable: true },
        redirect: { value: init.redirect || (from ? from.redirect : 'follow'), enumerable: true },
        signal: { value: init.signal === undefined ? (from ? from.signal : new AbortController().signal) : init.signal || new AbortController().signal, enumerable: true },
      })
      for (const [key, value] of Object.entries({ cache: 'default', credentials: 'same-origin', destination: '', duplex: 'half', integrity: '', keepalive: false, mode: 'cors', referrer: 'about:client', referrerPolicy: '' })) this[key] = init[key] === undefined ? value : init[key]
      if (!['follow', 'error', 'manual'].includes(this.redirect)) throw new TypeError(`Request constructor: ${this.redirect} is not an accepted type. Expected one of follow, error, manual.`)
      const body = init.body === undefined ? null : init.body
      if (body !== null && (method === 'GET' || method === 'HEAD')) throw new TypeError('Request with GET/HEAD method cannot have body.')
      if (body !== null) {
        if (body instanceof Stream || (typeof body === 'object' && typeof body[Symbol.asyncIterator] === 'function' && !(body instanceof Blob))) {
          const it = body[Symbol.asyncIterator]()
          Body.fill(this, { next: async () => { const r = await it.next(); return r.done ? null : view(r.value) || Buffer.from(String(r.value)) }, cancel() {} })
        } else {
          const [bytes, type] = extract(body)
          Body.fill(this, onePart(bytes))
          this.whole = bytes
          if (type && !this.headers.has('content-type')) this.headers.set('content-type', type)
        }
        Object.defineProperty(this, 'whole', { enumerable: false })
      } else if (from && Body.source(from)) {
        Body.twin(from, this)
        Object.defineProperty(this, 'whole', { value: from.whole, enumerable: false })
      }
    }
    clone() { return new Request(this) }
  }

  const bodiless = [101, 103, 204, 205, 304]

  class Response extends Body {
    constructor(body = null, init = {}) {
      super()
      init = init || {}
      const status = init.status === undefined ? 200 : Number(init.status)
      if (!(Number.isInteger(status) && status >= 200 && status <= 599)) throw new RangeError('init["status"] must be in the range of 200 to 599, inclusive.')
      if (body !== null && bodiless.includes(status)) throw new TypeError(`Response constructor: Invalid response status code ${status}`)
      settle(this, { status, statusText: init.statusText === undefined ? '' : String(init.statusText), headers: new Headers(init.headers), url: '', redirected: false, type: 'default' })
      if (body !== null) {
        if (body instanceof Stream) {
          const reader = body.getReader()
          Body.fill(this, { next: async () => { const r = await reader.read(); return r.done ? null : r.value }, cancel: (reason) => reader.cancel(reason) })
          return
        }
        const [bytes, type] = extract(body)
        Body.fill(this, onePart(bytes))
        if (type && !this.headers.has('content-type')) this.headers.set('content-type', type)
      }
    }
    get ok() { return this.status >= 200 && this.status <= 299 }
    clone() {
      const copy = new Response()
      settle(copy, this)
      Body.twin(this, copy)
      return copy
    }
    static json(data, init = {}) {
      const text = JSON.stringify(data)
      if (text === undefined) throw new TypeError('Response.json: the value is not JSON serializable')
      const headers = new Headers(init.headers)
      if (!headers.has('content-type')) headers.set('content-type', 'application/json')
      return new Response(text, { ...init, headers })
    }
    static error() {
      const r = new Response()
      return settle(r, { status: 0, statusText: '', headers: new Headers(), url: '', redirected: false, type: 'error' })
    }
    static redirect(url, status = 302) {
      const r = new Response(null, { status: 200, headers: { location: new URL(url).href } })
      return settle(r, { status, statusText: '', headers: r.headers, url: '', redirected: false, type: 'default' })
    }
  }

  function settle(target, from) {
    for (const key of ['status', 'statusText', 'headers', 'url', 'redirected', 'type']) {
      Object.defineProperty(target, key, { value: key === 'headers' ? new Headers(from.headers) : from[key], enumerable: true, configurable: true })
    }
    return target
  }

  for (const [C, name] of [[Headers, 'Headers'], [Request, 'Request'], [Response, 'Response'], [Blob, 'Blob'], [File, 'File'], [FormData, 'FormData'], [Stream, 'ReadableStream']]) {
    Object.defineProperty(C.prototype, Symbol.toStringTag, { value: name, configurable: true })
    Object.defineProperty(C, 'name', { value: name })
  }

  // ---- fetch

  async function wholeOf(request) {
    if (Body.source(request) === null) return null
    return request.whole === undefined ? Buffer.from(await request.arrayBuffer()) : request.whole
  }

  async function fetch(input, init) {
    const request = new Request(input, init)
    const { signal } = request
    if (signal.aborted) throw signal.reason
    const scheme = request.url.slice(0, request.url.indexOf(':'))
    if (scheme === 'data') return dataResponse(request.url)
    if (scheme !== 'http' && scheme !== 'https') throw failed(new Error('unknown scheme'))
    const headers = []
    for (const [name, value] of request.headers) headers.push(name, value)
    for (const [name, value] of [['accept', '*/*'], ['accept-language', '*'], ['sec-fetch-mode', 'cors'], ['user-agent', 'node']]) {
      if (!request.headers.has(name)) headers.push(name, value)
    }
    const body = await wholeOf(request)
    return send(request, headers, body, signal)
  }

  const failed = (cause) => new TypeError('fetch failed', { cause })

  function send(request, headers, body, signal) {
    return new Promise((resolve, reject) => {
      let abort
      let stopped = false
      const stop = () => {
        stopped = true
        if (abort) abort()
        reject(signal.reason)
      }
      try {
        abort = net.fetch(request.method, request.url.replace(/#.*$/, ''), headers, body, request.redirect, (error, head) => {
          if (stopped) {
            if (head) head.close()
            return
          }
          if (error) {
            signal.removeEventListener('abort', stop)
            reject(failed(error))
            return
          }
          resolve(answer(request, head, signal, stop))
        })
      } catch (error) {
        reject(failed(Object.assign(new Error(error.message), { code: 'ERR_ACCESS_DENIED' })))
        return
      }
      signal.addEventListener('abort', stop, { once: true })
    })
  }

  function answer(request, head, signal, stop) {
    const pairs = []
    for (let i = 0; i < head.headers.length; i += 2) pairs.push([head.headers[i], head.headers[i + 1]])
    const response = settle(new Response(), { status: head.status, statusText: head.statusText, headers: new Headers(pairs), url: head.url, redirected: head.redirected, type: 'basic' })
    const done = () => signal.removeEventListener('abort', stop)
    if (request.method === 'HEAD' || bodiless.includes(head.status)) {
      done()
      head.close()
      return response
    }
    Body.fill(response, {
      next: () => new Promise((resolve, reject) => {
        if (signal.aborted) {
          reject(signal.reason)
          return
        }
        head.read((error, part) => {
          if (signal.aborted) reject(signal.reason)
          else if (error) reject(new TypeError('terminated', { cause: error }))
          else resolve(part)
          if (error || part === null) done()
        })
      }),
      cancel() {
        done()
        head.close()
      },
    })
    return response
  }

  function dataResponse(url) {
    const m = /^data:([^,]*?)(;base64)?,(.*)$/s.exec(url.replace(/#.*$/, ''))
    if (!m) throw failed(new Error('invalid data URL'))
    const text = decodeURIComponent(m[3])
    const r = new Response(m[2] ? Buffer.from(text, 'base64') : Buffer.from(text), { headers: { 'content-type': m[1] || 'text/plain;charset=US-ASCII' } })
    return settle(r, { status: 200, statusText: 'OK', headers: r.headers, url, redirected: false, type: 'basic' })
  }

  return { Headers, Request, Response, FormData, Blob, File, ReadableStream: Stream, fetch }
})
