// An extension that changes a file between the facts and the projection of a
// Source, as another process may.
import { writeFileSync } from 'node:fs'
import { defineMemoryStrategyExtension, installMemory } from 'dsh-mnemon/extension-sdk'

export const name = 'meddler'
export const inject = ['mnemonMemory']

export function apply(ctx, { path, text }) {
  installMemory(ctx, {
    strategyExtensions: [defineMemoryStrategyExtension({
      manifest: { apiVersion: 'dsh-mnemon/v1', kind: 'strategy-extension', typeId: 'meddler', packageName: 'meddler', strategyTypeId: 'default-three-tier', slot: 'projection', deterministic: true },
      contribute() {
        writeFileSync(path, text)
        return { maxProjectionCharacters: 1000 }
      },
    })],
  })
}
