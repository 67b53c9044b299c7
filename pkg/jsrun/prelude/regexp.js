// RegExp with Unicode properties: a constructor before the engine's own, with
// the same prototype.
((host) => {
  const Native = RegExp
  const {prototype} = Native
  const {defineProperty, getOwnPropertyDescriptor, setPrototypeOf, apply} = Reflect
  const sourceOf = getOwnPropertyDescriptor(prototype, 'source').get
  const flagsOf = getOwnPropertyDescriptor(prototype, 'flags').get
  const sources = new WeakMap() // of those that were rewritten
  const get = WeakMap.prototype.get
  const set = WeakMap.prototype.set
  const {match, species} = Symbol
  const isRegExp = (x) => {
    if (x === null || typeof x !== 'object') return false
    const matcher = x[match]
    return matcher !== undefined ? Boolean(matcher) : host.isRegExp(x)
  }
  const sourceText = (re) => apply(get, sources, [re]) ?? apply(sourceOf, re, [])

  function Wrapper(pattern, flags) {
    let source = pattern
    if (typeof pattern !== 'string') {
      const like = isRegExp(pattern)
      if (new.target === undefined && like && flags === undefined && pattern.constructor === Wrapper) return pattern
      if (host.isRegExp(pattern)) {
        source = sourceText(pattern)
        if (flags === undefined) flags = apply(flagsOf, pattern, [])
      } else if (like) {
        source = pattern.source
        if (flags === undefined) flags = pattern.flags
      }
      source = source === undefined ? '' : `${source}`
    }
    flags = flags === undefined ? '' : `${flags}`
    const re = new Native(host.regexp(source, flags))
    if (host.isRewritten(source, flags)) apply(set, sources, [re, source])
    if (new.target !== undefined && new.target !== Wrapper) setPrototypeOf(re, new.target.prototype)
    return re
  }
  defineProperty(Wrapper, 'name', {value: 'RegExp'})
  defineProperty(Wrapper, 'prototype', {value: prototype, writable: false, enumerable: false, configurable: false})
  defineProperty(Wrapper, species, {get: {get() { return this }}.get, enumerable: false, configurable: true})
  defineProperty(Wrapper, 'escape', {
    value: {escape(text) {
      if (typeof text !== 'string') throw new TypeError('Input is not a string')
      return host.escapeRegExp(text)
    }}.escape,
    writable: true, enumerable: false, configurable: true,
  })
  defineProperty(prototype, 'constructor', {value: Wrapper, writable: true, enumerable: false, configurable: true})
  defineProperty(prototype, 'source', {get: getOwnPropertyDescriptor({get source() { return sourceText(this) }}, 'source').get, enumerable: false, configurable: true})
  defineProperty(prototype, 'toString', {value: {toString() { return `/${this.source}/${this.flags}` }}.toString, writable: true, enumerable: false, configurable: true})
  defineProperty(globalThis, 'RegExp', {value: Wrapper, writable: true, enumerable: false, configurable: true})
  return {native: Native}
})
