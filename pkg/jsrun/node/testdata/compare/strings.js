const { StringDecoder } = require('node:string_decoder')
for (const e of ['utf8', 'utf16le', 'base64', 'hex', 'latin1']) {
  const d = new StringDecoder(e)
  const parts = []
  for (const b of [0x61, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0x80, 0xe2]) parts.push(d.write(Buffer.from([b])))
  out([e, d.encoding, parts, d.end(), d.end()])
}
const d = new StringDecoder()
out([d.write(Buffer.from([0xe2, 0x82])), d.write(Buffer.from([0x41])), d.end(Buffer.from([0xf0, 0x9f])), d.write('text')])
out([thrown(() => new StringDecoder('x')), thrown(() => d.write(5))])
const u = new StringDecoder('utf16le')
out([u.write(Buffer.from([0x3d, 0xd8])), u.write(Buffer.from([0x4d])), u.write(Buffer.from([0xdc])), u.end()])
const e = new TextEncoder()
out([e.encoding, [...e.encode('a€\ud800')], e.encodeInto('a€', new Uint8Array(3)), e.encodeInto('a😀', new Uint8Array(9))])
const bytes = [0xef, 0xbb, 0xbf, 0x61, 0xe2]
for (const [label, options] of [['utf-8'], ['utf8', { ignoreBOM: true }], ['utf-16le'], ['latin1'], ['ascii'], ['windows-1252']]) {
  const t = new TextDecoder(label, options)
  out([label, t.encoding, t.fatal, t.ignoreBOM, t.decode(new Uint8Array(bytes)), t.decode(new Uint8Array([0xe9, 0x41]).buffer)])
}
out([thrown(() => new TextDecoder('nope')), thrown(() => new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([0xff]))), new TextDecoder().decode()])
const s = new TextDecoder()
out([s.decode(new Uint8Array([0xe2]), { stream: true }), s.decode(new Uint8Array([0x82]), { stream: true }), s.decode(new Uint8Array([0xac, 0xe2]), { stream: true }), s.decode()])
