// JSON over the host's own reader and writer.
((host) => {
  const {apply, defineProperty} = Reflect
  const {isArray} = Array
  const {keys} = Object
  const revive = (holder, key, reviver) => {
    const value = holder[key]
    if (value !== null && typeof value === 'object') {
      const names = isArray(value) ? Array.from({length: value.length}, (_, i) => String(i)) : keys(value)
      for (const name of names) {
        const next = revive(value, name, reviver)
        if (next === undefined) delete value[name]
        else defineProperty(value, name, {value: next, writable: true, enumerable: true, configurable: true})
      }
    }
    return apply(reviver, holder, [key, value])
  }
  const define = (name, value) => defineProperty(JSON, name, {value, writable: true, enumerable: false, configurable: true})
  define('parse', {parse(text, reviver) {
    const value = host.parse(`${text}`)
    return typeof reviver === 'function' ? revive({'': value}, '', reviver) : value
  }}.parse)
  define('stringify', {stringify(value, replacer, space) { return host.stringify(value, replacer, space) }}.stringify)
  return {}
})
