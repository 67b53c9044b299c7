// The namespace of a module, as import() gives it: without a prototype, its names
// sorted, each reading through to what the module exports at that moment. Behind
// a module of the host may stand another object, which has what is not named.
(function (exports, esm, given) {
  const names = new Set();
  if ((typeof exports === "object" && exports !== null) || typeof exports === "function") {
    for (const name of Object.keys(exports)) names.add(name);
    if (!esm && exports.__esModule) names.add("__esModule");
  }
  const behind = given && exports && typeof exports === "object" ? Object.getPrototypeOf(exports) : null;
  const namespace = Object.create(behind === Object.prototype ? null : behind);
  if (!esm) names.add("default");
  for (const name of [...names].sort()) {
    const get = !esm && name === "default" ? () => exports : () => exports[name];
    Object.defineProperty(namespace, name, { enumerable: true, get });
  }
  Object.defineProperty(namespace, Symbol.toStringTag, { value: "Module" });
  return Object.preventExtensions(namespace);
})
