(function (require, native) {
  'use strict'
  const { fault, expected, func, lazy } = require('internal')
  const custom = Symbol.for('nodejs.util.inspect.custom')
  const promisified = Symbol.for('nodejs.util.promisify.custom')
  const tagOf = (v) => Object.prototype.toString.call(v).slice(8, -1)

  // ---- inspect

  const defaults = { showHidden: false, depth: 2, colors: false, customInspect: true, showProxy: false, maxArrayLength: 100, maxStringLength: 10000, breakLength: 80, compact: 3, sorted: false, getters: false, numericSeparator: false }

  function quote(text) {
    let mark = "'"
    if (text.includes("'")) {
      if (!text.includes('"')) mark = '"'
      else if (!text.includes('`') && !text.includes('${')) mark = '`'
    }
    const named = { '\b': '\\b', '\t': '\\t', '\n': '\\n', '\f': '\\f', '\r': '\\r', '\\': '\\\\', '\v': '\\x0B' }
    const escaped = text.replace(/[\x00-\x1f\x7f-\x9f\\]/g, (c) => named[c] || `\\x${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
      .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).toUpperCase()}`)
    return mark + (mark === "'" ? escaped.replace(/'/g, "\\'") : escaped) + mark
  }

  function primitive(value, ctx) {
    switch (typeof value) {
      case 'string': {
        if (value.length > ctx.maxStringLength) {
          const more = value.length - ctx.maxStringLength
          return `${quote(value.slice(0, ctx.maxStringLength))}... ${more} more character${more > 1 ? 's' : ''}`
        }
        return quote(value)
      }
      case 'number': return Object.is(value, -0) ? '-0' : `${value}`
      case 'bigint': return `${value}n`
      case 'symbol': return value.toString()
    }
    return `${value}`
  }

  function className(value) {
    for (let o = value; o !== null; o = Object.getPrototypeOf(o)) {
      const d = Object.getOwnPropertyDescriptor(o, 'constructor')
      if (d !== undefined && typeof d.value === 'function' && d.value.name !== '' && (o === value ? false : value instanceof d.value || o === Object.getPrototypeOf(value))) return d.value.name
    }
    return null
  }

  const keyOf = (key) => {
    if (typeof key === 'symbol') return `[${key.toString()}]`
    return /^[a-zA-Z_][a-zA-Z_0-9]*$/.test(key) ? key : quote(key)
  }

  function keysOf(value, ctx) {
    const symbols = Object.getOwnPropertySymbols(value)
    if (ctx.showHidden) return [...Object.getOwnPropertyNames(value), ...symbols]
    return [...Object.keys(value), ...symbols.filter((s) => Object.prototype.propertyIsEnumerable.call(value, s))]
  }

  function property(ctx, value, key, depth, plainly) {
    const d = Object.getOwnPropertyDescriptor(value, key) || { value: value[key], enumerable: true }
    let shown
    if ('value' in d && (d.get === undefined)) {
      ctx.indent += 2
      shown = show(ctx, d.value, depth + 1)
      ctx.indent -= 2
    } else if (d.get !== undefined) shown = d.set !== undefined ? '[Getter/Setter]' : '[Getter]'
    else shown = d.set !== undefined ? '[Setter]' : 'undefined'
    if (plainly) return shown
    const name = d.enumerable ? keyOf(key) : `[${typeof key === 'symbol' ? key.toString() : key}]`
    return `${name}: ${shown}`
  }

  function errorText(value, ctx, keys) {
    let text = typeof value.stack === 'string' && value.stack !== '' ? value.stack : Error.prototype.toString.call(value)
    const first = `${value.name === undefined ? 'Error' : value.name}${value.message ? `: ${value.message}` : ''}`
    // The engine's stack may lack the first line, or tell an older message.
    if (!text.startsWith(first) && !/^\w*Error/.test(text)) text = `${first}\n${text}`
    for (const name of ['name', 'message', 'stack']) {
      const i = keys.indexOf(name)
      if (i >= 0) keys.splice(i, 1)
    }
    if ('cause' in value && !keys.includes('cause') && Object.prototype.hasOwnProperty.call(value, 'cause')) keys.push('cause')
    if (Array.isArray(value.errors) && !keys.includes('errors') && Object.prototype.hasOwnProperty.call(value, 'errors')) keys.push('errors')
    text = text.replace(/\s+$/, '')
    if (!text.includes('\n    at ') && !text.includes('\n\tat ')) text = `[${text}]`
    return text.replace(/\n\t/g, '\n    ').replace(/\n/g, `\n${' '.repeat(ctx.indent)}`)
  }

  function head(value, constructor, tag, fallback, size = '') {
    if (constructor === null) return tag && tag !== fallback ? `[${fallback}${size}: null prototype] [${tag}] ` : `[${fallback}${size}: null prototype] `
    return tag && tag !== constructor ? `${constructor}${size} [${tag}] ` : `${constructor}${size} `
  }

  function functionText(value, constructor, tag) {
    const text = Function.prototype.toString.call(value)
    if (text.startsWith('class') && text.endsWith('}')) {
      const above = Object.getPrototypeOf(value)
      return `[class ${value.name || '(anonymous)'}${above && above.name ? ` extends ${above.name}` : ''}]`
    }
    const kind = /^async\s*(function\s*)?\*/.test(text) ? 'AsyncGeneratorFunction' : /^async\b/.test(text) ? 'AsyncFunction' : /^(function\s*)?\*/.test(text) ? 'GeneratorFunction' : 'Function'
    let out = `[${kind}`
    if (constructor === null) out += ' (null prototype)'
    out += value.name === '' ? ' (anonymous)]' : `: ${value.name}]`
    return tag && tag !== constructor && tag !== kind ? `${out} [${tag}]` : out
  }

  function show(ctx, value, depth, typed) {
    if (value === null) return 'null'
    if (typeof value !== 'object' && typeof value !== 'function') return primitive(value, ctx)
    if (ctx.customInspect) {
      const own = value[custom]
      if (typeof own === 'function' && own !== inspect && !(value.constructor && value.constructor.prototype === value)) {
        const left = ctx.depth === null ? null : ctx.depth - depth
        const out = own.call(value, left, { ...ctx.options, ...ctx.plain, depth: left }, inspect)
        if (out !== value) return typeof out === 'object' && out !== null ? show(ctx, out, depth) : String(typeof out === 'string' ? out.replace(/\n/g, `\n${' '.repeat(ctx.indent)}`) : primitive(out, ctx))
      }
    }
    if (ctx.seen.includes(value)) {
      if (!ctx.circular.has(value)) ctx.circular.set(value, ctx.circular.size + 1)
      return `[Circular *${ctx.circular.get(value)}]`
    }
    return whole(ctx, value, depth)
  }

  function whole(ctx, value, depth) {
    const keys = keysOf(value, ctx)
    const constructor = className(value)
    let tag = ''
    try { tag = value[Symbol.toStringTag] } catch { tag = '' }
    if (typeof tag !== 'string' || tag === '') tag = ''
    let braces = ['{', '}']
    let base = ''
    let list = []
    let isArray = false
    let entries = () => []
    if (Array.isArray(value)) {
      isArray = true
      const prefix = constructor !== 'Array' || tag !== '' ? head(value, constructor, tag, 'Array', `(${value.length})`) : ''
      braces = [`${prefix}[`, ']']
      list = keys.filter((k) => typeof k === 'symbol' || !/^(0|[1-9]\d*)$/.test(k))
      if (value.length === 0 && list.length === 0) return `${braces[0]}]`
      entries = () => items(ctx, value, depth)
    } else if (value instanceof Set) {
      const prefix = head(value, constructor, tag === 'Set' ? '' : tag, 'Set', `(${value.size})`)
      list = keys
      if (value.size === 0 && keys.length === 0) return `${prefix}{}`
      braces[0] = `${prefix}{`
      entries = () => inside(ctx, () => [...value].map((v) => show(ctx, v, depth + 1)))
    } else if (value instanceof Map) {
      const prefix = head(value, constructor, tag === 'Map' ? '' : tag, 'Map', `(${value.size})`)
      list = keys
      if (value.size === 0 && keys.length === 0) return `${prefix}{}`
      braces[0] = `${prefix}{`
      entries = () => inside(ctx, () => [...value].map(([k, v]) => `${show(ctx, k, depth + 1)} => ${show(ctx, v, depth + 1)}`))
    } else if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
      isArray = true
      const prefix = head(value, constructor, tag === constructor ? '' : tag, tag, `(${value.length})`)
      braces = [`${prefix}[`, ']']
      list = keys.filter((k) => typeof k === 'symbol' || !/^(0|[1-9]\d*)$/.test(k))
      if (value.length === 0 && list.length === 0) return `${braces[0]}]`
      entries = () => items(ctx, value, depth)
    } else if (typeof value === 'function') {
      base = functionText(value, constructor, tag)
      list = keys
      if (keys.length === 0) return base
    } else if (tagOf(value) === 'Arguments') {
      isArray = true
      braces = ['[Arguments] [', ']']
      list = []
      if (value.length === 0) return '[Arguments] []'
      entries = () => items(ctx, value, depth)
    } else if (value instanceof RegExp) {
      base = RegExp.prototype.toString.call(value)
      list = keys
      if (keys.length === 0) return base
    } else if (value instanceof Date) {
      base = Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()
      list = keys
      if (keys.length === 0) return base
    } else if (value instanceof Error) {
      base = errorText(value, ctx, keys)
      list = keys
      if (keys.length === 0) return base
    } else if (value instanceof ArrayBuffer) {
      const bytes = new Uint8Array(value)
      braces[0] = `${head(value, constructor, '', 'ArrayBuffer')}{`
      list = keys
      entries = () => [`[Uint8Contents]: <${Array.from(bytes.subarray(0, 50), (n) => n.toString(16).padStart(2, '0')).join(' ')}${bytes.length > 50 ? ` ... ${bytes.length - 50} more byte${bytes.length > 51 ? 's' : ''}` : ''}>`, `byteLength: ${value.byteLength}`]
    } else if (value instanceof Promise) {
      braces[0] = `${head(value, constructor, tag === 'Promise' ? '' : tag, 'Promise')}{`
      list = keys
      entries = () => ['<pending>']
    } else if (value instanceof WeakMap || value instanceof WeakSet) {
      braces[0] = `${head(value, constructor, '', tag)}{`
      list = keys
      entries = () => ['<items unknown>']
    } else if (types.isBoxedPrimitive(value)) {
      const inner = value.valueOf()
      const kind = tagOf(value)
      base = `[${kind}${constructor !== kind && constructor ? ` (${constructor})` : ''}: ${primitive(inner, ctx)}]`
      list = typeof inner === 'string' ? keys.filter((k) => typeof k === 'symbol' || !/^\d+$/.test(k)) : keys
      if (list.length === 0) return base
    } else {
      list = keys
      const plain = constructor === 'Object' && tag === ''
      const prefix = plain ? '' : head(value, constructor, tag, 'Object')
      if (keys.length === 0) return plain ? '{}' : `${prefix}{}`
      braces[0] = `${prefix}{`
    }
    if (ctx.depth !== null && depth > ctx.depth) {
      return isArray ? '[Array]' : `[${(constructor === null ? '[Object: null prototype]' : tag && tag !== constructor ? `${constructor} [${tag}]` : constructor)}]`
    }
    ctx.seen.push(value)
    ctx.current = depth
    const output = entries()
    for (const key of ctx.sorted ? list.slice().sort(ctx.sorted === true ? undefined : ctx.sorted) : list) output.push(property(ctx, value, key, depth))
    ctx.seen.pop()
    const ref = ctx.circular.get(value)
    if (ref !== undefined) {
      if (base === '') braces[0] = `<ref *${ref}> ${braces[0]}`
      else base = `<ref *${ref}> ${base}`
    }
    return joined(ctx, output, base, braces, isArray, depth, value)
  }

  function inside(ctx, make) {
    ctx.indent += 2
    const out = make()
    ctx.indent -= 2
    return out
  }

  function items(ctx, value, depth) {
    const out = []
    const most = Math.min(Math.max(0, ctx.maxArrayLength), value.length)
    for (let i = 0; i < value.length && out.length < most; i++) {
      if (!(i in value)) {
        let n = 1
        while (i + n < value.length && !((i + n) in value)) n++
        out.push(`<${n} empty item${n > 1 ? 's' : ''}>`)
        i += n - 1
        continue
      }
      out.push(property(ctx, value, String(i), depth, true))
    }
    const more = value.length - most
    if (more > 0 && out.length >= most) out.push(`... ${more} more item${more > 1 ? 's' : ''}`)
    return out
  }

  function joined(ctx, output, base, braces, isArray, depth) {
    const count = output.length
    if (isArray && count > 6) output = rows(ctx, output)
    if (ctx.current - depth < ctx.compact && count === output.length) {
      const start = output.length + ctx.indent + braces[0].length + base.length + 10
      const total = output.reduce((n, s) => n + s.length, output.length + start)
      if (total + output.length <= ctx.breakLength && !base.includes('\n')) {
        const line = output.join(', ')
        if (!line.includes('\n')) return `${base ? `${base} ` : ''}${braces[0]} ${line} ${braces[1]}`
      }
    }
    const indent = `\n${' '.repeat(ctx.indent)}`
    return `${base ? `${base} ` : ''}${braces[0]}${indent}  ${output.join(`,${indent}  `)}${indent}${braces[1]}`
  }

  // rows puts short items of a long array in columns.
  function rows(ctx, output) {
    const more = output[output.length - 1].startsWith('... ') ? 1 : 0
    const cells = output.slice(0, output.length - more)
    const widest = Math.max(...cells.map((c) => c.length)) + 2
    const total = cells.reduce((n, c) => n + c.length + 2, 0)
    if (cells.some((c) => c.includes('\n')) || widest * 3 + ctx.indent >= ctx.breakLength || !(total / widest > 5 || widest <= 8)) return output
    const bias = Math.sqrt(widest - total / output.length)
    const columns = Math.min(Math.round(Math.sqrt(2.5 * Math.max(widest - 3 - bias + 3 - 3 + bias, 1) * cells.length) / Math.max(widest - bias, 1)), Math.floor((ctx.breakLength - ctx.indent) / widest), ctx.compact * 4, 15)
    if (columns <= 1) return output
    const numeric = cells.every((c) => /^-?[\d.]+n?$/.test(c))
    const widths = Array.from({ length: columns }, (_, i) => Math.max(...cells.filter((__, k) => k % columns === i).map((c) => c.length)) + 2)
    const lines = []
    for (let i = 0; i < cells.length; i += columns) {
      const row = cells.slice(i, i + columns)
      lines.push(row.map((c, k) => {
        const last = k === row.length - 1
        const text = last ? c : `${c}, `
        if (numeric) return text.padStart(last ? widths[k] - 2 : widths[k])
        return last ? text : text.padEnd(widths[k])
      }).join(''))
    }
    return [...lines, ...output.slice(output.length - more)]
  }

  function inspect(value, options, ...old) {
    if (typeof options === 'boolean') options = { showHidden: options, depth: old[0], colors: old[1] }
    const plain = { ...defaults, ...options }
    if (plain.depth === undefined) plain.depth = 2
    if (plain.depth === Infinity) plain.depth = null
    for (const key of ['maxArrayLength', 'maxStringLength']) if (plain[key] === null) plain[key] = Infinity
    const ctx = { ...plain, plain, options: options || {}, seen: [], circular: new Map(), indent: 0, current: 0 }
    ctx.compact = plain.compact === true ? 3 : plain.compact === false ? 0 : plain.compact
    return show(ctx, value, 0)
  }
  inspect.custom = custom
  inspect.defaultOptions = defaults
  inspect.colors = Object.assign(Object.create(null), { reset: [0, 0], bold: [1, 22], red: [31, 39], green: [32, 39], yellow: [33, 39], blue: [34, 39], magenta: [35, 39], cyan: [36, 39], gray: [90, 39] })
  inspect.styles = {}

  // ---- format

  function formatWithOptions(options, ...args) {
    let out = ''
    let i = 0
    if (typeof args[0] === 'string' && args.length > 1) {
      i = 1
      out = args[0].replace(/%([sdifjoOc%])/g, (all, kind) => {
        if (kind === '%') return '%'
        if (i >= args.length) return all
        const value = args[i++]
        switch (kind) {
          case 's': return text(value, options)
          case 'd': return typeof value === 'bigint' ? `${value}n` : typeof value === 'symbol' ? 'NaN' : primitive(Number(value), defaults)
          case 'i': return typeof value === 'bigint' ? `${value}n` : typeof value === 'symbol' ? 'NaN' : primitive(parseInt(value, 10), defaults)
          case 'f': return typeof value === 'symbol' ? 'NaN' : primitive(parseFloat(value), defaults)
          case 'j': try { return JSON.stringify(value) } catch (error) {
            if (/circular|cyclic/i.test(error.message)) return '[Circular]'
            throw error
          }
          case 'o': return inspect(value, { ...options, showHidden: true, showProxy: true, depth: 4 })
          case 'O': return inspect(value, options)
        }
        return ''
      })
    } else if (typeof args[0] === 'string') {
      i = 1
      out = args[0]
    }
    for (; i < args.length; i++) out += `${i > 0 ? ' ' : ''}${typeof args[i] === 'string' ? args[i] : inspect(args[i], options)}`
    return out
  }

  function text(value, options) {
    if (typeof value === 'bigint') return `${value}n`
    if (typeof value === 'number') return primitive(value, defaults)
    if (value === null || typeof value !== 'object') return String(value)
    return hasOwnText(value) ? String(value) : inspect(value, { ...options, depth: 0, colors: false, compact: 3 })
  }

  // hasOwnText says that a class of the script's words its objects itself.
  function hasOwnText(value) {
    if (value instanceof Error || value instanceof Date) return true
    const f = value.toString
    return typeof f === 'function' && ![Object.prototype.toString, Array.prototype.toString, Function.prototype.toString, RegExp.prototype.toString].includes(f)
  }

  const format = (...args) => formatWithOptions({}, ...args)

  // ---- types

  const views = ['Uint8Array', 'Uint8ClampedArray', 'Uint16Array', 'Uint32Array', 'Int8Array', 'Int16Array', 'Int32Array', 'Float32Array', 'Float64Array', 'BigInt64Array', 'BigUint64Array']
  const typedTag = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get
  const kindOf = (v) => (v === null || typeof v !== 'object' ? undefined : typedTag.call(v))
  const try1 = (f) => (v) => { try { f(v); return true } catch { return false } }
  const isObject = (v) => v !== null && typeof v === 'object'
  const types = {
    isDate: (v) => isObject(v) && try1((d) => Date.prototype.getTime.call(d))(v),
    isRegExp: (v) => isObject(v) && v instanceof RegExp,
    isMap: (v) => isObject(v) && try1((m) => Map.prototype.has.call(m, 0))(v),
    isSet: (v) => isObject(v) && try1((s) => Set.prototype.has.call(s, 0))(v),
    isWeakMap: (v) => v instanceof WeakMap,
    isWeakSet: (v) => v instanceof WeakSet,
    isPromise: (v) => v instanceof Promise,
    isProxy: () => false,
    isNativeError: (v) => v instanceof Error,
    isArrayBuffer: (v) => v instanceof ArrayBuffer,
    isAnyArrayBuffer: (v) => v instanceof ArrayBuffer || (typeof SharedArrayBuffer === 'function' && v instanceof SharedArrayBuffer),
    isSharedArrayBuffer: (v) => typeof SharedArrayBuffer === 'function' && v instanceof SharedArrayBuffer,
    isArrayBufferView: (v) => ArrayBuffer.isView(v),
    isDataView: (v) => v instanceof DataView,
    isTypedArray: (v) => kindOf(v) !== undefined,
    isAsyncFunction: (v) => typeof v === 'function' && tagOf(v) === 'AsyncFunction',
    isGeneratorFunction: (v) => typeof v === 'function' && /GeneratorFunction$/.test(tagOf(v)),
    isGeneratorObject: (v) => isObject(v) && tagOf(v) === 'Generator',
    isMapIterator: (v) => isObject(v) && tagOf(v) === 'Map Iterator',
    isSetIterator: (v) => isObject(v) && tagOf(v) === 'Set Iterator',
    isArgumentsObject: (v) => isObject(v) && tagOf(v) === 'Arguments',
    isBoxedPrimitive: (v) => isObject(v) && ['String', 'Number', 'Boolean', 'Symbol', 'BigInt'].some((name) => v instanceof globalThis[name] && tagOf(v) === name),
    isNumberObject: (v) => v instanceof Number,
    isStringObject: (v) => v instanceof String,
    isBooleanObject: (v) => v instanceof Boolean,
    isBigIntObject: (v) => isObject(v) && tagOf(v) === 'BigInt',
    isSymbolObject: (v) => isObject(v) && tagOf(v) === 'Symbol',
    isModuleNamespaceObject: () => false,
    isExternal: () => false,
    isKeyObject: () => false,
    isCryptoKey: () => false,
  }
  for (const name of views) types[`is${name}`] = (v) => kindOf(v) === name

  // ---- promises and callbacks

  function promisify(original) {
    func(original, 'original')
    if (original[promisified]) return func(original[promisified], 'util.promisify.custom')
    function f(...args) {
      return new Promise((resolve, reject) => {
        Reflect.apply(original, this, [...args, (error, value) => (error ? reject(error) : resolve(value))])
      })
    }
    Object.setPrototypeOf(f, Object.getPrototypeOf(original))
    const d = Object.getOwnPropertyDescriptors(original)
    delete d.prototype
    return Object.defineProperties(f, d)
  }
  promisify.custom = promisified

  function callbackify(original) {
    func(original, 'original')
    return function (...args) {
      const callback = args.pop()
      func(callback, 'last argument')
      Reflect.apply(original, this, args).then(
        (value) => queueMicrotask(() => callback(null, value)),
        (reason) => queueMicrotask(() => {
          if (!reason) {
            const error = fault('ERR_FALSY_VALUE_REJECTION', 'Promise was rejected with falsy value')
            error.reason = reason
            reason = error
          }
          callback(reason)
        }))
    }
  }

  function inherits(constructor, above) {
    func(constructor, 'ctor')
    func(above, 'superCtor')
    Object.defineProperty(constructor, 'super_', { value: above, writable: true, configurable: true })
    Object.setPrototypeOf(constructor.prototype, above.prototype)
  }

  function deprecate(f, message) {
    let warned = false
    return function (...args) {
      if (!warned) {
        warned = true
        native('host').log('warn', `DeprecationWarning: ${message}`)
      }
      return new.target ? Reflect.construct(f, args, new.target) : Reflect.apply(f, this, args)
    }
  }

  const debuglog = () => Object.assign(() => {}, { enabled: false })

  const exports = {
    inspect, format, formatWithOptions, types, promisify, callbackify, inherits, deprecate, debuglog, debug: debuglog,
    isDeepStrictEqual: (a, b) => require('compare').equal(a, b, true),
    isArray: Array.isArray,
    isError: (v) => v instanceof Error,
    stripVTControlCharacters: (s) => String(s).replace(/\u001b(?:\][^\u0007]*(?:\u0007|\u001b\\)|[[\]()#;?]*(?:\d{1,4}(?:;\d{0,4})*)?[\dA-PR-TZcf-nq-uy=><~])/g, ''),
    styleText: (style, s) => s,
    toUSVString: (s) => String(s).replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd'),
    getSystemErrorName: (n) => Object.entries(require('os').constants.errno).find(([, v]) => v === -n)?.[0],
    aborted: (signal) => new Promise((resolve) => (signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve(), { once: true }))),
    parseArgs() { throw fault('ERR_FEATURE_UNAVAILABLE_ON_PLATFORM', 'util.parseArgs is not available to this script') },
    expected,
  }
  delete exports.expected
  lazy(exports, { TextEncoder: () => require('encoding').TextEncoder, TextDecoder: () => require('encoding').TextDecoder })
  return exports
})
