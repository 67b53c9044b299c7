// What this Node makes of values and texts, for the tests beside it. Recorded with
//
//	node corpus.mjs values > values.jsonl
//	node corpus.mjs texts > texts.jsonl
//	node corpus.mjs order > order.txt
//
// under Node 20.20.2 (ICU 78.2, Unicode 17.0). The same script answers a test that
// asks the Node of the machine for values that were not recorded:
//
//	node corpus.mjs random SEED COUNT
import {createHash} from 'node:crypto'

const compare = (a, b) => a.localeCompare(b, 'en-US')

// canonical is the form that is digested: members sorted by localeCompare.
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => compare(a, b))
  return `{${members.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(',')}}`
}

function record(text) {
  const value = JSON.parse(text)
  const form = canonical(value)
  const digest = createHash('sha256').update(form).digest('hex')
  return {text, canonical: form, digest, format: JSON.stringify(value), indented: JSON.stringify(value, null, 2)}
}

// ------------------------------------------------------------------ chance

let state = 1
function below(n) {
  state = (state + 0x6d2b79f5) | 0
  let t = Math.imul(state ^ (state >>> 15), 1 | state)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * n)
}
const oneOf = list => list[below(list.length)]

// ------------------------------------------------------------------ texts

const scripts = {
  ascii: [[0x20, 0x7e]],
  controls: [[0, 0x7f]],
  latin: [[0xc0, 0x24f], [0x61, 0x7a], [0x1e00, 0x1eff]],
  accents: [[0x61, 0x66], [0x300, 0x315], [0x41, 0x46]],
  han: [[0x4e00, 0x9fff]],
  neighbours: [[0x4e00, 0x4e40]],
  rareHan: [[0x3400, 0x4dbf], [0x20000, 0x2a6df], [0x2a700, 0x2ee5d], [0x30000, 0x33479], [0xf900, 0xfad9], [0x4e00, 0x9fff]],
  radicals: [[0x2e80, 0x2fd5], [0x3000, 0x303f], [0x3200, 0x33ff], [0x4e00, 0x4e80]],
  kana: [[0x3041, 0x30ff], [0xff66, 0xff9f]],
  hangul: [[0xac00, 0xd7a3], [0x1100, 0x11ff]],
  greek: [[0x386, 0x3ce]],
  cyrillic: [[0x400, 0x52f]],
  hebrew: [[0x5d0, 0x5ea]],
  arabic: [[0x620, 0x64a]],
  devanagari: [[0x904, 0x939]],
  thai: [[0xe01, 0xe5b]],
  punctuation: [[0x2000, 0x206f], [0x20a0, 0x27bf], [0x21, 0x40]],
  emoji: [[0x1f300, 0x1faff], [0x2600, 0x27bf]],
  wide: [[0xff01, 0xff5e]],
  newer: [[0x1e900, 0x1e943], [0x104b0, 0x104fb], [0xa7c0, 0xa7ff], [0x10570, 0x105bc], [0x1c80, 0x1cbf], [0x17000, 0x17100]],
  surrogates: [[0xd7f0, 0xe00f]],
  any: [[0, 0x10ffff]],
}
const names = Object.keys(scripts)
const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-:./'

function character(name) {
  const [from, to] = oneOf(scripts[name])
  return String.fromCodePoint(from + below(to - from + 1))
}

function word(name, length = 4) {
  let text = ''
  for (let i = 1 + below(length); i > 0; i--) text += character(below(8) === 0 ? oneOf(names) : name)
  return text
}

function identifier() {
  let text = ''
  for (let i = 1 + below(9); i > 0; i--) text += letters[below(letters.length)]
  return text
}

const text = () => below(3) === 0 ? identifier() : word(oneOf(names), 6)

// ------------------------------------------------------------------ values

const numbers = [0, -0, 1, -1, 0.1, -1.5, 1e21, 1e-7, 1e-6, 123456789012345680000, 1e20, 999999999999999900000,
  2 ** 53, 2 ** 53 - 1, 2 ** 53 + 2, -(2 ** 63), 5e-324, 1.7976931348623157e308, 2.2250738585072014e-308, 1 / 3, 100, 1e2, 1e100, 0.000001234, 1.25e-9, 4294967295]

function number() {
  if (below(3) === 0) return oneOf(numbers)
  if (below(3) === 0) return below(100000) / 100
  const bits = new DataView(new ArrayBuffer(8))
  bits.setUint32(0, below(2 ** 32))
  bits.setUint32(4, below(2 ** 32))
  const value = bits.getFloat64(0)
  return Number.isFinite(value) ? value : 7
}

function value(depth) {
  const kind = below(depth > 0 ? 8 : 5)
  if (kind === 0) return oneOf([null, true, false])
  if (kind === 1) return number()
  if (kind < 5) return text()
  if (kind === 5) return Array.from({length: below(5)}, () => value(depth - 1))
  return object(depth, below(7))
}

function object(depth, size) {
  const members = {}
  const script = oneOf(names)
  for (let i = size; i > 0; i--) {
    const key = [identifier, text, () => word(script), () => String(below(30)), () => word(script).normalize(oneOf(['NFC', 'NFD']))][below(5)]()
    Object.defineProperty(members, key, {value: value(depth - 1), enumerable: true, configurable: true, writable: true})
  }
  return members
}

