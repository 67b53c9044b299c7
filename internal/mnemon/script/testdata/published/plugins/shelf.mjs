// A Provider of ours with fixed spaces: what it remembers is what it is told that
// came of it.
import { defineMemorySpaceProvider, defineMemorySpaceProviderDefinition, MEMORY_SPACE_PROVIDER_API_VERSION } from 'dsh-mnemon-source-memory-spaces/provider-sdk'

export const descriptor = {
  id: 'shelf', label: 'Shelf', icon: { kind: 'glyph', value: 'S' }, summary: 'Fixed spaces.', origin: 'third-party', kind: 'remote', workspaceBinding: 'provider-global',
  capabilities: { search: true, browse: true, graph: false, entities: false, related: false, remember: true, link: false, forget: false, writeMode: 'exact', deletionMode: 'unsupported' },
  fields: [
    { key: 'endpoint', label: 'Endpoint', scope: 'service', input: 'url', required: true, defaultValue: 'http://localhost:1/', normalize: 'trim-trailing-slash' },
    { key: 'token', label: 'Token', scope: 'service', input: 'secret', required: false },
    { key: 'tries', label: 'Tries', scope: 'service', input: 'number', required: false, min: 1, max: 5 },
    { key: 'strict', label: 'Strict', scope: 'service', input: 'boolean', required: false },
    { key: 'kind', label: 'Kind', scope: 'service', input: 'select', required: false, options: [{ value: 'a', label: 'A' }, { value: 'b', label: 'B' }] },
    { key: 'name', label: 'Name', scope: 'memory', input: 'text', required: false, pattern: '^[a-z]+$', validationMessage: 'only small letters', maxLength: 8 },
  ],
}

class Shelf {
  id = 'shelf'
  async discover() { return ['alpha', 'beta'].map(name => ({ externalId: name, name: `Of ${name}`, description: `The ${name} space.`, connection: {} })) }
  async status() { return { healthy: true } }
  async search() { return { results: [] } }
  async list() { return [] }
  async remember(body, { content }) { return JSON.parse(content) }
}

export const definition = defineMemorySpaceProviderDefinition({
  manifest: {
    apiVersion: MEMORY_SPACE_PROVIDER_API_VERSION, kind: 'provider', typeId: descriptor.id, packageName: 'shelf', version: '1.0.0', label: descriptor.label, icon: descriptor.icon,
    summary: descriptor.summary, origin: descriptor.origin, locality: descriptor.kind, workspaceBinding: descriptor.workspaceBinding, capabilities: descriptor.capabilities,
    fields: descriptor.fields, secrets: ['token'], scoreSemantics: 'none',
  },
  create: () => new Shelf(),
})

export default defineMemorySpaceProvider({ id: descriptor.id, apply(ctx, host) { host.install(ctx, definition) } })
