(function (require, native) {
  'use strict'
  const { fault, expected, range, view, hidden, encodings: names, plainName, encodingOf } = require('internal')
  const bytes = native('bytes')

  // Less than Node's: a bigger one would end the process that hosts us.
  const maxLength = 2 ** 28

  class FastBuffer extends Uint8Array {}

  function Buffer(value, encodingOrOffset, length) {
    if (typeof value === 'number') {
      if (typeof encodingOrOffset === 'string') throw expected('string', 'of type string', value)
      return Buffer.alloc(value)
    }
    return Buffer.from(value, encodingOrOffset, length)
  }
  Object.setPrototypeOf(Buffer, Uint8Array)
  Buffer.prototype = FastBuffer.prototype
  Object.defineProperty(FastBuffer.prototype, 'constructor', { value: Buffer, writable: true, configurable: true })
  Object.defineProperty(Buffer, Symbol.species, { configurable: true, get: () => FastBuffer })

  const wrap = (u8) => new FastBuffer(u8.buffer, u8.byteOffset, u8.byteLength)
  const decode = (text, encoding) => wrap(bytes.decode(text, encoding))

  function size(n) {
    if (typeof n !== 'number') throw expected('size', 'of type number', n)
    if (!(n >= 0 && n <= maxLength)) throw range('size', `>= 0 && <= ${maxLength}`, n)
    return n
  }

  function fromObject(value) {
    if (ArrayBuffer.isView(value) && !(value instanceof Uint8Array)) return new FastBuffer(value)
    if (value.length !== undefined || value.buffer instanceof ArrayBuffer) {
      if (typeof value.length !== 'number') return new FastBuffer(0)
      return new FastBuffer(value)
    }
    if (value.type === 'Buffer' && Array.isArray(value.data)) return new FastBuffer(value.data)
    return undefined
  }

  hidden(Buffer, {
    poolSize: 8192,
    from(value, encodingOrOffset, length) {
      if (typeof value === 'string') return decode(value, encodingOf(encodingOrOffset))
      if (typeof value === 'object' && value !== null) {
        if (value instanceof ArrayBuffer || (typeof SharedArrayBuffer === 'function' && value instanceof SharedArrayBuffer)) {
          if (encodingOrOffset > value.byteLength) throw fault('ERR_BUFFER_OUT_OF_BOUNDS', '"offset" is outside of buffer bounds')
          return length === undefined ? new FastBuffer(value, encodingOrOffset) : new FastBuffer(value, encodingOrOffset, length)
        }
        const primitive = value.valueOf && value.valueOf()
        if (primitive != null && primitive !== value && (typeof primitive === 'string' || typeof primitive === 'object')) {
          return Buffer.from(primitive, encodingOrOffset, length)
        }
        const made = fromObject(value)
        if (made) return made
        if (typeof value[Symbol.toPrimitive] === 'function') {
          const text = value[Symbol.toPrimitive]('string')
          if (typeof text === 'string') return decode(text, encodingOf(encodingOrOffset))
        }
      }
      throw fault('ERR_INVALID_ARG_TYPE', 'The first argument must be of type string or an instance of Buffer, ArrayBuffer, or Array or an Array-like Object.' +
        require('internal').received(value))
    },
    of: (...items) => new FastBuffer(items),
    alloc(n, fill, encoding) {
      const b = new FastBuffer(size(n))
      return fill === undefined || fill === 0 || n === 0 ? b : b.fill(fill, encoding)
    },
    allocUnsafe: (n) => new FastBuffer(size(n)),
    allocUnsafeSlow: (n) => new FastBuffer(size(n)),
    isBuffer: (value) => value instanceof Buffer,
    isEncoding: (encoding) => typeof encoding === 'string' && encoding !== '' && plainName(encoding) !== undefined,
    byteLength(value, encoding) {
      if (typeof value !== 'string') {
        if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return value.byteLength
        throw expected('string', 'of type string or an instance of Buffer or ArrayBuffer', value)
      }
      const name = plainName(encoding) || 'utf8'
      switch (name) {
        case 'utf8': return bytes.size(value)
        case 'hex': return value.length >>> 1
        case 'utf16le': return value.length * 2
        case 'base64':
        case 'base64url': {
          const bare = value.endsWith('==') ? value.length - 2 : value.endsWith('=') ? value.length - 1 : value.length
          return (bare * 3) >>> 2
        }
      }
      return value.length
    },
    compare(a, b) {
      if (!(a instanceof Uint8Array)) throw expected('buf1', 'an instance of Buffer or Uint8Array', a)
      if (!(b instanceof Uint8Array)) throw expected('buf2', 'an instance of Buffer or Uint8Array', b)
      return bytes.compare(a, b)
    },
    concat(list, total) {
      if (!Array.isArray(list)) throw expected('list', 'an instance of Array', list)
      list.forEach((part, i) => {
        if (!(part instanceof Uint8Array)) throw expected(`list[${i}]`, 'an instance of Buffer or Uint8Array', part)
      })
      if (total === undefined) total = list.reduce((n, part) => n + part.length, 0)
      const out = Buffer.alloc(total)
      let at = 0
      for (const part of list) {
        if (at >= total) break
        const fits = at + part.length > total ? part.subarray(0, total - at) : part
        out.set(fits, at)
        at += fits.length
      }
      return out
    },
    copyBytesFrom(source, offset = 0, length) {
      const part = source.subarray(offset, length === undefined ? undefined : offset + length)
      return Buffer.from(view(part))
    },
  })

  // place brings a start or an end into the buffer.
  function place(value, fallback, length) {
    if (value === undefined) return fallback
    value = Math.trunc(+value) || 0
    if (value < 0) return 0
    return value > length ? length : value
  }

  function find(buffer, value, offset, encoding, backwards) {
    if (typeof offset === 'string') {
      encoding = offset
      offset = undefined
    }
    let needle
    if (typeof value === 'number') needle = new Uint8Array([value & 255])
    else if (typeof value === 'string') needle = bytes.decode(value, encodingOf(encoding))
    else if (value instanceof Uint8Array) needle = value
    else throw expected('value', 'one of type number or string or an instance of Buffer or Uint8Array', value)
    offset = +offset
    if (Number.isNaN(offset)) offset = backwards ? buffer.length : 0
    offset = Math.trunc(offset)
    if (offset < 0) offset += buffer.length
    if (offset < 0) {
      if (backwards) return -1
      offset = 0
    }
    if (needle.length === 0) return backwards ? Math.min(offset, buffer.length) : Math.min(offset, buffer.length)
    return bytes.index(buffer, needle, Math.min(offset, buffer.length), backwards)
  }

  const dataView = (b) => new DataView(b.buffer, b.byteOffset, b.byteLength)

  function bounds(buffer, offset, length) {
    if (typeof offset !== 'number') throw expected('offset', 'of type number', offset)
    if (!Number.isInteger(offset)) throw range('offset', 'an integer', offset)
    if (buffer.length < length) throw fault('ERR_BUFFER_OUT_OF_BOUNDS', 'Attempt to access memory outside buffer bounds')
    if (offset < 0 || offset + length > buffer.length) throw range('offset', `>= 0 and <= ${buffer.length - length}`, offset)
  }

  const own = {
    toString(encoding, start, end) {
      if (arguments.length === 0) return bytes.encode(this, 'utf8')
      start = place(start, 0, this.length)
      end = place(end, this.length, this.length)
      encoding = encodingOf(encoding)
      if (end <= start) return ''
      return bytes.encode(start === 0 && end === this.length ? this : this.subarray(start, end), encoding)
    },
    toLocaleString(...args) { return this.toString(...args) },
    toJSON() { return { type: 'Buffer', data: Array.from(this) } },
    equals(other) {
      if (!(other instanceof Uint8Array)) throw expected('otherBuffer', 'an instance of Buffer or Uint8Array', other)
      return this === other || (this.byteLength === other.byteLength && bytes.compare(this, other) === 0)
    },
    compare(target, targetStart = 0, targetEnd = target.length, start = 0, end = this.length) {
      if (!(target instanceof Uint8Array)) throw expected('target', 'an instance of Buffer or Uint8Array', target)
      return bytes.compare(this.subarray(start, end), target.subarray(targetStart, targetEnd))
    },
    copy(target, targetStart, start, end) {
      if (!(target instanceof Uint8Array)) throw expected('target', 'an instance of Buffer or Uint8Array', target)
      targetStart = place(targetStart, 0, target.length)
      start = place(start, 0, this.length)
      end = place(end, this.length, this.length)
      const n = Math.max(0, Math.min(end - start, target.length - targetStart))
      if (n > 0) target.set(this.subarray(start, start + n), targetStart)
      return n
    },
    slice(start, end) { return this.subarray(start, end) },
    fill(value, offset, end, encoding) {
      if (typeof value === 'string') {
        if (typeof offset === 'string') { encoding = offset; offset = undefined } else if (typeof end === 'string') { encoding = end; end = undefined }
      }
      offset = offset === undefined ? 0 : offset
      end = end === undefined ? this.length : end
      if (offset < 0 || offset > this.length) throw range('offset', `>= 0 && <= ${this.length}`, offset)
      if (end < 0 || end > this.length) throw range('end', `>= 0 && <= ${this.length}`, end)
      if (offset >= end) return this
      let pattern
      if (typeof value === 'string') pattern = value === '' ? new Uint8Array(1) : bytes.decode(value, encodingOf(encoding))
      else if (value instanceof Uint8Array) pattern = value
      else pattern = undefined
      if (pattern === undefined) {
        Uint8Array.prototype.fill.call(this, value & 255, offset, end)
        return this
      }
      if (pattern.length === 0) throw fault('ERR_INVALID_ARG_VALUE', `The argument 'value' is invalid. Received ${typeof value === 'string' ? `'${value}'` : value}`)
      for (let i = offset, k = 0; i < end; i++, k = k + 1 === pattern.length ? 0 : k + 1) this[i] = pattern[k]
      return this
    },
    write(text, offset, length, encoding) {
      if (typeof text !== 'string') throw fault('ERR_INVALID_ARG_TYPE', 'argument must be a string')
      if (typeof offset === 'string') { encoding = offset; offset = undefined; length = undefined } else if (typeof length === 'string') { encoding = length; length = undefined }
      offset = offset === undefined ? 0 : offset
      if (offset < 0 || offset > this.length) throw range('offset', `>= 0 && <= ${this.length}`, offset)
      const room = Math.min(length === undefined ? Infinity : length, this.length - offset)
      encoding = encodingOf(encoding)
      let data = bytes.decode(text, encoding)
      if (data.length > room) {
        data = data.subarray(0, room)
        if (encoding === 'utf8') data = data.subarray(0, room - bytes.pending(data))
        if (encoding === 'utf16le') data = data.subarray(0, room & ~1)
      }
      this.set(data, offset)
      return data.length
    },
    indexOf(value, offset, encoding) { return find(this, value, offset, encoding, false) },
    lastIndexOf(value, offset, encoding) { return find(this, value, offset, encoding, true) },
    includes(value, offset, encoding) { return find(this, value, offset, encoding, false) !== -1 },
    readUIntBE(offset, n) { return unsigned(this, offset, n, false) },
    readUIntLE(offset, n) { return unsigned(this, offset, n, true) },
    readIntBE(offset, n) { return signed(unsigned(this, offset, n, false), n) },
    readIntLE(offset, n) { return signed(unsigned(this, offset, n, true), n) },
    writeUIntBE(value, offset, n) { return store(this, value, offset, n, false, 0, 2 ** (8 * n) - 1) },
    writeUIntLE(value, offset, n) { return store(this, value, offset, n, true, 0, 2 ** (8 * n) - 1) },
    writeIntBE(value, offset, n) { return store(this, value, offset, n, false, -(2 ** (8 * n - 1)), 2 ** (8 * n - 1) - 1) },
    writeIntLE(value, offset, n) { return store(this, value, offset, n, true, -(2 ** (8 * n - 1)), 2 ** (8 * n - 1) - 1) },
    swap16() { return swap(this, 2) },
    swap32() { return swap(this, 4) },
    swap64() { return swap(this, 8) },
  }

  function unsigned(b, offset, n, little) {
    bounds(b, offset, n)
    let value = 0
    for (let i = 0; i < n; i++) value = value * 256 + b[little ? offset + n - 1 - i : offset + i]
    return value
  }

  function signed(value, n) {
    return value >= 2 ** (8 * n - 1) ? value - 2 ** (8 * n) : value
  }

  function store(b, value, offset, n, little, min, max) {
    value = +value
    if (value > max || value < min) throw range('value', n > 4 ? `>= ${min < 0 ? `-(2 ** ${8 * n - 1})` : 0} and < 2 ** ${min < 0 ? 8 * n - 1 : 8 * n}` : `>= ${min} and <= ${max}`, value)
    bounds(b, offset, n)
    if (value < 0) value += 2 ** (8 * n)
    for (let i = 0; i < n; i++) {
      b[little ? offset + i : offset + n - 1 - i] = value % 256
      value = Math.floor(value / 256)
    }
    return offset + n
  }

  function swap(b, n) {
    if (b.length % n !== 0) throw fault('ERR_INVALID_BUFFER_SIZE', `Buffer size must be a multiple of ${n * 8}-bits`)
    for (let i = 0; i < b.length; i += n) b.subarray(i, i + n).reverse()
    return b
  }

  // The readers and writers of fixed width, over a DataView.
  const limits = { Int8: [-128, 127], Uint8: [0, 255], Int16: [-32768, 32767], Uint16: [0, 65535], Int32: [-2147483648, 2147483647], Uint32: [0, 4294967295] }
  function fixed(kind, width, order, alias) {
    const little = order === 'LE'
    const end = width === 1 ? '' : order
    const get = `get${kind}`
    const set = `set${kind}`
    const read = function (offset = 0) {
      bounds(this, offset, width)
      return dataView(this)[get](offset, little)
    }
    const write = function (value, offset = 0) {
      const limit = limits[kind]
      if (limit) {
        value = +value
        if (value < limit[0] || value > limit[1]) throw range('value', `>= ${limit[0]} and <= ${limit[1]}`, value)
      }
      bounds(this, offset, width)
      dataView(this)[set](offset, value, little)
      return offset + width
    }
    for (const name of [alias, alias.replace('UInt', 'Uint')]) {
      own[`read${name}${end}`] = read
      own[`write${name}${end}`] = write
    }
  }
  fixed('Int8', 1, '', 'Int8')
  fixed('Uint8', 1, '', 'UInt8')
  for (const order of ['LE', 'BE']) {
    fixed('Int16', 2, order, 'Int16')
    fixed('Uint16', 2, order, 'UInt16')
    fixed('Int32', 4, order, 'Int32')
    fixed('Uint32', 4, order, 'UInt32')
    fixed('Float32', 4, order, 'Float')
    fixed('Float64', 8, order, 'Double')
    fixed('BigInt64', 8, order, 'BigInt64')
    fixed('BigUint64', 8, order, 'BigUInt64')
  }
  for (const name of ['readUIntBE', 'readUIntLE', 'writeUIntBE', 'writeUIntLE']) own[name.replace('UInt', 'Uint')] = own[name]
  hidden(Buffer.prototype, own)
  for (const encoding of ['utf8', 'hex', 'base64', 'base64url', 'latin1', 'ascii', 'ucs2']) {
    const name = names[encoding]
    hidden(Buffer.prototype, {
      [`${encoding}Slice`](start, end) { return bytes.encode(this.subarray(start, end), name) },
      [`${encoding}Write`](text, offset, length) { return this.write(text, offset, length, name) },
    })
  }
  Object.defineProperty(Buffer.prototype, 'parent', { configurable: true, get() { return this.buffer } })
  Object.defineProperty(Buffer.prototype, 'offset', { configurable: true, get() { return this.byteOffset } })
  hidden(Buffer.prototype, {
    [Symbol.for('nodejs.util.inspect.custom')]() {
      const shown = Array.from(this.subarray(0, 50), (n) => n.toString(16).padStart(2, '0')).join(' ')
      const rest = this.length > 50 ? ` ... ${this.length - 50} more byte${this.length > 51 ? 's' : ''}` : ''
      return `<Buffer${shown && ' '}${shown}${rest}>`
    },
  })

  function invalid(message) {
    return new DOMException(message, 'InvalidCharacterError')
  }

  function btoa(text) {
    text = String(text)
    if (/[^\u0000-\u00ff]/.test(text)) throw invalid('Invalid character')
    return bytes.encode(bytes.decode(text, 'latin1'), 'base64')
  }

  function atob(text) {
    text = String(text).replace(/[\t\n\f\r ]/g, '')
    if (text.length % 4 === 0) text = text.replace(/==?$/, '')
    if (text.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(text)) throw invalid('The string to be decoded is not correctly encoded.')
    return bytes.encode(bytes.decode(text, 'base64'), 'latin1')
  }

  const exports = {
    Buffer,
    SlowBuffer: (n) => Buffer.allocUnsafeSlow(n),
    kMaxLength: maxLength,
    kStringMaxLength: 2 ** 29 - 24,
    INSPECT_MAX_BYTES: 50,
    constants: { MAX_LENGTH: maxLength, MAX_STRING_LENGTH: 2 ** 29 - 24 },
    btoa,
    atob,
    isUtf8: (value) => bytes.valid(view(value)),
    isAscii: (value) => view(value).every((n) => n < 128),
    transcode(source, from, to) { return Buffer.from(Buffer.from(view(source)).toString(from), to) },
  }
  hidden(exports, { wrap })
  require('internal').lazy(exports, { Blob: () => require('web').Blob, File: () => require('web').File })
  return exports
})
