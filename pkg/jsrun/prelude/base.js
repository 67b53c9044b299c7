// The functions that Go uses of a fresh runtime, taken before a script can
// change what they are made of.
(() => {
  const {apply, get, set, ownKeys} = Reflect
  const causes = new WeakMap()
  const weakGet = WeakMap.prototype.get
  const weakSet = WeakMap.prototype.set
  return {
    enter: (f) => f(),
    relay: (f) => (x) => f(x),
    causeOf: (o) => apply(weakGet, causes, [o]),
    setCause: (o, cause) => apply(weakSet, causes, [o, cause]),
    then: Promise.prototype.then,
    freeze: Object.freeze,
    reflectSet: set,
    reflectGet: get,
    ownKeys,
  }
})()
