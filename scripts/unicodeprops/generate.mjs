// Writes pkg/jsrun/unicode.txt, the properties that a regular expression may
// name, as this Node knows them:
//
//	node scripts/unicodeprops/generate.mjs > pkg/jsrun/unicode.txt
//
// A line is a property: its names, parted by |, a blank, its ranges. A range is
// the gap since the end of the last one and, after a -, its length less one if
// that is not 0, both in base 36.
const top = 0x110000
const categories = {
  L: 'Letter', LC: 'Cased_Letter', Lu: 'Uppercase_Letter', Ll: 'Lowercase_Letter', Lt: 'Titlecase_Letter', Lm: 'Modifier_Letter', Lo: 'Other_Letter',
  M: 'Mark|Combining_Mark', Mn: 'Nonspacing_Mark', Mc: 'Spacing_Mark', Me: 'Enclosing_Mark',
  N: 'Number', Nd: 'Decimal_Number|digit', Nl: 'Letter_Number', No: 'Other_Number',
  P: 'Punctuation|punct', Pc: 'Connector_Punctuation', Pd: 'Dash_Punctuation', Ps: 'Open_Punctuation', Pe: 'Close_Punctuation',
  Pi: 'Initial_Punctuation', Pf: 'Final_Punctuation', Po: 'Other_Punctuation',
  S: 'Symbol', Sm: 'Math_Symbol', Sc: 'Currency_Symbol', Sk: 'Modifier_Symbol', So: 'Other_Symbol',
  Z: 'Separator', Zs: 'Space_Separator', Zl: 'Line_Separator', Zp: 'Paragraph_Separator',
  C: 'Other', Cc: 'Control|cntrl', Cf: 'Format', Cs: 'Surrogate', Co: 'Private_Use', Cn: 'Unassigned',
}
const binary = `ASCII ASCII_Hex_Digit|AHex Alphabetic|Alpha Any Assigned Bidi_Control|Bidi_C Bidi_Mirrored|Bidi_M Case_Ignorable|CI Cased
Changes_When_Casefolded|CWCF Changes_When_Casemapped|CWCM Changes_When_Lowercased|CWL Changes_When_NFKC_Casefolded|CWKCF
Changes_When_Titlecased|CWT Changes_When_Uppercased|CWU Dash Default_Ignorable_Code_Point|DI Deprecated|Dep Diacritic|Dia Emoji
Emoji_Component|EComp Emoji_Modifier|EMod Emoji_Modifier_Base|EBase Emoji_Presentation|EPres Extended_Pictographic|ExtPict Extender|Ext
Grapheme_Base|Gr_Base Grapheme_Extend|Gr_Ext Hex_Digit|Hex IDS_Binary_Operator|IDSB IDS_Trinary_Operator|IDST ID_Continue|IDC
ID_Start|IDS Ideographic|Ideo Join_Control|Join_C Logical_Order_Exception|LOE Lowercase|Lower Math Noncharacter_Code_Point|NChar
Pattern_Syntax|Pat_Syn Pattern_White_Space|Pat_WS Quotation_Mark|QMark Radical Regional_Indicator|RI Sentence_Terminal|STerm
Soft_Dotted|SD Terminal_Punctuation|Term Unified_Ideograph|UIdeo Uppercase|Upper Variation_Selector|VS White_Space|space
XID_Continue|XIDC XID_Start|XIDS`.split(/\s+/)

const compile = (name) => {
  try { return new RegExp(`^\\p{${name}}$`, 'u') } catch { return null }
}
const ranges = (re) => {
  const out = []
  let end = 0, start = -1
  for (let c = 0; c <= top; c++) {
    const is = c < top && re.test(String.fromCodePoint(c))
    if (is && start < 0) start = c
    if (!is && start >= 0) {
      out.push((start - end).toString(36) + (c - 1 > start ? `-${(c - 1 - start).toString(36)}` : ''))
      end = c
      start = -1
    }
  }
  return out.join(' ')
}
const lines = []
const add = (names, name) => {
  const re = compile(name)
  if (re) lines.push(`${names} ${ranges(re)}`)
  else console.error(`unknown here: ${name}`)
}
for (const [short, long] of Object.entries(categories)) add(`gc=${short}|${long}`, `gc=${short}`)
for (const names of binary) add(names, names.split('|')[0])

// The scripts: every short name that exists, with the long names that the
// caller gives on the command line, matched by what they hold.
const {readFileSync} = await import('node:fs')
const longs = new Map()
for (const long of readFileSync(0, 'utf8').split(/\s+/).filter(Boolean)) {
  const re = compile(`sc=${long}`)
  if (re) longs.set(ranges(re), long)
}
const letters = 'abcdefghijklmnopqrstuvwxyz'
for (const a of letters.toUpperCase()) for (const b of letters) for (const c of letters) for (const d of letters) {
  const short = a + b + c + d
  const re = compile(`sc=${short}`)
  if (!re) continue
  const held = ranges(re)
  const long = longs.get(held)
  if (long === undefined && held !== '') console.error(`no long name: ${short}`)
  const names = [...new Set([short, ...(long ? [long] : [])])].join('|')
  lines.push(`sc=${names} ${held}`)
  const extended = ranges(compile(`scx=${short}`))
  if (extended !== held) lines.push(`scx=${names} ${extended}`)
}
console.log(lines.join('\n'))
