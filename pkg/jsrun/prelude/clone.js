// structuredClone: plain values are copied by the host, this copies the rest.
((host) => {
  const {apply, construct, getOwnPropertyDescriptor, getPrototypeOf} = Reflect
  // tools is made on first need: most values are plain.
  const tools = () => {
    const getter = (prototype, name) => {
      const {get} = getOwnPropertyDescriptor(prototype, name)
      return (o) => apply(get, o, [])
    }
    const TypedArray = getPrototypeOf(Uint8Array)
    const kindOf = getter(TypedArray.prototype, Symbol.toStringTag)
    const bufferOf = getter(TypedArray.prototype, 'buffer')
    const offsetOf = getter(TypedArray.prototype, 'byteOffset')
    const lengthOf = getter(TypedArray.prototype, 'length')
    const viewBuffer = getter(DataView.prototype, 'buffer')
    const viewOffset = getter(DataView.prototype, 'byteOffset')
    const viewLength = getter(DataView.prototype, 'byteLength')
    const {slice} = ArrayBuffer.prototype
    const getTime = Date.prototype.getTime
    const mapEach = Map.prototype.forEach, setEach = Set.prototype.forEach, mapSet = Map.prototype.set, setAdd = Set.prototype.add
    const {isView} = ArrayBuffer
    const byteLength = getter(ArrayBuffer.prototype, 'byteLength')
    const classes = {}
    for (const name of ['Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array', 'Float32Array', 'Float64Array', 'BigInt64Array', 'BigUint64Array', 'DataView', 'RegExp', 'Date', 'Map', 'Set', 'Number', 'String', 'Boolean']) classes[name] = globalThis[name]
    const errors = {}
    for (const name of ['Error', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError']) errors[name] = globalThis[name]
    const value = {Number: Number.prototype.valueOf, String: String.prototype.valueOf, Boolean: Boolean.prototype.valueOf}
    const sourceOf = getter(RegExp.prototype, 'source'), flagsOf = getter(RegExp.prototype, 'flags')
    // The engine has no name for these kinds; a method that refuses others tells.
    const brand = (method, ...args) => (o) => {
      try { apply(method, o, args); return true } catch { return false }
    }
    const isBuffer = (o) => {
      try { byteLength(o); return true } catch { return false }
    }
    const isMap = brand(Map.prototype.has, 0), isSet = brand(Set.prototype.has, 0)
    const isWeak = [brand(WeakMap.prototype.has, {}), brand(WeakSet.prototype.has, {})]
    const own = (o, name, v) => Reflect.defineProperty(o, name, {value: v, writable: true, enumerable: false, configurable: true})

    const views = (o, clone, keep) => {
      const kind = kindOf(o)
      if (kind === undefined) return keep(new classes.DataView(clone(viewBuffer(o)), viewOffset(o), viewLength(o)))
      return keep(construct(classes[kind], [clone(bufferOf(o)), offsetOf(o), lengthOf(o)]))
    }
    // exotic copies an object that is neither plain nor an array. keep notes the
    // copy before its parts are copied. Undefined says that it cannot be, null
    // that its members are all that there is.
    const exotic = (o, clone, keep) => {
      const kind = host.kind(o)
      switch (kind) {
        case 'Date': return keep(new classes.Date(apply(getTime, o, [])))
        case 'RegExp': return keep(new classes.RegExp(sourceOf(o), flagsOf(o)))
        case 'Number': case 'String': case 'Boolean': return keep(Object(apply(value[kind], o, [])))
        case 'Error': {
          const {name} = o
          const out = keep(new (Object.hasOwn(errors, name) ? errors[name] : errors.Error)())
          return fill(out, o, clone)
        }
      }
      if (isView(o)) return views(o, clone, keep)
      if (isBuffer(o)) return keep(apply(slice, o, [0]))
      if (isMap(o)) {
        const out = keep(new classes.Map()), entries = []
        apply(mapEach, o, [(v, k) => { entries.push([k, v]) }])
        for (const [k, v] of entries) apply(mapSet, out, [clone(k), clone(v)])
        return out
      }
      if (isSet(o)) {
        const out = keep(new classes.Set()), entries = []
        apply(setEach, o, [(v) => { entries.push(v) }])
        for (const v of entries) apply(setAdd, out, [clone(v)])
        return out
      }
      if (isWeak.some((is) => is(o)) || host.isPromise(o)) return undefined
      return kind === 'Object' ? null : undefined
    }
    const fill = (out, o, clone) => {
      const message = getOwnPropertyDescriptor(o, 'message')
      if (message && 'value' in message) own(out, 'message', `${message.value}`)
      else delete out.message
      const {stack} = o
      if (stack !== undefined) own(out, 'stack', `${stack}`)
      if (Object.hasOwn(o, 'cause')) own(out, 'cause', clone(o.cause))
      return out
    }
    return exotic
  }
  let exotic
  const refuse = (what) => { throw new DOMException(`${what} could not be cloned.`, 'DataCloneError') }
  const structuredClone = function structuredClone(value, options) {
    if (arguments.length === 0) throw new TypeError("The \"value\" argument must be specified")
    return host.clone(value, refuse)
  }
  Reflect.defineProperty(globalThis, 'structuredClone', {value: structuredClone, writable: true, enumerable: false, configurable: true})
  return {exotic: (o, clone, keep) => (exotic ??= tools())(o, clone, keep)}
})
