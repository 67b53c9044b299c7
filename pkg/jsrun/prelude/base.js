// The functions that Go uses of a fresh runtime, taken before a script can
// change what they are made of.
(() => {
  const {apply, get, set, ownKeys} = Reflect
  const causes = new WeakMap()
  const weakGet = WeakMap.prototype.get
  const weakSet = WeakMap.prototype.set
  const boolean = Boolean.prototype.valueOf
  const bigint = BigInt.prototype.valueOf
  return {
    enter: (f) => f(),
    relay: (f) => (x) => f(x),
    causeOf: (o) => apply(weakGet, causes, [o]),
    setCause: (o, cause) => apply(weakSet, causes, [o, cause]),
    then: Promise.prototype.then,
    freeze: Object.freeze,
    seal: Object.preventExtensions,
    reflectSet: set,
    reflectGet: get,
    ownKeys,
    hasOwn: Object.prototype.hasOwnProperty,
    isEnumerable: Object.prototype.propertyIsEnumerable,
    valueOf: (o) => {
      try { return apply(boolean, o, []) } catch { return apply(bigint, o, []) }
    },
  }
})
