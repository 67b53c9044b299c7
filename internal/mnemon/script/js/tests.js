// The module node:test, as far as tests of plugins need it: a file declares its
// tests, then run runs them one after the other. The same file runs under Node.
(function () {
  'use strict'

  const patience = 30_000 // milliseconds for a test that names no timeout

  const newSuite = (name, parent, options = {}) =>
    ({ name, parent, options, tests: [], before: [], after: [], beforeEach: [], afterEach: [], ready: undefined })

  const root = newSuite('', undefined)
  let declaring = root // the suite whose body runs

  const pathOf = ({ name, parent }) => parent === undefined ? [] : [...pathOf(parent), name]

  // declared reads (name?, options?, function?).
  function declared(given) {
    const args = [...given]
    const name = typeof args[0] === 'string' ? args.shift() : undefined
    const options = typeof args[0] === 'object' && args[0] !== null ? args.shift() : {}
    const call = args[0]
    return { name: name ?? (call?.name || '<anonymous>'), options, call }
  }

  function declareTest(more, given) {
    const { name, options, call } = declared(given)
    declaring.tests.push({ name, parent: declaring, options: { ...options, ...more }, call })
  }

  function declareSuite(more, given) {
    const { name, options, call } = declared(given)
    const suite = newSuite(name, declaring, { ...options, ...more })
    suite.parent.tests.push(suite)
    declaring = suite
    try { suite.ready = call?.() } finally { declaring = suite.parent }
  }

  const forms = declare => Object.assign((...given) => declare({}, given), {
    skip: (...given) => declare({ skip: true }, given),
    todo: (...given) => declare({ todo: true }, given),
    only: (...given) => declare({}, given),
  })
  const hook = kind => call => { declaring[kind].push(call) }

  const test = forms(declareTest)
  const describe = forms(declareSuite)
  const hooks = { before: hook('before'), after: hook('after'), beforeEach: hook('beforeEach'), afterEach: hook('afterEach') }
  const exported = { test, it: test, describe, suite: describe, ...hooks }
  Object.assign(test, exported)

  class Skipped { constructor(status, why) { this.status = status; this.why = why } }

  // context is what a test is handed.
  function context(one, signal, state, suites, report) {
    return {
      name: one.name,
      fullName: pathOf(one).join(' > '),
      signal,
      diagnostic: text => console.log(String(text)),
      skip: why => { state.skipped = new Skipped('skipped', why) },
      todo: why => { state.skipped = new Skipped('todo', why) },
      before: call => call(),
      after: call => { state.after.push(call) },
      beforeEach: call => { state.beforeEach.push(call) },
      afterEach: call => { state.afterEach.push(call) },
      async test(...given) {
        const { name, options, call } = declared(given)
        const inner = { name, parent: one, options, call }
        const failed = await runTest(inner, report, [...suites, state])
        if (failed) state.failed++
      },
    }
  }

  const chain = suite => suite === undefined ? [] : [...chain(suite.parent), suite]

  async function within(ms, controller, work) {
    let timer
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => {
        const error = new Error(`test timed out after ${ms} ms`)
        controller.abort(error)
        reject(error)
      }, ms)
    })
    try { return await Promise.race([work, late]) } finally { clearTimeout(timer) }
  }

  // runTest says whether the test failed. Hooks are those of all that it is in.
  async function runTest(one, report, suites = chain(one.parent)) {
    const name = pathOf(one)
    const { skip, todo, timeout } = one.options
    if (skip || todo || typeof one.call !== 'function') {
      report({ name, status: todo ? 'todo' : 'skipped' })
      return false
    }
    report({ name, status: 'running' })
    const state = { failed: 0, after: [], beforeEach: [], afterEach: [] }
    const controller = new AbortController()
    const failures = []
    const attempt = async call => { try { await call() } catch (error) { failures.push(error) } }
    const body = async () => {
      for (const suite of suites) for (const call of suite.beforeEach) await call()
      await one.call(context(one, controller.signal, state, suites, report))
      if (state.failed > 0) throw new Error(`${state.failed} of its tests failed`)
    }
    const ms = Number.isFinite(timeout) ? timeout : patience
    await attempt(() => within(ms, controller, body()))
    for (const call of state.after) await attempt(call)
    for (const suite of [...suites].reverse()) for (const call of suite.afterEach) await attempt(call)
    if (failures.length > 0) {
      report({ name, status: 'failed', error: failures.map(told).join('\n') })
      return true
    }
    report({ name, status: state.skipped?.status ?? 'passed' })
    return false
  }

  async function runSuite(suite, report) {
    const { skip, todo } = suite.options
    const name = pathOf(suite)
    if (skip || todo) return report({ name, status: todo ? 'todo' : 'skipped' })
    const attempt = async call => {
      try { await call() } catch (error) { report({ name, status: 'failed', error: told(error) }); return false }
      return true
    }
    const begun = await attempt(async () => {
      await suite.ready
      for (const call of suite.before) await call()
    })
    if (begun) for (const one of suite.tests) await (one.tests ? runSuite(one, report) : runTest(one, report))
    for (const call of suite.after) await attempt(call)
  }

  const ours = /^\s+at (.*\()?(node:|jsrun:|dsh-mnemon\/|native)/

  // told is an error as its author reads it: without the places that are not in
  // files.
  function told(error) {
    if (!(error instanceof Error)) return String(error)
    const stack = typeof error.stack === 'string' && error.stack.includes(error.message) ? error.stack : `${error.name}: ${error.message}`
    const lines = stack.trimEnd().split('\n').filter(line => !ours.test(line)).map(line => line.replace(/^\t/, '    '))
    if (error.cause !== undefined) lines.push(`cause: ${told(error.cause)}`)
    for (const each of error.errors ?? []) lines.push(told(each))
    return lines.join('\n')
  }

  return { module: Object.assign(test, { default: test }), run: report => runSuite(root, report) }
})
