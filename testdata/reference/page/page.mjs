// One page: a plugin root with slots, theme and the published client runner,
// drawn into the document, whose runner talks with a host.
import { openBrowser } from './browser.mjs'
import { outletOf } from './outlet.mjs'
import { Peer } from './peer.mjs'
import { remoteOf } from './remote.mjs'

const sleep = ms => new Promise(done => setTimeout(done, ms))

export class Page {
  // open connects a page of a name with the host at a socket.
  static async open(name, { socket, hello }) {
    const page = new Page()
    page.listeners = new Map()
    page.peer = await Peer.dial(socket, hello, (method, params) => page.hear(method, params), () => { throw new Error('a page answers nothing') })
    page.verbs = remoteOf(page.peer)
    await page.build(name, await openBrowser())
    await page.settle()
    return page
  }

  hear(method, params) {
    if (method !== 'event') return
    setTimeout(() => { for (const listener of this.listeners.get(params.name) ?? []) listener(params.payload) }, 0)
  }

  async build(name, { React, createRoot, cordis, runtime, theme, runner, factories }) {
    const ctx = this.ctx = new cordis.Context()
    await ctx.plugin(runtime.SlotRegistry)
    const scope = { subscribe: () => () => {}, getSnapshot: () => ({ value: undefined }), set: async () => {} }
    ctx.provide('theme', this.themes = new theme.ThemeRuntime(ctx, scope))
    this.provideModules(factories)
    this.provideRemote()
    this.host = document.createElement('main')
    this.host.id = `page-${name}`
    document.body.append(this.host)
    const Outlet = outletOf(React, ctx.slots)
    this.furnish(React, Outlet)
    this.fiber = ctx.plugin(runner)
    await this.fiber
    this.face = ctx.dynamicCordisRunner
    this.root = createRoot(this.host)
    this.root.render(React.createElement(Outlet, { name: 'root' }))
  }

  // provideModules stands in for the page's loader and its table of modules.
  provideModules(factories) {
    const entries = new Map()
    this.ctx.reflect.provide('loader', {
      create: async ({ name }) => {
        const id = `entry-${entries.size + 1}-${name}`
        const fiber = this.ctx.plugin(factories.get(name)())
        Promise.resolve(fiber).catch(() => {}) // who waits for the fiber is told
        entries.set(id, { fiber })
        return id
      },
      resolve: id => entries.get(id) ?? { fiber: undefined },
      remove: async (id) => {
        const entry = entries.get(id)
        entries.set(id, { fiber: undefined })
        await entry?.fiber?.dispose()
      },
    })
    this.ctx.reflect.provide('modules', { invalidate: id => factories.delete(id) })
  }

  provideRemote() {
    const on = (event, listener) => {
      this.listeners.set(event, [...this.listeners.get(event) ?? [], listener])
      return () => {}
    }
    this.ctx.reflect.provide('remote', { dynamicCordisRunner: this.verbs, $on: on })
    this.ctx.reflect.provide('remote.dynamicCordisRunner', this.verbs)
  }

  // furnish declares the slots that samples use, and draws them.
  furnish(React, Outlet) {
    const { slots } = this.ctx
    const seen = new Set()
    this.showCard = (card) => {
      this.card = card
      for (const changed of seen) changed()
    }
    const watch = (changed) => {
      seen.add(changed)
      return () => seen.delete(changed)
    }
    const outlet = (name, owner, more) => React.createElement(Outlet, { key: name, name, owner, ...more })
    slots.register({
      name: 'root',
      registrant: 'page-shell',
      children: {
        'shell.overlay': { kind: 'list', scope: 'root' },
        'sidebar.footer.action': { kind: 'list', scope: 'root' },
        'settings.section': { kind: 'list', scope: 'root' },
        'conversation.chat.turnTail': { kind: 'chain', scope: 'session' },
        'tool.call.toolview': { kind: 'keyed', scope: 'session' },
      },
    }, () => {
      const card = React.useSyncExternalStore(watch, () => this.card)
      return [
        outlet('sidebar.footer.action', { wide: true }),
        outlet('settings.section', { close: () => {} }),
        outlet('shell.overlay'),
        outlet('conversation.chat.turnTail', { turn: { turn: 1 }, seq: 4 }),
        card && outlet('tool.view.cordis', card, { entryKey: `${card.pluginId}.${card.packageId}`, fallback: 'no business view' }),
      ]
    })
    slots.register({
      name: 'tool.call.toolview',
      key: 'cordis_run',
      registrant: 'page-shell',
      children: { 'tool.view.cordis': { kind: 'keyed', scope: 'session' } },
    }, () => null)
  }

  // settle waits until the page has heard and done all that it was told.
  async settle() {
    for (let before = -1, round = 0; before !== this.peer.activity && round < 100; round++) {
      await this.verbs.inventory()
      before = this.peer.activity
      await sleep(10)
      for (let wait = 0; this.peer.pending > 0 && wait < 200; wait++) await sleep(5)
    }
  }

  async approve({ request, future = false }) {
    await this.face.approve(request, future)
    await this.settle()
  }

  async decline({ request }) {
    await this.face.decline(request)
    await this.settle()
  }

  async panelRun({ run }) {
    await this.face.startUserRun(run)
    await this.settle()
  }

  async panelStop({ session, plugin }) { return this.gesture('stopFromPanel', session, plugin) }

  async panelRemove({ session, plugin }) { return this.gesture('undefineFromPanel', session, plugin) }

  async gesture(verb, session, plugin) {
    const { ok, value, error } = await this.verbs[verb](session, plugin)
    await this.settle()
    if (!ok) throw new Error(error.message)
    return value
  }

  async reconcile() {
    this.face.reconcileApprovals((await this.verbs.inventory()).value)
    await this.settle()
  }

  async runCard({ card }) {
    this.showCard(card)
    await this.settle()
  }

  async emit({ event, args = [] }) {
    this.ctx.emit(event, ...args)
    await this.settle()
  }

  async click({ selector }) {
    this.host.querySelector(selector).click()
    await this.settle()
    await sleep(20)
  }

  html() {
    return [...this.host.querySelectorAll('[data-slot]')]
      .filter(node => node.dataset.slot !== 'root' && node.innerHTML !== '')
      .map(node => [node.dataset.slot, node.innerHTML])
  }

  styles() {
    return [...document.querySelectorAll('style[data-dyn]')].map(tag => ({ owner: tag.dataset.dyn, css: tag.textContent }))
  }

  theme() { return this.themes.getTheme().active.tokens }

  state() {
    const { face } = this
    const rows = store => Object.fromEntries(store.getSnapshot())
    return { loaded: face.getSnapshot(), activity: rows(face.activeRuns), failures: rows(face.lastRunError), renderFailures: rows(face.renderFailures) }
  }

  // vanish is a closed tab: it says nothing, it is gone.
  vanish() { this.peer.close() }

  async close() {
    this.root.unmount()
    await this.fiber.dispose()
    this.host.remove()
    this.peer.close()
  }
}
