// A Source over a file of lines, for the field cases.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createMemoryMutationReceipt, defineMemorySource, installMemory, truncateMemoryText, withMemoryStorageLock } from 'dsh-mnemon/extension-sdk'

export const name = 'acme-store'
export const inject = ['mnemonMemory']

const capacity = 10240
const revisionOf = text => createHash('sha256').update(text).digest('hex')
const wordsOf = text => new Set(text.toLowerCase().match(/\p{L}{4,}/gu) ?? [])

export function apply(ctx, { path, answers }) {
  const read = () => readFileSync(path, 'utf8')
  const replace = text => { writeFileSync(path + '.new', text); renameSync(path + '.new', path) }

  // directory is what the service of spaces answers this time.
  async function directory() {
    if (answers === undefined) return true
    const count = path + '.count'
    const n = existsSync(count) ? Number(readFileSync(count, 'utf8')) : 0
    writeFileSync(count, String(n + 1))
    const answer = answers[Math.min(n, answers.length - 1)]
    if (answer.delayMs > 0) await new Promise(done => setTimeout(done, answer.delayMs))
    return answer.spaces?.some(space => space.writable) ?? false
  }

  installMemory(ctx, { sources: [defineMemorySource({
    manifest: {
      apiVersion: 'dsh-mnemon/v1', kind: 'source', typeId: 'store', packageName: name, role: 'notes',
      capabilities: ['project', 'search', 'write'], consistency: 'exact-snapshot',
      routes: [{ id: 'search', description: 'Search.', capability: 'search', inputSchema: { type: 'object', required: ['query'] }, maxCalls: 3 }],
      actions: [{ id: 'add', description: 'Add.', capability: 'write', inputSchema: { type: 'object', required: ['text'] } }],
    },
    create: ({ sourceInstanceKey }) => ({
      async facts() {
        const writable = await directory()
        return {
          sourceInstanceKey, sourceTypeId: 'store', role: 'notes', availability: 'ready', revision: revisionOf(read()),
          capabilities: writable ? ['project', 'search', 'write'] : ['project', 'search'], routeIds: ['search'], actionIds: writable ? ['add'] : [],
        }
      },
      project({ mode, maxCharacters, expectedRevision }) {
        const text = read()
        if (revisionOf(text) !== expectedRevision) throw new Error('changed meanwhile')
        return {
          fragments: [{ id: 'all', sourceInstanceKey, mode, text: truncateMemoryText(text, maxCharacters), revision: expectedRevision }],
          readGrant: { id: `${sourceInstanceKey}/grant`, sourceInstanceKey, schema: 'store/v1', value: expectedRevision, revision: expectedRevision, consistency: 'exact-snapshot' },
        }
      },
      query({ view, route, input }) {
        const asked = wordsOf(input.query)
        const lines = read().split('\n').filter(line => line.startsWith('- '))
        const scored = lines.map(line => ({ line, score: [...wordsOf(line)].filter(word => asked.has(word)).length })).filter(({ score }) => score > 0)
        scored.sort((a, b) => b.score - a.score)
        return {
          id: 'found', viewId: view.id, routeId: route.id, sourceInstanceKey, observedAt: '2026-01-01T00:00:00.000Z', truncated: false,
          items: scored.map(({ line, score }, i) => ({ id: `line-${i}`, text: line.slice(2), score, provenance: {} })),
        }
      },
      mutate: ({ view, offer, grant, input }) => withMemoryStorageLock(path, async () => {
        const text = read(), now = revisionOf(text)
        const receipt = (details, completion) => createMemoryMutationReceipt(view.id, offer.id, sourceInstanceKey, now, details, completion)
        if (grant.value !== now && !input.retry) return receipt({ conflict: true, text: input.text }, 'failed')
        const next = `${text}- ${input.text}\n`
        if (Buffer.byteLength(next) > capacity) return receipt({ full: 'remove an entry first', text: input.text }, 'failed')
        replace(next)
        return receipt({}, 'committed')
      }),
    }),
  })] })
}
