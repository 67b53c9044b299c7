function outer() { inner() }
function inner() { throw new Error('deep inside') }
return { apply() { outer() } }
