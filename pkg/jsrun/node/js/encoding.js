(function (require, native) {
  'use strict'
  const { fault, expected, view } = require('internal')
  const bytes = native('bytes')

  class TextEncoder {
    get encoding() { return 'utf-8' }
    encode(text = '') { return bytes.decode(String(text), 'utf8') }
    encodeInto(text, target) {
      if (!(target instanceof Uint8Array)) throw expected('dest', 'an instance of Uint8Array', target)
      let data = bytes.decode(String(text), 'utf8')
      if (data.length > target.length) {
        data = data.subarray(0, target.length)
        data = data.subarray(0, data.length - bytes.pending(data))
      }
      target.set(data)
      return { read: bytes.encode(data, 'utf8').length, written: data.length }
    }
  }

  const labels = {
    utf8: 'utf-8', 'utf-8': 'utf-8', 'unicode-1-1-utf-8': 'utf-8',
    'utf-16le': 'utf-16le', 'utf-16': 'utf-16le', ucs2: 'utf-16le', 'ucs-2': 'utf-16le', unicode: 'utf-16le',
    latin1: 'windows-1252', 'iso-8859-1': 'windows-1252', 'iso8859-1': 'windows-1252', l1: 'windows-1252', ascii: 'windows-1252', 'us-ascii': 'windows-1252', 'windows-1252': 'windows-1252', cp1252: 'windows-1252',
  }
  // What windows-1252 has in the place of the controls from 0x80 on.
  const western = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

  class TextDecoder {
    #encoding
    #fatal
    #ignoreBOM
    #rest = new Uint8Array(0)
    #started = false

    constructor(label = 'utf-8', options = {}) {
      this.#encoding = labels[String(label).trim().toLowerCase()]
      if (!this.#encoding) throw fault('ERR_ENCODING_NOT_SUPPORTED', `The "${label}" encoding is not supported`)
      this.#fatal = Boolean(options && options.fatal)
      this.#ignoreBOM = Boolean(options && options.ignoreBOM)
    }

    get encoding() { return this.#encoding }
    get fatal() { return this.#fatal }
    get ignoreBOM() { return this.#ignoreBOM }

    decode(input, options) {
      const stream = Boolean(options && options.stream)
      let data = input === undefined ? new Uint8Array(0) : view(input)
      if (data === undefined) throw expected('list', 'an instance of ArrayBuffer or ArrayBufferView', input)
      if (this.#rest.length > 0) {
        const joined = new Uint8Array(this.#rest.length + data.length)
        joined.set(this.#rest)
        joined.set(data, this.#rest.length)
        data = joined
      }
      const keep = stream ? this.#unfinished(data) : 0
      this.#rest = data.slice(data.length - keep)
      if (keep > 0) data = data.subarray(0, data.length - keep)
      let text = this.#text(data, stream)
      if (text !== '' && !this.#started) {
        this.#started = true
        if (!this.#ignoreBOM && this.#encoding !== 'windows-1252' && text[0] === '\ufeff') text = text.slice(1)
      }
      if (!stream) this.#started = false
      return text
    }

    #unfinished(data) {
      if (this.#encoding === 'utf-8') return bytes.pending(data)
      if (this.#encoding !== 'utf-16le') return 0
      const odd = data.length % 2
      const high = data.length - odd >= 2 ? data[data.length - odd - 1] : 0
      return high >= 0xd8 && high <= 0xdb ? odd + 2 : odd
    }

    #text(data, stream) {
      if (this.#encoding === 'windows-1252') {
        return bytes.encode(data, 'latin1').replace(/[\u0080-\u009f]/g, (c) => western[c.charCodeAt(0) - 0x80])
      }
      if (this.#encoding === 'utf-8') {
        if (this.#fatal && !bytes.valid(data)) throw this.#damaged()
        return bytes.encode(data, 'utf8')
      }
      const text = bytes.encode(data, 'utf16le')
      const whole = text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
      const odd = !stream && data.length % 2 === 1
      if (this.#fatal && (odd || whole !== text)) throw this.#damaged()
      return odd ? whole + '\ufffd' : whole
    }

    #damaged() {
      this.#rest = new Uint8Array(0)
      this.#started = false
      return fault('ERR_ENCODING_INVALID_ENCODED_DATA', `The encoded data was not valid for encoding ${this.#encoding}`)
    }
  }

  for (const [C, name] of [[TextEncoder, 'TextEncoder'], [TextDecoder, 'TextDecoder']]) {
    Object.defineProperty(C.prototype, Symbol.toStringTag, { value: name, configurable: true })
  }
  return { TextEncoder, TextDecoder }
})
