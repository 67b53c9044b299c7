(function (require, native) {
  'use strict'
  const { types } = require('util')

  const enumerable = (o) => [...Object.keys(o), ...Object.getOwnPropertySymbols(o).filter((s) => Object.prototype.propertyIsEnumerable.call(o, s))]

  // equal compares as assert does: strict by Object.is and prototypes, loose by ==.
  function equal(a, b, strict, seen = []) {
    if (strict ? Object.is(a, b) : a == b || (a !== a && b !== b)) return true // eslint-disable-line eqeqeq
    if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false
    if (strict && Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false
    if (Object.prototype.toString.call(a) !== Object.prototype.toString.call(b)) return false
    if (Array.isArray(a) !== Array.isArray(b)) return false
    if (seen.some(([x, y]) => x === a && y === b)) return true
    seen = [...seen, [a, b]]
    return sameKind(a, b, strict, seen) && sameKeys(a, b, strict, seen)
  }

  function sameKind(a, b, strict, seen) {
    if (Array.isArray(a) && a.length !== b.length) return false
    if (types.isDate(a)) return a.getTime() === b.getTime() || (Number.isNaN(a.getTime()) && Number.isNaN(b.getTime()))
    if (types.isRegExp(a)) return a.source === b.source && a.flags === b.flags && a.lastIndex === b.lastIndex
    if (a instanceof Error) return a.message === b.message && a.name === b.name && equal(a.cause, b.cause, strict, seen) && equal(a.errors, b.errors, strict, seen)
    if (types.isBoxedPrimitive(a)) return Object.is(a.valueOf(), b.valueOf())
    if (types.isAnyArrayBuffer(a)) return equal(new Uint8Array(a), new Uint8Array(b), strict, seen)
    if (types.isSet(a)) return sameSet(a, b, strict, seen)
    if (types.isMap(a)) return sameMap(a, b, strict, seen)
    if (a instanceof Promise || a instanceof WeakMap || a instanceof WeakSet) return false
    return true
  }

  function sameKeys(a, b, strict, seen) {
    const keys = enumerable(a)
    if (keys.length !== enumerable(b).length) return false
    return keys.every((key) => Object.prototype.propertyIsEnumerable.call(b, key) && equal(a[key], b[key], strict, seen))
  }

  function sameSet(a, b, strict, seen) {
    if (a.size !== b.size) return false
    const rest = [...b].filter((v) => !a.has(v))
    for (const v of a) {
      if (b.has(v)) continue
      const at = rest.findIndex((w) => equal(v, w, strict, seen))
      if (at < 0) return false
      rest.splice(at, 1)
    }
    return true
  }

  function sameMap(a, b, strict, seen) {
    if (a.size !== b.size) return false
    const rest = [...b].filter(([k]) => !a.has(k))
    for (const [k, v] of a) {
      if (b.has(k)) {
        if (!equal(v, b.get(k), strict, seen)) return false
        continue
      }
      const at = rest.findIndex(([l, w]) => equal(k, l, strict, seen) && equal(v, w, strict, seen))
      if (at < 0) return false
      rest.splice(at, 1)
    }
    return true
  }
  return { equal }
})
