// The twelve verbs as the published runner calls them, over a Peer: what it says
// goes through the published codecs and is named on the way.
import table from '@deepseek-ai/dsh-cordis-host-runner/remote'

const json = value => JSON.parse(JSON.stringify(value))

// What a host answers is one object; some verbs answer a part of it.
const silent = ['syncInspectManifest', 'reportRenderFailure', 'reportClientGuardFailure']
const answer = (method, value) => method === 'inventory' ? value.rows : silent.includes(method) ? null : value

export function remoteOf(peer) {
  const verbs = {}
  for (const descriptor of table.descriptors) {
    verbs[descriptor.method] = (...values) => call(peer, descriptor, values)
  }
  return verbs
}

async function call(peer, { method, parameters, result }, values) {
  const named = {}
  parameters.forEach(({ wire, codec }, i) => {
    try {
      named[wire] = codec.schema.parse(values[i])
    } catch {
      throw new Error(`client api: dynamicCordisRunner/${method} rejected ${JSON.stringify(wire)}`)
    }
  })
  try {
    return { ok: true, value: result.schema.parse(answer(method, await peer.call(method, json(named)))) }
  } catch (error) {
    return { ok: false, error: { code: 'internal', message: error.message } }
  }
}
