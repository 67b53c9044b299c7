(function (require, native) {
  'use strict'
  const { fault, expected, string } = require('internal')
  const u = native('url')
  const host = native('host')

  const pairs = Symbol('pairs')
  const owner = Symbol('owner')

  function pairsOf(init) {
    if (init === undefined || init === null) return []
    if (typeof init === 'object' || typeof init === 'function') {
      const iterate = init[Symbol.iterator]
      if (iterate !== undefined && iterate !== null) {
        if (typeof iterate !== 'function') throw fault('ERR_ARG_NOT_ITERABLE', 'Query pairs must be iterable', TypeError)
        return Array.from(init, (pair) => {
          const list = pair !== null && typeof pair === 'object' && typeof pair[Symbol.iterator] === 'function' ? [...pair] : []
          if (list.length !== 2) throw fault('ERR_INVALID_TUPLE', 'Each query pair must be an iterable [name, value] tuple', TypeError)
          return [String(list[0]), String(list[1])]
        })
      }
      return Reflect.ownKeys(init).filter((key) => Object.prototype.propertyIsEnumerable.call(init, key)).map((key) => [String(key), String(init[key])])
    }
    return parseForm(String(init).replace(/^\?/, ''))
  }

  function parseForm(text) {
    return text.split('&').filter(Boolean).map((part) => {
      const at = part.indexOf('=')
      const [name, value] = at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)]
      return [u.unescape(name.replace(/\+/g, ' ')), u.unescape(value.replace(/\+/g, ' '))]
    })
  }

  const least = (n, given) => {
    if (given < n) throw fault('ERR_MISSING_ARGS', n === 1 ? 'The "name" argument must be specified' : 'The "name" and "value" arguments must be specified')
  }

  class URLSearchParams {
    constructor(init) {
      Object.defineProperty(this, pairs, { value: pairsOf(init), writable: true })
      Object.defineProperty(this, owner, { value: undefined, writable: true })
    }
    get size() { return this[pairs].length }
    append(name, value) {
      least(2, arguments.length)
      this[pairs].push([String(name), String(value)])
      changed(this)
    }
    delete(name, value) {
      least(1, arguments.length)
      name = String(name)
      this[pairs] = this[pairs].filter(([n, v]) => n !== name || (value !== undefined && v !== String(value)))
      changed(this)
    }
    get(name) {
      least(1, arguments.length)
      const pair = this[pairs].find(([n]) => n === String(name))
      return pair ? pair[1] : null
    }
    getAll(name) {
      least(1, arguments.length)
      return this[pairs].filter(([n]) => n === String(name)).map(([, value]) => value)
    }
    has(name, value) {
      least(1, arguments.length)
      return this[pairs].some(([n, v]) => n === String(name) && (value === undefined || v === String(value)))
    }
    set(name, value) {
      least(2, arguments.length)
      name = String(name)
      const at = this[pairs].findIndex(([n]) => n === name)
      if (at < 0) this[pairs].push([name, String(value)])
      else {
        this[pairs][at][1] = String(value)
        this[pairs] = this[pairs].filter(([n], i) => i <= at || n !== name)
      }
      changed(this)
    }
    sort() {
      this[pairs].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      changed(this)
    }
    forEach(callback, thisArg) {
      if (typeof callback !== 'function') throw expected('callback', 'of type function', callback)
      for (let i = 0; i < this[pairs].length; i++) callback.call(thisArg, this[pairs][i][1], this[pairs][i][0], this)
    }
    * entries() { for (let i = 0; i < this[pairs].length; i++) yield [...this[pairs][i]] }
    * keys() { for (let i = 0; i < this[pairs].length; i++) yield this[pairs][i][0] }
    * values() { for (let i = 0; i < this[pairs].length; i++) yield this[pairs][i][1] }
    [Symbol.iterator]() { return this.entries() }
    toString() {
      return this[pairs].map(([name, value]) => `${u.escapeForm(name)}=${u.escapeForm(value)}`).join('&')
    }
  }
  Object.defineProperty(URLSearchParams.prototype, Symbol.toStringTag, { value: 'URLSearchParams', configurable: true })
  Object.defineProperty(URLSearchParams.prototype, Symbol.for('nodejs.util.inspect.custom'), {
    configurable: true,
    value(depth, options, inspect) {
      const list = this[pairs].map(([name, value]) => `${inspect(name)} => ${inspect(value)}`)
      return list.length ? `URLSearchParams { ${list.join(', ')} }` : 'URLSearchParams {}'
    },
  })

  function changed(params) {
    if (params[owner]) params[owner].search = params.toString()
  }

  class URL {
    #parts
    #params

    constructor(input, base) {
      if (arguments.length === 0) throw fault('ERR_MISSING_ARGS', 'The "url" argument must be specified')
      input = `${input}`
      if (base !== undefined) base = `${base}`
      const parts = u.parse(input, base)
      if (parts === null) {
        const error = fault('ERR_INVALID_URL', 'Invalid URL')
        error.input = input
        if (base !== undefined) error.base = base
        throw error
      }
      this.#parts = parts
    }

    static canParse(input, base) {
      return u.parse(`${input}`, base === undefined ? undefined : `${base}`) !== null
    }
    static parse(input, base) {
      return URL.canParse(input, base) ? new URL(input, base) : null
    }
    static createObjectURL() { throw fault('ERR_FEATURE_UNAVAILABLE_ON_PLATFORM', 'URL.createObjectURL is not available to this script') }
    static revokeObjectURL() {}

    #set(part, value) {
      const parts = u.set(this.#parts.href, part, `${value}`)
      if (parts !== null) this.#parts = parts
    }

    get href() { return this.#parts.href }
    set href(value) {
      const parts = u.parse(`${value}`)
      if (parts === null) {
        const error = fault('ERR_INVALID_URL', 'Invalid URL')
        error.input = `${value}`
        throw error
      }
      this.#parts = parts
      this.#refresh()
    }
    get origin() { return this.#parts.origin }
    get protocol() { return this.#parts.protocol }
    set protocol(value) { this.#set('protocol', value) }
    get username() { return this.#parts.username }
    set username(value) { this.#set('username', value) }
    get password() { return this.#parts.password }
    set password(value) { this.#set('password', value) }
    get host() { return this.#parts.host }
    set host(value) { this.#set('host', value) }
    get hostname() { return this.#parts.hostname }
    set hostname(value) { this.#set('hostname', value) }
    get port() { return this.#parts.port }
    set port(value) { this.#set('port', value) }
    get pathname() { return this.#parts.pathname }
    set pathname(value) { this.#set('pathname', value) }
    get search() { return this.#parts.search }
    set search(value) {
      this.#set('search', value)
      this.#refresh()
    }
    get hash() { return this.#parts.hash }
    set hash(value) { this.#set('hash', value) }
    get searchParams() {
      if (this.#params === undefined) {
        this.#params = new URLSearchParams(this.#parts.search)
        // A change of the parameters is one of the address; not the other way.
        this.#params[owner] = { set search(value) { this.url.#set('search', value) }, url: this }
      }
      return this.#params
    }
    #refresh() {
      if (this.#params !== undefined) this.#params[pairs] = pairsOf(this.#parts.search)
    }
    toString() { return this.#parts.href }
    toJSON() { return this.#parts.href }
    [Symbol.for('nodejs.util.inspect.custom')](depth, options, inspect) {
      const shown = {}
      for (const key of ['href', 'origin', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'searchParams', 'hash']) shown[key] = this[key]
      return `URL ${inspect(shown, options)}`
    }
  }
  Object.defineProperty(URL.prototype, Symbol.toStringTag, { value: 'URL', configurable: true })
  for (const name of ['href', 'origin', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'searchParams', 'hash', 'toString', 'toJSON']) {
    const d = Object.getOwnPropertyDescriptor(URL.prototype, name)
    Object.defineProperty(URL.prototype, name, { ...d, enumerable: true })
  }

  const windows = host.platform() === 'win32'

  function fileURLToPath(value) {
    const url = typeof value === 'string' ? new URL(value) : value
    if (url === null || typeof url !== 'object' || typeof url.href !== 'string') throw expected('path', 'of type string or an instance of URL', value)
    if (url.protocol !== 'file:') throw fault('ERR_INVALID_URL_SCHEME', 'The URL must be of scheme file')
    if (/%2f/i.test(url.pathname)) throw fault('ERR_INVALID_FILE_URL_PATH', `File URL path must not include encoded ${windows ? '\\ or / ' : '/ '}characters`)
    const path = decodeURIComponent(url.pathname)
    if (windows) {
      if (url.hostname !== '') return `\\\\${u.toUnicode(url.hostname)}${path.replace(/\//g, '\\')}`
      if (!/^\/[a-z]:/i.test(path)) throw fault('ERR_INVALID_FILE_URL_PATH', 'File URL path must be absolute')
      return path.slice(1).replace(/\//g, '\\')
    }
    if (url.hostname !== '') throw fault('ERR_INVALID_FILE_URL_HOST', `File URL host must be "localhost" or empty on ${host.platform()}`)
    return path
  }

  function pathToFileURL(path) {
    string(path, 'path')
    const p = require('path')
    let full = p.resolve(path)
    if (/[\\/]$/.test(path) && !full.endsWith(p.sep)) full += p.sep
    if (windows) full = (/^[a-z]:/i.test(full) ? '/' : '') + full.replace(/\\/g, '/')
    return new URL('file://' + u.escapePath(full))
  }

  function urlToHttpOptions(url) {
    const options = { protocol: url.protocol, hostname: url.hostname.replace(/^\[|\]$/g, ''), hash: url.hash, search: url.search, pathname: url.pathname, path: `${url.pathname}${url.search}`, href: url.href }
    if (url.port !== '') options.port = Number(url.port)
    if (url.username || url.password) options.auth = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
    return options
  }

  // The old parser, for old code: what it finds it leaves as it stands.
  function Url() {
    for (const key of ['protocol', 'slashes', 'auth', 'host', 'port', 'hostname', 'hash', 'search', 'query', 'pathname', 'path', 'href']) this[key] = null
  }

  function parse(text, query, slashesDenoteHost) {
    if (text instanceof Url) return text
    const out = new Url()
    let rest = string(text, 'url').trim()
    const take = (pattern, use) => {
      const m = pattern.exec(rest)
      if (m) use(m)
    }
    take(/#.*$/s, (m) => { out.hash = m[0]; rest = rest.slice(0, m.index) })
    take(/\?.*$/s, (m) => { out.search = m[0]; out.query = m[0].slice(1); rest = rest.slice(0, m.index) })
    take(/^([a-z][a-z0-9+.-]*:)/i, (m) => { out.protocol = m[1].toLowerCase(); rest = rest.slice(m[0].length) })
    const web = /^(https?|ftp|wss?|file):$/.test(out.protocol || '')
    if (web) rest = rest.replace(/\\/g, '/')
    if ((out.protocol || slashesDenoteHost) && rest.startsWith('//')) {
      out.slashes = true
      rest = rest.slice(2)
      take(/^[^/]*/, (m) => {
        rest = rest.slice(m[0].length)
        const at = m[0].lastIndexOf('@')
        if (at >= 0) out.auth = decodeURIComponent(m[0].slice(0, at))
        let where = m[0].slice(at + 1).toLowerCase()
        const port = /:(\d*)$/.exec(where)
        if (port) { where = where.slice(0, port.index); out.port = port[1] || null }
        out.hostname = where.replace(/^\[|\]$/g, '')
        out.host = where + (out.port ? `:${out.port}` : '')
      })
    }
    out.pathname = rest || (web && out.host ? '/' : null)
    if (out.pathname) out.pathname = out.pathname.replace(/[\s"<>\\^`{|}']/g, (c) => (c === "'" ? '%27' : encodeURIComponent(c)))
    if (query) out.query = Object.fromEntries(new URLSearchParams(out.search || ''))
    if (out.pathname || out.search) out.path = (out.pathname || '') + (out.search || '')
    out.href = format(out)
    return out
  }

  function format(value, options) {
    if (typeof value === 'string') value = parse(value)
    if (value instanceof URL) {
      const copy = new URL(value.href)
      if (options && options.auth === false) copy.username = copy.password = ''
      if (options && options.fragment === false) copy.hash = ''
      if (options && options.search === false) copy.search = ''
      return copy.href
    }
    let protocol = value.protocol || ''
    if (protocol && !protocol.endsWith(':')) protocol += ':'
    const auth = value.auth ? `${encodeURIComponent(value.auth).replace(/%3A/i, ':')}@` : ''
    let where = value.host || (value.hostname ? (value.hostname.includes(':') ? `[${value.hostname}]` : value.hostname) + (value.port ? `:${value.port}` : '') : '')
    where = where || value.host === '' || value.slashes ? `//${auth}${where}` : ''
    let search = value.search || (value.query && typeof value.query === 'object' && Object.keys(value.query).length ? `?${new URLSearchParams(value.query)}` : '')
    if (search && search[0] !== '?') search = `?${search}`
    let hash = value.hash || ''
    if (hash && hash[0] !== '#') hash = `#${hash}`
    let path = value.pathname || ''
    if (where && path && path[0] !== '/') path = `/${path}`
    if (where && !value.slashes && !/^(https?|ftp|wss?|file):$/.test(protocol)) where = where.slice(2)
    return protocol + where + path.replace(/[?#]/g, encodeURIComponent) + search + hash
  }

  function resolve(from, to) {
    if (/^[a-z][a-z0-9+.-]*:/i.test(from)) {
      try { return new URL(to, from).href } catch { return to }
    }
    const url = new URL(to, new URL(from, 'resolve://'))
    return url.protocol === 'resolve:' ? url.pathname + url.search + url.hash : url.href
  }

  return {
    URL, URLSearchParams, Url, fileURLToPath, pathToFileURL, urlToHttpOptions, parse, format, resolve,
    resolveObject: (from, to) => parse(resolve(from, to)),
    domainToASCII: (domain) => u.toASCII(`${domain}`),
    domainToUnicode: (domain) => u.toUnicode(`${domain}`),
  }
})
