// Opens pages for the replay of samples: real React, the published client
// runner, slot registry and theme service in jsdom, connected with a cordis host
// by its control socket as a page is.
//
//	node page.mjs
//
// It reads requests from standard input, one JSON object a line: {id, do, page,
// ...}; and answers each with {id, result} or {id, error}. In between it tells
// what pages wrote: {log: {at, level, tag, parts, detail}}, and what nobody
// caught: {uncaught: {kind, message}}. It ends with its input.
import { createInterface } from 'node:readline'
import { watchConsole, watchProcess } from './page/console.mjs'
import { Page } from './page/page.mjs'

// The reference's timer service needs it, and Node 20 has not got it.
Promise.withResolvers ??= () => {
  const out = {}
  out.promise = new Promise((resolve, reject) => Object.assign(out, { resolve, reject }))
  return out
}

const tell = message => process.stdout.write(`${JSON.stringify(message)}\n`)
watchConsole(log => tell({ log }))
watchProcess(uncaught => tell({ uncaught }))

const pages = new Map()

function pageOf(name) {
  const page = pages.get(name)
  if (page === undefined) throw new Error(`no page ${name}`)
  return page
}

async function act({ do: verb, page: name = 'main', ...rest }) {
  if (verb === 'open') {
    pages.set(name, await Page.open(name, rest))
    return 'opened'
  }
  if (verb === 'settle') {
    await Promise.all([...pages.values()].map(page => page.settle()))
    return 'settled'
  }
  const page = pageOf(name)
  if (verb === 'vanish' || verb === 'close') pages.delete(name)
  return await page[verb](rest)
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, ...request } = JSON.parse(line)
  act(request).then(
    result => tell({ id, result: result ?? null }),
    error => tell({ id, error: String(error?.message ?? error), stack: String(error?.stack) }),
  )
}
process.exit(0)
