(function (require, native) {
  'use strict'
  const { inspect } = require('util')
  const { equal: deep } = require('compare')
  const { func } = require('internal')

  class AssertionError extends Error {
    constructor(options) {
      super(String(options.message))
      this.name = 'AssertionError'
      this.generatedMessage = Boolean(options.generated)
      this.code = 'ERR_ASSERTION'
      this.actual = options.actual
      this.expected = options.expected
      this.operator = options.operator
    }
    toString() { return `${this.name} [${this.code}]: ${this.message}` }
  }

  function fails(actual, wanted, message, operator, sentence) {
    if (message instanceof Error) throw message
    const generated = message === undefined
    throw new AssertionError({ actual, expected: wanted, operator, generated, message: generated ? sentence() : message })
  }
  const both = (head) => (a, b) => () => `${head}\n\n${inspect(a)}\n\n${inspect(b)}\n`
  const versus = (a, sign, b) => () => `${inspect(a)} ${sign} ${inspect(b)}`

  function ok(value, message) {
    if (!value) fails(value, true, arguments.length === 0 ? 'No value argument passed to `assert.ok()`' : message, '==', () => 'The expression evaluated to a falsy value')
  }

  const compare = {
    equal(a, b, m) { if (!(a == b || (a !== a && b !== b))) fails(a, b, m, '==', versus(a, '==', b)) }, // eslint-disable-line eqeqeq
    notEqual(a, b, m) { if (a == b || (a !== a && b !== b)) fails(a, b, m, '!=', versus(a, '!=', b)) }, // eslint-disable-line eqeqeq
    strictEqual(a, b, m) { if (!Object.is(a, b)) fails(a, b, m, 'strictEqual', typeof a === 'object' || typeof b === 'object' ? both('Expected values to be strictly equal:')(a, b) : () => `Expected values to be strictly equal:\n\n${inspect(a)} !== ${inspect(b)}\n`) },
    notStrictEqual(a, b, m) { if (Object.is(a, b)) fails(a, b, m, 'notStrictEqual', () => `Expected "actual" to be strictly unequal to: ${inspect(b)}`) },
    deepEqual(a, b, m) { if (!deep(a, b, false)) fails(a, b, m, 'deepEqual', both('Expected values to be loosely deep-equal:')(a, b)) },
    notDeepEqual(a, b, m) { if (deep(a, b, false)) fails(a, b, m, 'notDeepEqual', () => `Expected "actual" not to be loosely deep-equal to: ${inspect(b)}`) },
    deepStrictEqual(a, b, m) { if (!deep(a, b, true)) fails(a, b, m, 'deepStrictEqual', both('Expected values to be strictly deep-equal:')(a, b)) },
    notDeepStrictEqual(a, b, m) { if (deep(a, b, true)) fails(a, b, m, 'notDeepStrictEqual', () => `Expected "actual" not to be strictly deep-equal to: ${inspect(b)}`) },
    match(s, re, m) { if (typeof s !== 'string' || !re.test(s)) fails(s, re, m, 'match', () => `The input did not match the regular expression ${inspect(re)}. Input:\n\n${inspect(s)}\n`) },
    doesNotMatch(s, re, m) { if (typeof s === 'string' && re.test(s)) fails(s, re, m, 'doesNotMatch', () => `The input was expected to not match the regular expression ${inspect(re)}. Input:\n\n${inspect(s)}\n`) },
  }

  // matches checks what was thrown against a class, a pattern, members or a function.
  function matches(error, wanted, message, name) {
    if (wanted === undefined) return
    if (wanted instanceof RegExp) {
      if (!wanted.test(String(error))) fails(error, wanted, message, name, () => `The input did not match the regular expression ${inspect(wanted)}. Input:\n\n${inspect(String(error))}\n`)
      return
    }
    if (typeof wanted === 'function') {
      if (wanted.prototype !== undefined && error instanceof wanted) return
      if (Error.isPrototypeOf(wanted) || wanted === Error) {
        fails(error, wanted, message, name, () => `The error is expected to be an instance of "${wanted.name}". Received "${error && error.name}"\n\nError message:\n\n${error && error.message}`)
      }
      if (wanted.call({}, error) !== true) fails(error, wanted, message, name, () => `The ${wanted.name ? `"${wanted.name}" ` : ''}validation function is expected to return "true". Received ${inspect(error)}`)
      return
    }
    const keys = Object.keys(wanted)
    if (wanted instanceof Error) keys.push('name', 'message')
    for (const key of keys) {
      const fits = wanted[key] instanceof RegExp && typeof error[key] === 'string' ? wanted[key].test(error[key]) : deep(error[key], wanted[key], true)
      if (!fits) fails(error, wanted, message, name, () => `Expected values to be strictly deep-equal:\n\n${inspect(error[key])}\n\n${inspect(wanted[key])}\n`)
    }
  }

  const missing = (wanted, message, what, name) => {
    const suffix = message === undefined ? '.' : `: ${message}`
    const who = typeof wanted === 'function' && wanted.name ? ` (${wanted.name})` : ''
    throw new AssertionError({ actual: undefined, expected: wanted, operator: name, generated: false, message: `Missing expected ${what}${who}${suffix}` })
  }
  const unwanted = (what, message, error) => `Got unwanted ${what}${message ? `: ${message}` : '.'}\nActual message: "${error && error.message}"`
  const sort = (wanted, message) => (typeof wanted === 'string' ? [undefined, wanted] : [wanted, message])

  function throws(f, wanted, message) {
    func(f, 'fn');
    [wanted, message] = sort(wanted, message)
    let thrown
    try { f() } catch (error) { thrown = { error } }
    if (!thrown) missing(wanted, message, 'exception', 'throws')
    matches(thrown.error, wanted, message, 'throws')
  }
  function doesNotThrow(f, wanted, message) {
    func(f, 'fn');
    [wanted, message] = sort(wanted, message)
    try { f() } catch (error) { fails(error, wanted, unwanted('exception', message, error), 'doesNotThrow') }
  }
  async function rejects(what, wanted, message) {
    [wanted, message] = sort(wanted, message)
    let thrown
    try { await (typeof what === 'function' ? what() : what) } catch (error) { thrown = { error } }
    if (!thrown) missing(wanted, message, 'rejection', 'rejects')
    matches(thrown.error, wanted, message, 'rejects')
  }
  async function doesNotReject(what, wanted, message) {
    [wanted, message] = sort(wanted, message)
    try { await (typeof what === 'function' ? what() : what) } catch (error) { fails(error, wanted, unwanted('rejection', message, error), 'doesNotReject') }
  }

  function fail(message = 'Failed') {
    if (message instanceof Error) throw message
    throw new AssertionError({ message, operator: 'fail', generated: arguments.length === 0 })
  }
  function ifError(value) {
    if (value === null || value === undefined) return
    throw new AssertionError({ actual: value, expected: null, operator: 'ifError', generated: false, message: `ifError got unwanted exception: ${value instanceof Error ? value.message : inspect(value)}` })
  }

  const rest = { ok, throws, doesNotThrow, rejects, doesNotReject, fail, ifError, AssertionError }
  const assert = Object.assign((...args) => ok(...args), compare, rest)
  const strict = Object.assign((...args) => ok(...args), compare, rest, {
    equal: compare.strictEqual, notEqual: compare.notStrictEqual, deepEqual: compare.deepStrictEqual, notDeepEqual: compare.notDeepStrictEqual,
  })
  assert.strict = strict.strict = strict
  return assert
})
