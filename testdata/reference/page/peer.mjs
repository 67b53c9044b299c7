// One connection with a host: JSON-RPC 2.0, one message a line, on a unix socket.
import { connect } from 'node:net'
import { createInterface } from 'node:readline'

export class Peer {
  #socket
  #last = 0
  #waiting = new Map()
  activity = 0 // grows with everything that is asked or told

  constructor(socket, heard, answer) {
    this.#socket = socket
    createInterface({ input: socket }).on('line', line => this.#take(JSON.parse(line), heard, answer))
    socket.on('close', () => this.#end(new Error('the host has closed the connection')))
    socket.on('error', () => {})
  }

  // dial connects and says hello. heard is told each notification, answer is
  // asked each request.
  static async dial(path, hello, heard, answer) {
    const socket = connect(path)
    await new Promise((ok, no) => socket.once('connect', ok).once('error', no))
    const peer = new Peer(socket, heard, answer)
    await peer.call('hello', hello)
    return peer
  }

  get pending() { return this.#waiting.size }

  call(method, params) {
    this.activity++
    const id = ++this.#last
    this.#send({ id, method, params })
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }))
  }

  close() { this.#socket.destroy() }

  #send(message) { this.#socket.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`) }

  #take({ id, method, params, result, error }, heard, answer) {
    if (method !== undefined && id === undefined) {
      this.activity++
      heard(method, params)
    } else if (method !== undefined) {
      Promise.resolve().then(() => answer(method, params)).then(
        value => this.#send({ id, result: value ?? null }),
        problem => this.#send({ id, error: { code: -32000, message: String(problem?.message ?? problem) } }),
      )
    } else {
      const waiting = this.#waiting.get(id)
      this.#waiting.delete(id)
      if (error === undefined) waiting?.resolve(result)
      else waiting?.reject(Object.assign(new Error(error.message), { data: error.data }))
    }
  }

  #end(error) {
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}
