// A browser for the published packages: jsdom, React 18, and the module table
// that their bundles register themselves in. There is one for all pages.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { JSDOM } from 'jsdom'

const require = createRequire(import.meta.url)

let browser
export function openBrowser() { return browser ??= load() }

async function load() {
  const { window } = new JSDOM('<!doctype html><body></body>', { url: 'http://localhost/', pretendToBeVisual: true })
  lend(window)
  const React = require('react')
  const factories = moduleTable()
  const cordis = await import('@deepseek-ai/cordis')
  const modules = {
    react: React,
    'react/jsx-runtime': require('react/jsx-runtime'),
    '@deepseek-ai/cordis': cordis,
    '@deepseek-ai/dsh-client-ui-slots': await import('@deepseek-ai/dsh-client-ui-slots'),
  }
  const bundle = name => runBundle(name, factories, modules)
  return {
    React,
    createRoot: require('react-dom/client').createRoot,
    cordis,
    factories,
    runtime: await bundle('@deepseek-ai/dsh-client-runtime'),
    theme: await bundle('@deepseek-ai/dsh-client-ui-theme'),
    runner: await bundle('@deepseek-ai/dsh-cordis-client-runner'),
  }
}

// lend gives this realm what a browser's has.
function lend(window) {
  globalThis.window = globalThis
  for (const key of Object.getOwnPropertyNames(window)) {
    if (key in globalThis) continue
    try {
      globalThis[key] = window[key]
    } catch { /* some are for reading by their own window alone */ }
  }
  for (const key of ['document', 'Node', 'HTMLElement']) globalThis[key] = window[key]
  globalThis.matchMedia = undefined
}

function moduleTable() {
  const factories = new Map()
  globalThis.__ModuleLoader__ = { load: ({ id, factory }) => { factories.set(id, factory) } }
  return factories
}

// runBundle runs a package's bundle for pages and gives what it exports. What
// it asks for and we have not got, a component of the product, shows nothing.
async function runBundle(name, factories, modules) {
  const nothing = new Proxy({}, { get: () => () => null })
  const path = join(dirname(require.resolve(`${name}/package.json`)), 'lib/client.js')
  new Function(await readFile(path, 'utf8'))()
  const find = wanted => modules[wanted] ?? modules[wanted.replace(/\/client$/, '')] ?? nothing
  return modules[name] = factories.get(name)(find)
}
