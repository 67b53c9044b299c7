// Measures the published Host runner under Node: define and run, invoke and
// update of a small Host half, and the memory of many of them.
// Usage: node runner.mjs ROUNDS PLUGINS <HALF, beside the packages or as --eval in
// their folder.
// Prints one JSON object: medians in microseconds, bytes a plugin.
import { readFileSync } from 'node:fs'
import { Context } from '@deepseek-ai/cordis'
import * as Timer from '@deepseek-ai/cordis-plugin-timer'
import SystemPrompt from '@deepseek-ai/dsh-system-prompt'
import ToolRuntime from '@deepseek-ai/dsh-tools'
import HostRunner from '@deepseek-ai/dsh-cordis-host-runner'
import * as ToolCordis from '@deepseek-ai/dsh-tool-cordis'

// The timer package needs what Node 20 does not have yet.
Promise.withResolvers ??= () => {
  const made = {}
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }))
  return made
}

const [rounds, plugins] = process.argv.slice(-2).map(Number)
const host = readFileSync(0, 'utf8')
const owner = { id: 'bench', steer() {}, inject() {} }
const ctx = new Context()
for (const part of [Timer.default, SystemPrompt, ToolRuntime]) await ctx.plugin(part)
await ctx.plugin({ name: 'agents', apply: c => { c.provide('agents', { get: () => owner }) } })
await ctx.plugin(HostRunner, {})
await ctx.plugin(ToolCordis)

let calls = 0
const tool = async (name, args) => {
  const result = await ctx.tools.execute({ signal: new AbortController().signal, callId: `call-${++calls}`, name, arguments: args, agent: owner })
  if (result.isError) throw new Error(`${name}: ${result.error.message}`)
  return result.value
}
const define = plugin => tool('cordis_define', { plugin, name: 'Small', purpose: 'be measured', code: { host } })
const run = (made, mode) => tool('cordis_run', { pluginId: made.pluginId, packageId: made.packageId, mode })
const start = async () => {
  const made = await define({ kind: 'new', idPrefix: 'small' })
  return { ...made, ...await run(made, 'run') }
}
const median = (list) => { list.sort((a, b) => a - b); return list[list.length >> 1] }
const time = async (work) => {
  const took = []
  for (let i = 0; i < rounds; i++) {
    const from = process.hrtime.bigint()
    await work(i)
    took.push(Number(process.hrtime.bigint() - from) / 1000)
  }
  return median(took)
}

const one = await start()
const defineRun = await time(start)
const invoke = await time(() => ctx.dynamicCordisRunner.invoke(one.pluginId, one.pluginRunId, 'double', { value: 21 }))
const update = await time(async () => run(await define({ kind: 'existing', pluginId: one.pluginId }), 'update'))
globalThis.gc?.()
const before = process.memoryUsage().rss
for (let i = 0; i < plugins; i++) await start()
globalThis.gc?.()
console.log(JSON.stringify({ defineRun, invoke, update, memory: (process.memoryUsage().rss - before) / plugins }))
process.exit(0)
