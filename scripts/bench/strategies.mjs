// Composes one View of the published Strategy, its three extensions and fixture
// Sources on the published runner, and prints its digest:
// node strategies.mjs NODE_MODULES ENTRIES WORKSPACE
// ENTRIES is the list that the binary mounts: [{id, name, config?}].
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { isAbsolute, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [modules, entries, workspaceId] = process.argv.slice(2)
const { resolve } = createRequire(join(modules, 'any.js'))
const load = name => import(pathToFileURL(isAbsolute(name) && /\.mjs$/.test(name) ? name : resolve(name)).href)

const { MemoryCompositionRunner } = await load('dsh-mnemon/testing')
const runner = new MemoryCompositionRunner()
for (const { id, name, config } of JSON.parse(readFileSync(entries, 'utf8'))) {
  await runner.mount(await load(name), { instanceId: id, ...(config && { config }) })
}
const turn = await runner.beginTurn({ scope: { storage: 'workspace', workspaceId }, scenario: 'agent.root-turn' })
console.log(turn.view.digest)
turn.release()
await runner.dispose()
