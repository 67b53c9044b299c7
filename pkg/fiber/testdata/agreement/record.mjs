// Runs the scripts of agreement_test.go on the published kernel and prints what
// happened, one JSON array per line. It reads scripts from standard input, one
// JSON document per line. CORDIS is the path of the kernel's package.
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

const { Context } = await import(pathToFileURL(process.env.CORDIS + '/lib/index.js'))
const states = ['pending', 'loading', 'active', 'failed', 'disposed', 'unloading']

async function run(script) {
  const log = []
  const waiters = []
  const fibers = {}
  const handles = {}
  const root = new Context()
  root.logger = undefined
  root.logger = Object.assign(() => root.logger, {
    error: e => log.push('log ' + (e?.message ?? e)),
    warn() {}, info() {}, debug() {},
  })
  const label = f => f.runtime?.name ?? 'root'
  root.on('internal/status', (f, old) => {
    if (f.runtime) log.push(`${label(f)} ${states[old]} ${states[f.state]}`)
  }, { global: true })

  const until = line => new Promise(r => { waiters.push(r) }).then(() => { log.push(line) })

  const code = e => {
    if (e.code === 'INACTIVE_EFFECT') return 'inactive'
    const taken = /registered at <(.*)>/.exec(e.message)
    if (taken) return 'taken by ' + taken[1]
    if (/without inject/.test(e.message)) return 'undeclared'
    if (/in inactive context/.test(e.message)) return 'unavailable'
    return e.message
  }

  const attempt = f => {
    try { return f() } catch (e) { log.push('error ' + code(e)) }
  }

  const disposer = (name, op) => () => {
    log.push('undo ' + name)
    if (op.fail) throw new Error(op.fail)
    if (op.waits) return until('undone ' + name)
  }

  function exec(ctx, op) {
    const name = op.name
    switch (op.do) {
      case 'log': return log.push(name)
      case 'fail': throw new Error(name)
      case 'effect': {
        handles[name] = attempt(() => ctx.effect(() => { log.push('make ' + name); return disposer(name, op) }, name))
        return handles[name]
      }
      case 'nest': {
        handles[name] = attempt(() => ctx.effect(function* () {
          for (const inner of op.ops) {
            const made = exec(ctx, inner)
            if (typeof made === 'function') yield made
          }
        }, name))
        return handles[name]
      }
      case 'provide': return handles[name] = attempt(() => ctx.provide(name, 'value of ' + name))
      case 'undo': {
        // A handle of a service shares a name with nothing else.
        if (!handles[name]) return log.push('no ' + name)
        attempt(() => Promise.resolve(handles[name]()).catch(() => {}))
        return
      }
      case 'get': return log.push(`get ${name} ${ctx.get(name) ?? 'none'}`)
      case 'use': return attempt(() => log.push(`use ${name} ${ctx[name]}`))
      case 'on':
      case 'once': {
        const hear = (...args) => {
          log.push(`heard ${name} by ${op.id} ${args[0]}`)
          for (const inner of op.ops ?? []) exec(ctx, inner)
          return op.value
        }
        handles[op.id] = attempt(() => ctx[op.do](name, hear, { prepend: op.prepend }))
        return handles[op.id]
      }
      case 'chain': {
        handles[op.id] = attempt(() => ctx.on(name, (x, next) => op.stop ? op.add : op.add + next()))
        return
      }
      case 'waterfall': return attempt(() => log.push('waterfall ' + ctx.waterfall(name, 'x', () => 1)))
      case 'emit': return attempt(() => ctx.emit(name, 'x'))
      case 'bail': return attempt(() => log.push('bail ' + ctx.bail(name, 'x')))
      case 'mount': {
        const p = script.plugins[name]
        const f = attempt(() => ctx.plugin({
          name: op.id, inject: p.inject ?? [],
          apply: ctx => {
            log.push('apply ' + op.id)
            for (const inner of p.ops ?? []) exec(ctx, { ...inner, id: inner.id && op.id + '.' + inner.id, name: inner.own ? op.id + '.' + inner.name : inner.name })
            if (p.waits) return until('applied ' + op.id)
          },
        }))
        // The handle that plugin() returns has a then of its own; keep the fiber.
        if (f) fibers[op.id] = Object.getPrototypeOf(f)
        return
      }
      case 'dispose': {
        if (!fibers[name]) return log.push('no ' + name)
        fibers[name].dispose()
        return
      }
      case 'restart': {
        if (!fibers[name]) return log.push('no ' + name)
        attempt(() => fibers[name].restart().catch(() => {}))
        return
      }
      case 'release': return waiters.shift()?.()
    }
    throw new Error('unknown op ' + op.do)
  }

  const quiet = async () => { for (let i = 0; i < 5; i++) await new Promise(setImmediate) }
  for (const op of script.main) {
    attempt(() => exec(root, op))
    await quiet()
    log.push('--')
  }
  return log
}

process.on('unhandledRejection', () => {})
for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim()) console.log(JSON.stringify(await run(JSON.parse(line))))
}
