(function (require, native) {
  'use strict'

  const sources = {
    ERR_INVALID_ARG_TYPE: TypeError,
    ERR_INVALID_ARG_VALUE: TypeError,
    ERR_OUT_OF_RANGE: RangeError,
    ERR_UNKNOWN_ENCODING: TypeError,
    ERR_UNKNOWN_SIGNAL: TypeError,
    ERR_INVALID_URL: TypeError,
    ERR_INVALID_URL_SCHEME: TypeError,
    ERR_INVALID_FILE_URL_HOST: TypeError,
    ERR_INVALID_FILE_URL_PATH: TypeError,
    ERR_INVALID_THIS: TypeError,
    ERR_ENCODING_NOT_SUPPORTED: RangeError,
    ERR_ENCODING_INVALID_ENCODED_DATA: TypeError,
    ERR_BUFFER_OUT_OF_BOUNDS: RangeError,
    ERR_INVALID_BUFFER_SIZE: RangeError,
    ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH: RangeError,
    ERR_MISSING_ARGS: TypeError,
  }

  // fault is an Error with a code, as Node throws them.
  function fault(code, message, Base) {
    const error = new (Base || sources[code] || Error)(message)
    error.code = code
    return error
  }

  function received(value) {
    if (value == null) return ` Received ${value}`
    if (typeof value === 'function') return ` Received function ${value.name}`
    if (typeof value === 'object') {
      const name = value.constructor && value.constructor.name
      return name ? ` Received an instance of ${name}` : ' Received [Object: null prototype] {}'
    }
    let shown = typeof value === 'string' ? `'${value}'` : String(value) + (typeof value === 'bigint' ? 'n' : '')
    if (shown.length > 28) shown = shown.slice(0, 25) + '...' + (typeof value === 'string' ? "'" : '')
    return ` Received type ${typeof value} (${shown})`
  }

  // expected is the error for an argument of the wrong type.
  function expected(name, kinds, value) {
    const what = name.endsWith(' argument') ? `The ${name}` : name.includes('.') ? `The "${name}" property` : `The "${name}" argument`
    return fault('ERR_INVALID_ARG_TYPE', `${what} must be ${kinds}.${received(value)}`)
  }

  function range(name, wanted, value) {
    const shown = typeof value === 'number' && Number.isInteger(value) && Math.abs(value) > 2 ** 32
      ? String(value).replace(/(?<=\d)(?=(\d{3})+$)/g, '_') : typeof value === 'string' ? `'${value}'` : String(value)
    return fault('ERR_OUT_OF_RANGE', `The value of "${name}" is out of range. It must be ${wanted}. Received ${shown}`)
  }

  function string(value, name) {
    if (typeof value !== 'string') throw expected(name, 'of type string', value)
    return value
  }

  function func(value, name) {
    if (typeof value !== 'function') throw expected(name, 'of type function', value)
    return value
  }

  // system is an error of the operating system, as libuv words it.
  function system(errno, code, sentence, syscall, path, dest, note) {
    let message = `${code}: ${sentence}, ${syscall}`
    if (path !== undefined) message += ` '${path}'`
    if (dest !== undefined) message += ` -> '${dest}'`
    if (note) message += `: ${note}`
    const error = new Error(message)
    error.errno = errno
    error.code = code
    error.syscall = syscall
    if (path !== undefined) error.path = path
    if (dest !== undefined) error.dest = dest
    return error
  }

  const encodings = {
    utf8: 'utf8', 'utf-8': 'utf8', hex: 'hex', base64: 'base64', base64url: 'base64url', ascii: 'ascii',
    latin1: 'latin1', binary: 'latin1', ucs2: 'utf16le', 'ucs-2': 'utf16le', utf16le: 'utf16le', 'utf-16le': 'utf16le',
  }
  const plainName = (encoding) => encodings[encoding] || encodings[String(encoding).toLowerCase()]

  function encodingOf(encoding) {
    if (encoding === undefined || encoding === null || encoding === '') return 'utf8'
    const name = plainName(encoding)
    if (name === undefined) throw fault('ERR_UNKNOWN_ENCODING', `Unknown encoding: ${encoding}`)
    return name
  }

  // view is the memory of any buffer or view as a Uint8Array.
  function view(value) {
    if (value instanceof Uint8Array) return value
    if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    if (value instanceof ArrayBuffer) return new Uint8Array(value)
    return undefined
  }

  function hidden(target, members) {
    for (const key of Reflect.ownKeys(members)) {
      const d = Object.getOwnPropertyDescriptor(members, key)
      d.enumerable = false
      Object.defineProperty(target, key, d)
    }
    return target
  }

  // lazy defines members that are made when first read.
  function lazy(target, members) {
    for (const [key, make] of Object.entries(members)) {
      Object.defineProperty(target, key, {
        configurable: true,
        enumerable: true,
        get() {
          const value = make()
          Object.defineProperty(target, key, { value, configurable: true, enumerable: true, writable: true })
          return value
        },
        set(value) {
          Object.defineProperty(target, key, { value, configurable: true, enumerable: true, writable: true })
        },
      })
    }
    return target
  }

  const alloc = (buffer) => new Uint8Array(buffer)

  return { fault, received, expected, range, string, func, system, view, hidden, lazy, alloc, encodings, plainName, encodingOf }
})
