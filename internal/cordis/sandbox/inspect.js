// Values as Node's console shows them, near enough for a person.
(function (host) {
  'use strict'
  const { apply, ownKeys, getPrototypeOf, getOwnPropertyDescriptor: descriptor } = Reflect
  const { isArray } = Array
  const { stringify } = JSON
  const symbolText = Symbol.prototype.toString
  const identifier = /^[A-Za-z_$][\w$]*$/
  const width = 72

  const quote = s => {
    const mark = !s.includes("'") ? "'" : !s.includes('"') ? '"' : !s.includes('`') ? '`' : "'"
    const body = stringify(s).slice(1, -1).replaceAll('\\"', '"')
    return mark + (mark === "'" ? body.replaceAll("'", "\\'") : body) + mark
  }
  const scalar = v => typeof v === 'string' ? quote(v) : typeof v === 'bigint' ? `${v}n` : typeof v === 'symbol' ? apply(symbolText, v, [])
    : Object.is(v, -0) ? '-0' : String(v)
  const keyText = key => typeof key === 'symbol' ? `[${apply(symbolText, key, [])}]` : identifier.test(key) ? key : quote(key)
  const className = v => {
    for (let o = v; o !== null; o = getPrototypeOf(o)) {
      const made = descriptor(o, 'constructor')?.value
      if (typeof made === 'function' && made.name !== '') return made.name
    }
    return null
  }

  const join = (open, parts, close, indent) => {
    if (parts.length === 0) return open + close
    const line = parts.join(', ')
    if (line.length + open.length <= width && !line.includes('\n')) return `${open} ${line} ${close}`
    const next = indent + '  '
    return `${open}\n${parts.map(part => next + part).join(',\n')}\n${indent}${close}`
  }

  const errorText = e => {
    const stack = typeof e.stack === 'string' ? host.cleanStack(e.stack) : ''
    const head = e.message === undefined || e.message === '' ? String(e.name) : `${e.name}: ${e.message}`
    return stack.startsWith(head) ? stack : stack === '' ? `[${head}]` : `${head}\n${stack.split('\n').filter(line => /^\s+at /.test(line)).join('\n')}`
  }

  const show = (v, depth, above, indent) => {
    if ((typeof v !== 'object' || v === null) && typeof v !== 'function') return scalar(v)
    if (host.isContext(v)) return 'Context {}'
    if (above.includes(v)) return '[Circular *1]'
    const name = className(v)
    if (typeof v === 'function') {
      const title = /^class\b/.test(Function.prototype.toString.call(v)) ? `class ${v.name || '(anonymous)'}` : v.name === '' ? 'Function (anonymous)' : `Function: ${v.name}`
      return `[${title}]`
    }
    if (host.isError(v)) return errorText(v)
    if (host.isPromise(v)) return 'Promise { ... }'
    if (v instanceof Date) return Number.isNaN(v.getTime()) ? 'Invalid Date' : v.toISOString()
    if (v instanceof RegExp) return String(v)
    if (v instanceof String || v instanceof Number || v instanceof Boolean) return `[${name}: ${scalar(v.valueOf())}]`
    if (depth > 2) return isArray(v) ? '[Array]' : `[${name ?? 'Object: null prototype'}]`
    const next = [...above, v]
    const inner = x => show(x, depth + 1, next, indent + '  ')
    const own = ownKeys(v).filter(key => descriptor(v, key)?.enumerable)
    const member = key => {
      const d = descriptor(v, key)
      const text = 'value' in d ? inner(d.value) : d.get === undefined ? '[Setter]' : d.set === undefined ? '[Getter]' : '[Getter/Setter]'
      return `${keyText(key)}: ${text}`
    }
    if (isArray(v) || ArrayBuffer.isView(v) && typeof v.length === 'number') {
      const parts = []
      for (let i = 0; i < v.length && i < 100; i++) parts.push(i in v ? inner(v[i]) : '<1 empty item>')
      if (v.length > 100) parts.push(`... ${v.length - 100} more items`)
      for (const key of own) if (typeof key === 'symbol' || !/^\d+$/.test(key)) parts.push(member(key))
      return join(isArray(v) && name === 'Array' ? '[' : `${name}(${v.length}) [`, parts, ']', indent)
    }
    const parts = []
    if (v instanceof Map) for (const [key, value] of v) parts.push(`${inner(key)} => ${inner(value)}`)
    if (v instanceof Set) for (const value of v) parts.push(inner(value))
    parts.push(...own.map(member))
    const prefix = v instanceof Map || v instanceof Set ? `${name}(${v.size}) ` : name === null ? '[Object: null prototype] ' : name === 'Object' ? '' : `${name} `
    return join(prefix + '{', parts, '}', indent)
  }

  const inspect = v => {
    try { return show(v, 0, [], '') } catch { return '[an object that cannot be shown]' }
  }
  // No argument is a format: before the first of them stands the plugin's name.
  return args => {
    let text = ''
    for (let at = 0; at < args.length; at++) text += (at === 0 ? '' : ' ') + (typeof args[at] === 'string' ? args[at] : inspect(args[at]))
    return text
  }
})
