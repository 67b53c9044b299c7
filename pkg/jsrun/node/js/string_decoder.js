(function (require, native) {
  'use strict'
  const { expected, view, encodingOf } = require('internal')
  const { Buffer } = require('buffer')
  const bytes = native('bytes')

  // kept counts the bytes at the end that wait for more.
  function kept(data, encoding) {
    switch (encoding) {
      case 'utf8': return bytes.pending(data)
      case 'utf16le': {
        const odd = data.length % 2
        const high = data.length - odd >= 2 ? data[data.length - odd - 1] : 0
        return high >= 0xd8 && high <= 0xdb ? odd + 2 : odd
      }
      case 'base64':
      case 'base64url': return data.length % 3
    }
    return 0
  }

  function StringDecoder(encoding) {
    this.encoding = encodingOf(encoding)
    this.rest = Buffer.alloc(0)
  }

  StringDecoder.prototype.write = function (chunk) {
    if (typeof chunk === 'string') return chunk
    let data = view(chunk)
    if (data === undefined) throw expected('buf', 'an instance of Buffer, TypedArray, or DataView', chunk)
    if (this.rest.length > 0) data = Buffer.concat([this.rest, data])
    const keep = kept(data, this.encoding)
    this.rest = Buffer.from(data.subarray(data.length - keep))
    return bytes.encode(data.subarray(0, data.length - keep), this.encoding)
  }

  StringDecoder.prototype.end = function (chunk) {
    let text = chunk === undefined ? '' : this.write(chunk)
    if (this.rest.length > 0) text += bytes.encode(this.rest, this.encoding)
    this.rest = Buffer.alloc(0)
    return text
  }

  Object.defineProperty(StringDecoder.prototype, 'lastNeed', {
    configurable: true,
    get() {
      if (this.rest.length === 0) return 0
      if (this.encoding === 'utf8') return (this.rest[0] >= 0xf0 ? 4 : this.rest[0] >= 0xe0 ? 3 : 2) - this.rest.length
      return this.encoding === 'utf16le' ? 2 - (this.rest.length % 2) : 3 - this.rest.length
    },
  })

  return { StringDecoder }
})
