// What pages write and what nobody catches, as plain data for the replay.

const tagged = /^\[(cordis:[^\]]+|cordis-client-runner)\]/
const isError = value => value instanceof Error || Object.prototype.toString.call(value) === '[object Error]'

// part is one argument of a line: its text, and whether it was an error.
function part(value) {
  if (typeof value === 'string') return { text: value }
  if (isError(value)) return { text: String(value.message), error: true }
  if (typeof value === 'function') return { text: '[function]' }
  try {
    return { text: JSON.stringify(value) ?? String(value) }
  } catch {
    return { text: String(value) }
  }
}

// The clock of the machine in milliseconds, with fractions, so that lines of
// several processes can be put in order.
const now = () => performance.timeOrigin + performance.now()

export function watchConsole(tell) {
  for (const level of ['log', 'info', 'warn', 'error', 'debug']) {
    console[level] = (...args) => {
      const first = String(args[0])
      const tag = tagged.exec(first)?.[1]
      if (tag === undefined) return
      const rest = args.slice(1).map(part)
      if (tag !== 'cordis-client-runner') tell({ at: now(), level, tag, parts: rest })
      else tell({ at: now(), level, tag, parts: [{ text: first.replace(tagged, '').trim() }], detail: rest })
    }
  }
}

export function watchProcess(tell) {
  process.on('uncaughtException', error => tell({ kind: 'exception', message: String(error?.message ?? error) }))
  process.on('unhandledRejection', error => tell({ kind: 'rejection', message: String(error?.message ?? error) }))
}
