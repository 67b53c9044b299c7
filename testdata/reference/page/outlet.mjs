// Draws the entries of a slot, and tells the registry of those that crash.

export function outletOf(React, slots) {
  const { createElement, useSyncExternalStore } = React

  class Boundary extends React.Component {
    state = { failed: false }

    static getDerivedStateFromError() { return { failed: true } }

    componentDidCatch(error) { this.props.report(error) }

    render() {
      return this.state.failed ? createElement('div', { 'data-slot-error': this.props.slot }) : this.props.children
    }
  }

  const numbers = new WeakMap()
  let last = 0
  const keyOf = (entry) => {
    if (!numbers.has(entry)) numbers.set(entry, ++last)
    return numbers.get(entry)
  }

  const draw = (name, spec, entry, props) => {
    const report = error => slots._core.reportEntryError(name, entry, error, { abdicate: spec.kind !== 'chain' })
    return createElement(Boundary, { key: keyOf(entry), slot: name, report }, createElement(entry.component, props))
  }

  const drawChain = (name, spec, owner) => {
    for (const entry of slots.entries(name)) {
      const matched = entry.select(owner)
      if (matched !== null) return draw(name, spec, entry, { ...owner, matched })
    }
    return undefined
  }

  const chosen = (spec, winners, entryKey) => {
    if (spec.kind === 'keyed') return winners.filter(entry => entry.options.key === entryKey)
    if (spec.kind === 'single') return winners.slice(0, 1)
    return [...winners].sort((a, b) => (a.options.order ?? 0) - (b.options.order ?? 0))
  }

  return function Outlet({ name, owner = {}, entryKey, fallback = null }) {
    useSyncExternalStore(changed => slots.subscribe(name, changed), () => slots.getVersion(name))
    const spec = slots.spec(name)
    if (!spec) return null
    let body
    if (spec.kind === 'chain') body = drawChain(name, spec, owner)
    else {
      const entries = chosen(spec, slots.entriesOfSlot(name), entryKey)
      if (entries.length > 0) body = entries.map(entry => draw(name, spec, entry, owner))
    }
    return createElement('div', { 'data-slot': name }, body ?? fallback)
  }
}
