(function (require, native) {
  'use strict'
  const { fault, expected, range, func, view, received, hidden, plainName, encodingOf } = require('internal')
  const f = native('fs')
  // Most scripts read and write text and never see a Buffer.
  const buffer = () => require('buffer').Buffer
  const wrap = (u8) => require('buffer').wrap(u8)

  const constants = {
    O_RDONLY: 0, O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_EXCL: 128, O_NOCTTY: 256, O_TRUNC: 512, O_APPEND: 1024,
    O_NONBLOCK: 2048, O_DSYNC: 4096, O_DIRECT: 16384, O_DIRECTORY: 65536, O_NOFOLLOW: 131072, O_NOATIME: 262144, O_SYNC: 1052672,
    S_IFMT: 61440, S_IFREG: 32768, S_IFDIR: 16384, S_IFCHR: 8192, S_IFBLK: 24576, S_IFIFO: 4096, S_IFLNK: 40960, S_IFSOCK: 49152,
    S_IRWXU: 448, S_IRUSR: 256, S_IWUSR: 128, S_IXUSR: 64, S_IRWXG: 56, S_IRGRP: 32, S_IWGRP: 16, S_IXGRP: 8, S_IRWXO: 7, S_IROTH: 4, S_IWOTH: 2, S_IXOTH: 1,
    F_OK: 0, R_OK: 4, W_OK: 2, X_OK: 1,
    UV_FS_COPYFILE_EXCL: 1, COPYFILE_EXCL: 1, UV_FS_COPYFILE_FICLONE: 2, COPYFILE_FICLONE: 2, UV_FS_COPYFILE_FICLONE_FORCE: 4, COPYFILE_FICLONE_FORCE: 4,
    UV_DIRENT_UNKNOWN: 0, UV_DIRENT_FILE: 1, UV_DIRENT_DIR: 2, UV_DIRENT_LINK: 3, UV_DIRENT_FIFO: 4, UV_DIRENT_SOCKET: 5, UV_DIRENT_CHAR: 6, UV_DIRENT_BLOCK: 7,
  }
  const flagNames = {
    r: 0, rs: 1052672, sr: 1052672, 'r+': 2, 'rs+': 1052674, 'sr+': 1052674,
    w: 577, wx: 705, xw: 705, 'w+': 578, 'wx+': 706, 'xw+': 706,
    a: 1089, ax: 1217, xa: 1217, as: 1053761, sa: 1053761, 'a+': 1090, 'ax+': 1218, 'xa+': 1218, 'as+': 1053762, 'sa+': 1053762,
  }

  function flagsOf(flags, fallback) {
    if (flags === undefined || flags === null) return fallback
    if (typeof flags === 'number') return flags
    if (!Object.prototype.hasOwnProperty.call(flagNames, flags)) throw fault('ERR_INVALID_ARG_VALUE', `The argument 'flags' is invalid. Received ${typeof flags === 'string' ? `'${flags}'` : String(flags)}`)
    return flagNames[flags]
  }

  function modeOf(mode, fallback, name = 'mode') {
    if (mode === undefined || mode === null) return fallback
    if (typeof mode === 'string') {
      if (!/^[0-7]+$/.test(mode)) throw fault('ERR_INVALID_ARG_VALUE', `The argument '${name}' must be a 32-bit unsigned integer or an octal string. Received '${mode}'`)
      return parseInt(mode, 8)
    }
    if (typeof mode !== 'number') throw expected(name, 'of type number', mode)
    if (!Number.isInteger(mode)) throw range(name, 'an integer', mode)
    if (mode < 0 || mode > 4294967295) throw range(name, '>= 0 && <= 4294967295', mode)
    return mode
  }

  function pathOf(path, name = 'path') {
    if (typeof path !== 'string') {
      if (path instanceof Uint8Array) path = buffer().from(path).toString()
      else if (path !== null && typeof path === 'object' && path.href && path.protocol) path = require('url').fileURLToPath(path)
      else throw expected(name, 'of type string or an instance of Buffer or URL', path)
    }
    if (path.includes('\0')) throw fault('ERR_INVALID_ARG_VALUE', `The argument '${name}' must be a string, Uint8Array, or URL without null bytes. Received '${path.replace(/\0/g, '\\x00')}'`)
    return path
  }

  function fdOf(fd) {
    if (typeof fd !== 'number') throw expected('fd', 'of type number', fd)
    if (!Number.isInteger(fd)) throw range('fd', 'an integer', fd)
    if (fd < 0 || fd > 2147483647) throw range('fd', '>= 0 && <= 2147483647', fd)
    return fd
  }

  const fileOf = (file) => {
    if (file instanceof FileHandle) return file.fd
    return typeof file === 'number' ? fdOf(file) : pathOf(file)
  }

  function optionsOf(options, fallback = {}) {
    if (options === undefined || options === null || typeof options === 'function') return fallback
    if (typeof options === 'string') {
      known(options)
      return { ...fallback, encoding: options }
    }
    if (typeof options !== 'object') throw expected('options', 'of type string or an instance of Object', options)
    if (options.encoding !== undefined && options.encoding !== null && options.encoding !== 'buffer') known(options.encoding)
    if (options.signal && options.signal.aborted) throw aborted(options.signal)
    return { ...fallback, ...options }
  }

  function known(encoding) {
    if (encoding !== 'buffer' && !(typeof encoding === 'string' && encoding !== '' && plainName(encoding) !== undefined)) throw fault('ERR_INVALID_ARG_VALUE', `The argument 'encoding' is invalid encoding. Received '${encoding}'`)
  }

  function aborted(signal) {
    const error = fault('ABORT_ERR', 'The operation was aborted')
    error.name = 'AbortError'
    error.cause = signal.reason
    return error
  }

  const inEncoding = (text, encoding) => (encoding === 'buffer' ? buffer().from(text) : encoding && encodingOf(encoding) !== 'utf8' ? buffer().from(text).toString(encoding) : text)

  // dataOf gives what is written: text as it is, anything else as bytes.
  function dataOf(data, encoding) {
    if (typeof data === 'string') return !encoding || encodingOf(encoding) === 'utf8' ? data : buffer().from(data, encoding)
    const u8 = ArrayBuffer.isView(data) ? view(data) : undefined
    if (u8 === undefined) throw expected('data', 'of type string or an instance of Buffer, TypedArray, or DataView', data)
    return u8
  }

  const statNames = ['dev', 'mode', 'nlink', 'uid', 'gid', 'rdev', 'blksize', 'ino', 'size', 'blocks']
  const timeNames = ['atime', 'mtime', 'ctime', 'birthtime']
  const kinds = { isDirectory: 16384, isFile: 32768, isBlockDevice: 24576, isCharacterDevice: 8192, isSymbolicLink: 40960, isFIFO: 4096, isSocket: 49152 }

  class StatsBase {}
  for (const [name, kind] of Object.entries(kinds)) {
    StatsBase.prototype[name] = function () { return (Number(this.mode) & 61440) === kind }
  }
  class Stats extends StatsBase {
    constructor(list) {
      super()
      statNames.forEach((name, i) => { this[name] = list[i] })
      timeNames.forEach((name, i) => { this[`${name}Ms`] = list[10 + i] })
      timeNames.forEach((name, i) => { this[name] = new Date(Math.round(list[10 + i])) })
    }
  }
  class BigIntStats extends StatsBase {
    constructor(list) {
      super()
      statNames.forEach((name, i) => { this[name] = BigInt(list[i]) })
      timeNames.forEach((name, i) => { this[`${name}Ms`] = BigInt(list[10 + i]) / 1000000n })
      timeNames.forEach((name, i) => { this[`${name}Ns`] = BigInt(list[10 + i]) })
      timeNames.forEach((name) => { this[name] = new Date(Number(this[`${name}Ms`])) })
    }
  }
  class Dirent {
    #kind
    constructor(name, path, kind) {
      this.name = name
      this.parentPath = path
      this.path = path
      this.#kind = kind
    }
    static kind(entry) { return entry.#kind }
  }
  for (const [name, kind] of Object.entries(kinds)) Dirent.prototype[name] = function () { return Dirent.kind(this) === kind }

  // Each operation is a function from arguments to [host function, arguments,
  // what to make of the answer]. The three forms of Node are derived from it.
  const operations = {
    open: (path, flags, mode) => ['open', [pathOf(path), flagsOf(flags, 0), modeOf(mode, 0o666)]],
    close: (fd) => ['close', [fdOf(fd)]],
    stat: (path, options) => statCall('stat', [pathOf(path), true, big(options)], options),
    lstat: (path, options) => statCall('stat', [pathOf(path), false, big(options)], options),
    fstat: (fd, options) => statCall('fstat', [fdOf(fd), undefined, big(options)], options),
    readFile: (file, options) => {
      const { encoding, flag } = optionsOf(options)
      const asText = Boolean(encoding) && encoding !== 'buffer' && encodingOf(encoding) === 'utf8'
      return ['readFile', [fileOf(file), asText, flagsOf(flag, 0)], (data) => (asText ? data : encoding && encoding !== 'buffer' ? wrap(data).toString(encoding) : wrap(data))]
    },
    writeFile: (file, data, options) => {
      const { encoding, mode, flag, flush } = optionsOf(options)
      return ['writeFile', [fileOf(file), dataOf(data, encoding), flagsOf(flag, flagNames.w), modeOf(mode, 0o666), Boolean(flush)]]
    },
    appendFile: (file, data, options) => operations.writeFile(file, data, { flag: 'a', ...optionsOf(options) }),
    readdir: (path, options) => {
      const { encoding, withFileTypes, recursive } = optionsOf(options)
      path = pathOf(path)
      return ['readdir', [path, Boolean(recursive)], (list) => list.map(([name, kind, under]) => {
        const folder = under === '' ? path : require('path').join(path, under)
        if (withFileTypes) return new Dirent(inEncoding(name, encoding), folder, kind)
        return inEncoding(under === '' ? name : `${under}/${name}`, encoding)
      })]
    },
    mkdir: (path, options) => {
      const given = typeof options === 'number' || typeof options === 'string' ? { mode: options } : options || {}
      if (given.recursive !== undefined && typeof given.recursive !== 'boolean') throw expected('options.recursive', 'of type boolean', given.recursive)
      return ['mkdir', [pathOf(path), Boolean(given.recursive), modeOf(given.mode, 0o777)]]
    },
    mkdtemp: (prefix, options) => ['mkdtemp', [pathOf(prefix, 'prefix')], (name) => inEncoding(name, optionsOf(options).encoding)],
    rmdir: (path, options) => (options && options.recursive ? ['rm', [pathOf(path), true, false]] : ['rmdir', [pathOf(path)]]),
    unlink: (path) => ['unlink', [pathOf(path)]],
    rm: (path, options) => {
      const { force, recursive } = optionsOf(options)
      for (const [name, value] of [['options.force', force], ['options.recursive', recursive]]) {
        if (value !== undefined && typeof value !== 'boolean') throw expected(name, 'of type boolean', value)
      }
      path = pathOf(path)
      return ['rm', [path, Boolean(recursive), Boolean(force)], (what) => {
        if (what === 'directory') throw folder(path)
      }]
    },
    rename: (from, to) => ['rename', [pathOf(from, 'oldPath'), pathOf(to, 'newPath')]],
    copyFile: (from, to, mode) => ['copyFile', [pathOf(from, 'src'), pathOf(to, 'dest'), modeOf(mode, 0)]],
    cp: (from, to, options) => ['cp', [pathOf(from, 'src'), pathOf(to, 'dest'), Boolean(options && options.recursive), !options || options.force !== false, Boolean(options && options.errorOnExist)]],
    link: (from, to) => ['link', [pathOf(from, 'existingPath'), pathOf(to, 'newPath')]],
    symlink: (target, path) => ['symlink', [pathOf(target, 'target'), pathOf(path)]],
    readlink: (path, options) => ['readlink', [pathOf(path)], (name) => inEncoding(name, optionsOf(options).encoding)],
    realpath: (path, options) => ['realpath', [pathOf(path)], (name) => inEncoding(name, optionsOf(options).encoding)],
    access: (path, mode) => ['access', [pathOf(path), modeOf(mode, 0)]],
    chmod: (path, mode) => ['chmod', [pathOf(path), modeOf(mode)]],
    fchmod: (fd, mode) => ['fchmod', [fdOf(fd), modeOf(mode)]],
    utimes: (path, atime, mtime) => ['utimes', [pathOf(path), seconds(atime), seconds(mtime)]],
    futimes: (fd, atime, mtime) => ['futimes', [fdOf(fd), seconds(atime), seconds(mtime)]],
    truncate: (path, size = 0) => (typeof path === 'number' ? ['ftruncate', [path, size]] : ['truncate', [pathOf(path), Math.max(0, size)]]),
    ftruncate: (fd, size = 0) => ['ftruncate', [fdOf(fd), Math.max(0, size)]],
    fsync: (fd) => ['fsync', [fdOf(fd)]],
    fdatasync: (fd) => ['fsync', [fdOf(fd)]],
    read: (fd, memory, offset, length, position) => {
      if (memory !== null && typeof memory === 'object' && !ArrayBuffer.isView(memory)) ({ buffer: memory, offset, length, position } = memory)
      if (memory === undefined) memory = buffer().alloc(16384)
      if (offset !== null && typeof offset === 'object') ({ offset, length, position } = offset)
      if (!ArrayBuffer.isView(memory)) throw expected('buffer', 'an instance of Buffer, TypedArray, or DataView', memory)
      offset = offset === undefined || offset === null ? 0 : offset
      length = length === undefined || length === null ? memory.byteLength - offset : length
      if (offset < 0 || offset > memory.byteLength) throw range('offset', `>= 0 && <= ${memory.byteLength}`, offset)
      if (length < 0 || length > memory.byteLength - offset) throw range('length', `>= 0 && <= ${memory.byteLength - offset}`, length)
      const into = new Uint8Array(memory.buffer, memory.byteOffset + offset, length)
      return ['read', [fdOf(fd), into, where(position)], undefined, memory]
    },
    write: (fd, data, offset, length, position) => {
      if (typeof data === 'string') return ['write', [fdOf(fd), buffer().from(data, typeof length === 'string' ? length : undefined), where(offset)], undefined, data]
      if (offset !== null && typeof offset === 'object') ({ offset, length, position } = offset)
      const u8 = ArrayBuffer.isView(data) ? view(data) : undefined
      if (u8 === undefined) throw expected('buffer', 'of type string or an instance of Buffer, TypedArray, or DataView', data)
      offset = offset === undefined || offset === null ? 0 : offset
      length = length === undefined || length === null ? u8.length - offset : length
      if (offset < 0 || offset > u8.length) throw range('offset', `>= 0 && <= ${u8.length}`, offset)
      if (length < 0 || length > u8.length - offset) throw range('length', `>= 0 && <= ${u8.length - offset}`, length)
      return ['write', [fdOf(fd), u8.subarray(offset, offset + length), where(position)], undefined, data]
    },
  }

  const where = (position) => (typeof position === 'number' && position >= 0 ? position : typeof position === 'bigint' && position >= 0n ? Number(position) : -1)
  const big = (options) => Boolean(options && options.bigint)
  const statCall = (name, args, options) => [name, args, (list) => (big(options) ? new BigIntStats(list) : new Stats(list))]

  function seconds(time) {
    if (time instanceof Date) return time.getTime() / 1000
    if (typeof time === 'number' || (typeof time === 'string' && String(+time) === time)) return +time
    throw expected('time', 'an instance of Date or a number', time)
  }

  function folder(path) {
    const error = new Error(`Path is a directory: rm returned EISDIR (is a directory) ${path}`)
    error.name = 'SystemError'
    error.code = 'ERR_FS_EISDIR'
    error.info = { code: 'EISDIR', message: 'is a directory', path, syscall: 'rm', errno: 21 }
    error.errno = 21
    error.syscall = 'rm'
    error.path = path
    return error
  }

  // An operation tells its name from the arguments; the rest is the same for all.
  const exports = {}
  const promises = {}
  for (const [name, plan] of Object.entries(operations)) {
    exports[`${name}Sync`] = { [`${name}Sync`](...args) {
      const [call, given, make] = plan(...args)
      const out = f.now(call, ...given)
      return make ? make(out) : out
    } }[`${name}Sync`]
    promises[name] = { async [name](...args) {
      const [call, given, make, memory] = plan(...args)
      const out = await f.later(call, ...given)
      void memory
      return make ? make(out) : out
    } }[name]
    exports[name] = { [name](...args) {
      const callback = args.pop()
      func(typeof callback === 'function' ? callback : undefined, 'cb')
      const [call, given, make, memory] = plan(...args)
      f.later(call, ...given).then((out) => (make ? make(out) : out)).then(
        (out) => queue(callback, null, out, memory),
        (error) => queue(callback, error))
    } }[name]
  }

  // queue calls back outside of the promise, so that what a callback throws is
  // not taken for a rejection.
  function queue(callback, error, out, memory) {
    queueMicrotask(() => {
      if (error) callback(error)
      else if (memory !== undefined) callback(null, out, memory)
      else if (out === undefined) callback(null)
      else callback(null, out)
    })
  }

  const quiet = (options) => options && options.throwIfNoEntry === false
  for (const name of ['stat', 'lstat']) {
    const strict = exports[`${name}Sync`]
    exports[`${name}Sync`] = { [`${name}Sync`](path, options) {
      if (!quiet(options)) return strict(path, options)
      try { return strict(path, options) } catch (error) {
        if (error.code === 'ENOENT') return undefined
        throw error
      }
    } }[`${name}Sync`]
  }
  exports.realpathSync.native = exports.realpathSync
  exports.realpath.native = exports.realpath

  function existsSync(path) {
    try { path = pathOf(path) } catch { return false }
    return f.now('exists', path)
  }
  exports.existsSync = existsSync
  exports.exists = (path, callback) => {
    func(callback, 'cb')
    const there = existsSync(path)
    queueMicrotask(() => callback(there))
  }
  exports.readvSync = (fd, views, position) => views.reduce((n, v) => n + exports.readSync(fd, v, 0, v.byteLength, typeof position === 'number' ? position + n : null), 0)
  exports.writevSync = (fd, views, position) => views.reduce((n, v) => n + exports.writeSync(fd, v, 0, v.byteLength, typeof position === 'number' ? position + n : null), 0)
  exports.opendirSync = (path, options) => new Dir(path, exports.readdirSync(path, { ...options, withFileTypes: true }))
  promises.opendir = async (path, options) => new Dir(path, await promises.readdir(path, { ...options, withFileTypes: true }))

  class Dir {
    #entries
    constructor(path, entries) {
      this.path = path
      this.#entries = entries
    }
    readSync() { return this.#entries.shift() || null }
    async read() { return this.readSync() }
    closeSync() { this.#entries = [] }
    async close() { this.closeSync() }
    [Symbol.asyncIterator || Symbol.for('Symbol.asyncIterator')]() {
      return {
        next: async () => (this.#entries.length ? { value: this.#entries.shift(), done: false } : { value: undefined, done: true }),
        return: async () => ({ value: undefined, done: true }),
        [Symbol.asyncIterator]() { return this },
      }
    }
  }

  class FileHandle {
    constructor(fd) { Object.defineProperty(this, 'fd', { value: fd, writable: true, enumerable: true }) }
    close() {
      if (this.fd < 0) return Promise.resolve()
      const fd = this.fd
      this.fd = -1
      return promises.close(fd)
    }
    async read(...args) {
      const [, given, , memory] = operations.read(this.fd, ...args)
      return { bytesRead: await f.later('read', ...given), buffer: memory }
    }
    async write(...args) {
      const [, given, , memory] = operations.write(this.fd, ...args)
      return { bytesWritten: await f.later('write', ...given), buffer: memory }
    }
    readFile(options) { return promises.readFile(this, options) }
    writeFile(data, options) { return promises.writeFile(this, data, options) }
    appendFile(data, options) { return promises.writeFile(this, data, options) }
    stat(options) { return promises.fstat(this.fd, options) }
    truncate(size) { return promises.ftruncate(this.fd, size) }
    chmod(mode) { return promises.fchmod(this.fd, mode) }
    utimes(atime, mtime) { return promises.futimes(this.fd, atime, mtime) }
    sync() { return promises.fsync(this.fd) }
    datasync() { return promises.fsync(this.fd) }
  }
  if (Symbol.asyncDispose) FileHandle.prototype[Symbol.asyncDispose] = FileHandle.prototype.close

  const byDescriptor = ['close', 'read', 'write', 'fstat', 'fchmod', 'futimes', 'ftruncate', 'fsync', 'fdatasync']
  const published = {}
  for (const name of Object.keys(promises)) if (!byDescriptor.includes(name)) published[name] = promises[name]
  for (const name of ['readFile', 'writeFile', 'appendFile']) {
    const loose = published[name]
    published[name] = { async [name](file, ...args) {
      return loose(file instanceof FileHandle ? file : pathOf(file), ...args)
    } }[name]
  }
  const openFile = promises.open
  published.open = async (...args) => new FileHandle(await openFile(...args))
  published.constants = constants

  for (const name of ['watch', 'watchFile', 'unwatchFile', 'createReadStream', 'createWriteStream']) {
    exports[name] = () => { throw fault('ERR_FEATURE_UNAVAILABLE_ON_PLATFORM', `fs.${name} is not available to this script; use readFile, writeFile or a descriptor`) }
  }
  Object.assign(exports, { constants, promises: published, Stats, BigIntStats, Dirent, Dir, F_OK: 0, R_OK: 4, W_OK: 2, X_OK: 1 })
  hidden(exports, { pathOf, received })
  return exports
})
