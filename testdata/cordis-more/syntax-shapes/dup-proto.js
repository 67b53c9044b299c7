const o = { __proto__: null, __proto__: null }
return () => {}
