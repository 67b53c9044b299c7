(function (require, native) {
  'use strict'
  const host = native('host')
  host.elapsed() // time begins here
  const origin = host.now()
  const entries = []

  class PerformanceEntry {
    constructor(name, entryType, startTime, duration, detail = null) { Object.assign(this, { name, entryType, startTime, duration, detail }) }
    toJSON() { return { ...this } }
  }
  class PerformanceMark extends PerformanceEntry {}
  class PerformanceMeasure extends PerformanceEntry {}

  const now = () => host.elapsed() / 1e6
  const at = (mark, fallback) => {
    if (mark === undefined) return fallback
    if (typeof mark === 'number') return mark
    const found = entries.filter((e) => e.name === mark && e.entryType === 'mark').pop()
    if (!found) throw new DOMException(`The "${mark}" performance mark has not been set`, 'SyntaxError')
    return found.startTime
  }
  const performance = {
    now,
    timeOrigin: origin,
    mark(name, options = {}) {
      const entry = new PerformanceMark(`${name}`, 'mark', options.startTime === undefined ? now() : options.startTime, 0, options.detail)
      entries.push(entry)
      return entry
    },
    measure(name, from, to) {
      const options = from !== null && typeof from === 'object' ? from : { start: from, end: to }
      const start = at(options.start, 0)
      const entry = new PerformanceMeasure(`${name}`, 'measure', start, options.duration === undefined ? at(options.end, now()) - start : options.duration, options.detail)
      entries.push(entry)
      return entry
    },
    clearMarks(name) { drop('mark', name) },
    clearMeasures(name) { drop('measure', name) },
    getEntries: () => entries.slice(),
    getEntriesByName: (name, type) => entries.filter((e) => e.name === name && (type === undefined || e.entryType === type)),
    getEntriesByType: (type) => entries.filter((e) => e.entryType === type),
    timerify: (f) => f,
    eventLoopUtilization: () => ({ idle: 0, active: 0, utilization: 0 }),
    toJSON: () => ({ timeOrigin: origin }),
  }
  function drop(type, name) {
    for (let i = entries.length - 1; i >= 0; i--) if (entries[i].entryType === type && (name === undefined || entries[i].name === name)) entries.splice(i, 1)
  }
  class PerformanceObserver {
    observe() {}
    disconnect() {}
    takeRecords() { return [] }
  }
  Object.defineProperty(performance, Symbol.toStringTag, { value: 'Performance' })
  return { performance, PerformanceEntry, PerformanceMark, PerformanceMeasure, PerformanceObserver, constants: {} }
})
