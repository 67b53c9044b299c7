// What the scenarios ask of the machine and of Providers beyond the words of
// run.mjs. It is the same under Node and under ours.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { createMemorySpaceProviderFixture, mountMemorySpaceProvider } from 'dsh-mnemon-source-memory-spaces/testing'

let now = 0

/** From here on every clock of JavaScript shows this time, until tick moves it. */
export function clock(time) {
  now = Date.parse(time)
  const Real = globalThis.Date
  globalThis.Date = class Date extends Real {
    constructor(...args) { super(...(args.length === 0 ? [now] : args)) }
    static now() { return now }
  }
  return new Date().toISOString()
}

export function tick(ms) {
  now += ms
  return new Date().toISOString()
}

/** Every file and folder below one, with its mode and, of files, the bytes. */
export function tree(root) {
  const walk = directory => readdirSync(join(root, directory), { withFileTypes: true }).flatMap(entry => {
    const path = directory === '' ? entry.name : `${directory}/${entry.name}`
    const mode = (statSync(join(root, path)).mode & 0o777).toString(8)
    if (entry.isDirectory()) return [{ path: `${path}/`, mode }, ...walk(path)]
    return [{ path, mode, lines: readFileSync(join(root, path), 'utf8').split('\n') }]
  })
  // Documents have a random part in their name; the part before it is enough for the order.
  const key = file => file.path.replace(/-[0-9a-f]{8}\.md$/u, '.md')
  return walk('').sort((a, b) => key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0)
}

export function digest(path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}

export function remove(path) {
  rmSync(path, { recursive: true })
  return true
}

/** Makes a file as old as that. */
export function age(path, seconds) {
  const then = Date.now() / 1000 - seconds
  utimesSync(path, then, then)
  return true
}

export function folder(path) {
  mkdirSync(path, { recursive: true })
  return true
}

/** The requests that the service got since the last time. What was sent
 * together may come in any order: reads that follow each other are put into the
 * order of their addresses and heads, and "sorted" puts everything into one. */
export async function requests(service, order) {
  const all = (await (await fetch(`${service}/-/requests`)).json()).map(({ body, ...request }) => ({ ...request, ...readable(body) }))
  const key = ({ path, method, body, headers }) => JSON.stringify([path, method, body, headers])
  for (let start = 0, end = 0; start < all.length; start = end + 1) {
    for (end = start; end < all.length && (order === 'sorted' || all[end].method === 'GET');) end++
    all.splice(start, end - start, ...all.slice(start, end).sort((a, b) => key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0))
  }
  return all
}

/** A body in short lines, its members in their order; "compact" says that it was sent without blanks. */
function readable(body) {
  if (body === undefined) return {}
  try {
    const value = JSON.parse(body)
    return { body: JSON.stringify(value, null, 1).split('\n'), compact: JSON.stringify(value) === body }
  } catch {
    return { body }
  }
}

/** How often the programs beside this folder's log were started, and with what. */
export function starts(programs) {
  return readFileSync(join(programs, 'starts.jsonl'), 'utf8').split('\n').filter(line => line !== '').map(line => JSON.parse(line))
}

/** One call of a Provider that has its own time-out and may be cancelled. */
export async function provider(specifier, connection, options, method, ...args) {
  const module = await import(specifier)
  const mounted = await mountMemorySpaceProvider(module.default, { config: undefined })
  try {
    const fixture = createMemorySpaceProviderFixture(mounted.descriptor, connection, { dataDir: options.dataDir ?? '/nowhere' })
    const adapter = mounted.createAdapter({ memorySpaces: fixture.authority, memoryBodies: fixture.authority, config: { timeoutMs: options.timeoutMs ?? 5000 } })
    const controller = new AbortController()
    if (options.aborted === true) controller.abort(new Error('cancelled before'))
    if (options.abortAfterMs !== undefined) setTimeout(() => controller.abort(new Error('cancelled while it ran')), options.abortAfterMs)
    return await adapter[method](...(method === 'discover' ? [connection] : [fixture.body]), ...args, controller.signal)
  } finally {
    await mounted.dispose()
  }
}
