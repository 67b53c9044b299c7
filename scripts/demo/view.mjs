// Composes the View of two published packages on their own runner, and prints
// its digest: node view.mjs NODE_MODULES WORKSPACE
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [modules, workspaceId] = process.argv.slice(2)
const { resolve } = createRequire(join(modules, 'any.js'))
const load = specifier => import(pathToFileURL(resolve(specifier)).href)

const { MemoryCompositionRunner } = await load('dsh-mnemon/testing')
const runner = new MemoryCompositionRunner()
await runner.mount(await load('dsh-mnemon-source-runtime'), { instanceId: 'runtime' })
await runner.mount(await load('dsh-mnemon-strategy-default-three-tier'), { instanceId: 'default-three-tier' })
const turn = await runner.beginTurn({ scope: { storage: 'workspace', workspaceId }, scenario: 'agent.root-turn' })
console.log(turn.view.digest)
turn.release()
await runner.dispose()
