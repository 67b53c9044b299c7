const o = {}
o.#x
return () => {}
