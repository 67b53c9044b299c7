(function (require, native) {
  'use strict'
  const { fault, expected, range, view, string, encodingOf } = require('internal')
  const c = native('crypto')
  // Most scripts hash text and never see a Buffer.
  const buffer = () => require('buffer').Buffer
  const wrap = (u8) => require('buffer').wrap(u8)

  const hashes = ['md5', 'sha1', 'sha224', 'sha256', 'sha3-256', 'sha3-512', 'sha384', 'sha512', 'sha512-256']

  function feed(native, data, encoding) {
    if (typeof data === 'string') {
      if (encoding === undefined || encodingOf(encoding) === 'utf8') native.text(data)
      else native.bytes(buffer().from(data, encoding))
      return
    }
    const u8 = view(data)
    if (u8 === undefined) throw expected('data', 'of type string or an instance of Buffer, TypedArray, or DataView', data)
    native.bytes(u8)
  }

  const finish = (native, encoding) => (encoding === undefined || encoding === 'buffer' ? wrap(native.digest()) : native.digest(encodingOf(encoding)))

  class Running {
    #native
    #done = false
    constructor(native) { this.#native = native }
    update(data, encoding) {
      if (this.#done) throw fault('ERR_CRYPTO_HASH_FINALIZED', 'Digest already called')
      feed(this.#native, data, encoding)
      return this
    }
    digest(encoding) {
      if (this.#done) throw fault('ERR_CRYPTO_HASH_FINALIZED', 'Digest already called')
      this.#done = true
      return finish(this.#native, encoding)
    }
    get [Symbol.for('dshkit.hash')]() { return this.#native }
  }
  class Hash extends Running {
    copy() { return new Hash(this[Symbol.for('dshkit.hash')].copy()) }
  }
  class Hmac extends Running {}

  function createHash(algorithm) {
    const native = c.hash(string(algorithm, 'algorithm'))
    if (native === null) throw new Error('Digest method not supported')
    return new Hash(native)
  }

  function createHmac(algorithm, key) {
    string(algorithm, 'hmac')
    const secret = typeof key === 'string' ? buffer().from(key) : view(key && key.bytes ? key.bytes : key)
    if (secret === undefined) throw expected('key', 'of type string or an instance of ArrayBuffer, Buffer, TypedArray, DataView, KeyObject, or CryptoKey', key)
    const native = c.hash(algorithm, secret)
    if (native === null) throw fault('ERR_CRYPTO_INVALID_DIGEST', `Invalid digest: ${algorithm}`, TypeError)
    return new Hmac(native)
  }

  function hash(algorithm, data, encoding = 'hex') {
    return createHash(algorithm).update(data).digest(encoding)
  }

  function fill(target) {
    const u8 = view(target)
    if (u8.length > 0) c.random(u8)
    return target
  }

  function later(callback, make) {
    let error = null
    let value
    try { value = make() } catch (e) { error = e }
    queueMicrotask(() => (error ? callback(error) : callback(null, value)))
  }

  function randomBytes(n, callback) {
    if (typeof n !== 'number') throw expected('size', 'of type number', n)
    if (!(n >= 0 && n <= 2 ** 31 - 1)) throw range('size', '>= 0 && <= 2147483647', n)
    if (callback) return later(callback, () => fill(buffer().alloc(n)))
    return fill(buffer().alloc(n))
  }

  function randomFillSync(target, offset = 0, size) {
    const u8 = view(target)
    if (u8 === undefined) throw expected('buf', 'an instance of ArrayBuffer or ArrayBufferView', target)
    fill(u8.subarray(offset, size === undefined ? undefined : offset + size))
    return target
  }

  function randomInt(min, max, callback) {
    if (max === undefined || typeof max === 'function') [min, max, callback] = [0, min, max]
    if (!Number.isSafeInteger(min)) throw expected('min', 'a safe integer', min)
    if (!Number.isSafeInteger(max)) throw expected('max', 'a safe integer', max)
    if (max <= min) throw range('max', `greater than the value of "min" (${min})`, max)
    const span = max - min
    if (!(span < 2 ** 48)) throw range('max - min', `<= ${2 ** 48 - 1}`, span)
    const make = () => {
      // Numbers past the last whole span would favour the small ones.
      const limit = 2 ** 48 - (2 ** 48 % span)
      for (;;) {
        const n = fill(buffer().alloc(6)).readUIntBE(0, 6)
        if (n < limit) return min + (n % span)
      }
    }
    return callback ? later(callback, make) : make()
  }

  function timingSafeEqual(a, b) {
    const x = view(a)
    const y = view(b)
    for (const [name, given] of [['buf1', x], ['buf2', y]]) {
      if (given === undefined) throw fault('ERR_INVALID_ARG_TYPE', `The "${name}" argument must be an instance of ArrayBuffer, Buffer, TypedArray, or DataView.`)
    }
    if (x.length !== y.length) throw fault('ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH', 'Input buffers must have the same byte length')
    return c.equal(x, y)
  }

  const material = (value) => (typeof value === 'string' ? buffer().from(value) : view(value))

  function pbkdf2Sync(password, salt, iterations, length, digest) {
    const key = c.pbkdf2(material(password), material(salt), iterations, length, digest)
    if (key === null) throw fault('ERR_CRYPTO_INVALID_DIGEST', `Invalid digest: ${digest}`, TypeError)
    return wrap(key)
  }

  const randomUUID = () => c.uuid()

  class Crypto {
    getRandomValues(target) {
      if (!ArrayBuffer.isView(target) || target instanceof Float32Array || target instanceof Float64Array || target instanceof DataView) {
        throw new DOMException('The data argument must be an integer-type TypedArray', 'TypeMismatchError')
      }
      if (target.byteLength > 65536) {
        throw new DOMException(`The requested length exceeds 65,536 bytes`, 'QuotaExceededError')
      }
      return fill(target)
    }
    randomUUID() { return randomUUID() }
    get subtle() { return subtle }
  }
  Object.defineProperty(Crypto.prototype, Symbol.toStringTag, { value: 'Crypto', configurable: true })

  function unsupported(what) {
    return new DOMException(`${what} is not supported`, 'NotSupportedError')
  }

  const nameOf = (algorithm) => String(typeof algorithm === 'string' ? algorithm : algorithm.name)
  const exact = (u8) => u8.buffer.slice(u8.byteOffset, u8.byteOffset + u8.byteLength)

  class CryptoKey {
    constructor(bytes, algorithm, extractable, usages) {
      Object.defineProperty(this, 'bytes', { value: bytes })
      Object.assign(this, { type: 'secret', algorithm, extractable, usages })
    }
  }

  const subtle = {
    async digest(algorithm, data) {
      const name = nameOf(algorithm)
      if (!/^SHA-(1|256|384|512)$/i.test(name)) throw unsupported(name)
      const native = c.hash(name)
      native.bytes(view(data))
      return exact(native.digest())
    },
    async importKey(format, data, algorithm, extractable, usages) {
      if (format !== 'raw' || nameOf(algorithm).toUpperCase() !== 'HMAC') throw unsupported(`${nameOf(algorithm)} from ${format}`)
      const digest = nameOf(algorithm.hash)
      return new CryptoKey(buffer().from(view(data)), { name: 'HMAC', hash: { name: digest }, length: view(data).length * 8 }, extractable, [...usages])
    },
    async sign(algorithm, key, data) {
      if (nameOf(algorithm).toUpperCase() !== 'HMAC') throw unsupported(nameOf(algorithm))
      const native = c.hash(key.algorithm.hash.name, key.bytes)
      native.bytes(view(data))
      return exact(native.digest())
    },
    async verify(algorithm, key, signature, data) {
      const made = new Uint8Array(await subtle.sign(algorithm, key, data))
      const given = view(signature)
      return made.length === given.length && c.equal(made, given)
    },
  }

  const webcrypto = new Crypto()
  const exports = {
    createHash, createHmac, hash, Hash, Hmac,
    randomUUID, randomBytes, pseudoRandomBytes: randomBytes, randomFillSync, randomInt,
    randomFill(target, ...rest) {
      const callback = rest.pop()
      later(callback, () => randomFillSync(target, ...rest))
    },
    timingSafeEqual, pbkdf2Sync,
    pbkdf2(password, salt, iterations, length, digest, callback) { later(callback, () => pbkdf2Sync(password, salt, iterations, length, digest)) },
    getHashes: () => hashes.slice(),
    getRandomValues: (target) => webcrypto.getRandomValues(target),
    webcrypto, subtle, CryptoKey, Crypto,
    constants: {},
  }
  const missing = ['createCipheriv', 'createDecipheriv', 'createSign', 'createVerify', 'createPrivateKey', 'createPublicKey', 'createSecretKey',
    'generateKeyPairSync', 'generateKeyPair', 'scryptSync', 'scrypt', 'hkdfSync', 'createDiffieHellman', 'createECDH', 'sign', 'verify']
  for (const name of missing) {
    exports[name] = () => { throw fault('ERR_FEATURE_UNAVAILABLE_ON_PLATFORM', `crypto.${name} is not available to this script: hashes, HMAC, PBKDF2 and random values are`) }
  }
  return exports
})