const written = [
  'null', 'true', 'false', '0', '-0', '-0.0', '1', '""', '[]', '{}', ' [ ] ', '\t{\n}\r\n', '[[]]', '[{}]', '{"a":{}}', '{"a":[]}', '[[],[[]],{}]',
  '1.0', '1e0', '1E+2', '12345678901234567890', '0.1e-6', '1e-400', '-1e-400', '100000000000000000000000', '1.7976931348623157e308',
  '"\\u0000\\u001f\\u007f\\u0080\\u2028\\u2029\\ufeff\\uffff"', '"\\b\\t\\n\\f\\r\\"\\\\\\/\\u002f"', '"<>&\\u003c"', '"\\ud83d\\ude00"', '"\\ud83d"', '"\\ude00\\ud83d"', '"\\ud83dx\\ude00"',
  '"\\uD83D\\uD83D\\uDE00"', '{"\\ud800":1,"\\udfff":2,"a":3}', '{"b":1,"a":2,"b":3}', '{"2":1,"10":2,"1":3,"b":4,"a":5}', '{"01":1,"1":2,"-1":3,"1.5":4,"4294967294":5,"4294967295":6,"0":7}',
  '{"4294967296":1,"4294967295":2,"x":3,"4294967294":4}', '{"__proto__":1,"constructor":2,"toString":3}', '{"__proto__":{"a":1},"b":2}', '{"":1," ":2,"\\u0000":3}',
  '{"a":1,"a\\u0000":2}', '{"a\\u0000":1,"a":2}', '{"A\\u0001":1,"a":2,"A":3}', '{"é":1,"e\\u0301":2}', '{"e\\u0301":1,"é":2}', '{"中":1,"丬":2,"不":3,"与":4,"亐":5,"丗":6,"世":7}', '{"一":1,"㐀":2,"中":3,"丁":4,"\\ud840\\udc00":5}',
  '{"龥":1,"鿿":2,"a":3,"ア":4,"한":5}', '{"maxCalls":1,"maxcalls":2,"max-calls":3,"max_calls":4,"max.calls":5}', '{"actionIds":1,"apiVersion":2}', '{"豈":1,"豈":2}', '{"⼀":1,"一":2,"㊀":3}',
  '[' + '['.repeat(47) + ']'.repeat(47) + ']',
]

function* values() {
  yield* written
  for (let i = 0; i < 10; i++) yield JSON.stringify(Array.from({length: 60}, number))
  for (const name of names) for (let i = 0; i < 3; i++) yield JSON.stringify(Array.from({length: 6}, () => word(name, 6)))
  for (let i = 0; i < 60; i++) yield JSON.stringify(object(1, 4 + below(12)))
  yield* random(180)
}

function* random(count) {
  for (let i = 0; i < count; i++) yield JSON.stringify(value(4))
}

// ------------------------------------------------------------------ order

// relatives are texts that differ from one in what the later levels of the order
// look at: length, case, accents, width, characters that do not count.
function relatives(text) {
  return [text, text + character(oneOf(names)), text.toUpperCase(), text.normalize('NFD'), text.normalize('NFKC'), text + '\u0301', text + '\u0001', '\u0001' + text, text.replace(/^./u, '$&\u0308')]
}

function order() {
  const texts = new Set([''])
  for (let i = 0; i < 128; i++) texts.add(String.fromCharCode(i)).add('a' + String.fromCharCode(i))
  for (const name of names) {
    for (let i = 0; i < 110; i++) texts.add(character(name))
    for (let i = 0; i < 60; i++) texts.add(word(name))
    for (let i = 0; i < 12; i++) for (const relative of relatives(word(name, 3))) texts.add(relative)
  }
  for (let i = 0; i < 1200; i++) texts.add(identifier())
  const sorted = [...texts].sort(compare)
  return sorted.map((text, i) => (i > 0 && compare(sorted[i - 1], text) === 0 ? '=' : '<') + JSON.stringify(text))
}

// ------------------------------------------------------------------ texts that may be no JSON

function* mutations() {
  yield* ['', ' ', 'nul', 'nulll', 'True', '+1', '01', '-', '-01', '1.', '.5', '1e', '1e+', '0x1', 'NaN', 'Infinity', '[', ']', '[1', '[1,]', '[,1]', '[1 2]', '{', '{"a"}', '{"a":}', '{"a":1,}', '{a:1}', "{'a':1}", '"', '"a', '"\\x"', '"\\u12"', '"\\u12g4"', '"\t"', '"\n"', '"\u0000"', '[1]x', '1 1', '\ufeff1', '\u00a01', '1\u000b', '/**/1', '"\\', '{"a":1 "b":2}', '{1:2}', '"\u2028"', '"\u007f"', '[1]\u0000']
  for (let i = 0; i < 250; i++) {
    const text = JSON.stringify(value(2))
    const at = below(text.length + 1)
    yield text.slice(0, at) + oneOf(['', '', ',', '"', '\\', ']', '}', '0', '-', '.', 'e', ' ', '\u0000', '\u00e9']) + text.slice(at + below(2))
  }
}

const isJSON = text => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const [mode, seed, count] = process.argv.slice(2)
state = Number(seed ?? 20)
const lines = {
  values: () => [...values()].map(text => JSON.stringify(record(text))),
  random: () => [...random(Number(count))].map(text => JSON.stringify(record(text))),
  texts: () => [...mutations()].map(text => JSON.stringify({text, valid: isJSON(text)})),
  order: () => [...order()],
  versions: () => [JSON.stringify({unicode: process.versions.unicode})],
}[mode]()
process.stdout.write(lines.join('\n') + '\n')
