// Prints the order that this Node's ICU gives to single characters under the root
// collation, as JSON: {versions, classes, expands, accents}.
//
//   classes  all assigned characters, in groups of equal primary weight, in
//            order; each is [code point, rank within the group], and characters of
//            the first group have no primary weight: rank 0 is no weight at all
//   expands  those that weigh what their compatibility decomposition weighs, each
//            with 1 if they come after it by case or the like, 0 if they do not
//   accents  those of a canonical decomposition that weigh what its first part does
//
// English adds nothing to the root order, and is what Node has when it was built
// with little data.
const primary = new Intl.Collator('en-US', {sensitivity: 'base'})
const full = new Intl.Collator('en-US', {sensitivity: 'variant'})

const characters = []
for (let point = 0; point < 0x110000; point++) {
  const text = String.fromCodePoint(point)
  if (!/[\p{Cn}\p{Co}\p{Cs}]/u.test(text)) characters.push(text)
}
const byOrder = (a, b) => primary.compare(a, b) || full.compare(a, b) || a.codePointAt(0) - b.codePointAt(0)
characters.sort(byOrder)

const groups = []
for (const text of characters) {
  let group = groups.at(-1)
  if (group === undefined || primary.compare(group[0].text, text) !== 0) {
    const weightless = primary.compare('', text) === 0
    groups.push([{text, rank: weightless && full.compare('', text) !== 0 ? 1 : 0}])
    continue
  }
  const last = group.at(-1)
  group.push({text, rank: last.rank + (full.compare(last.text, text) === 0 ? 0 : 1)})
}

const expands = characters.filter(text => {
  const parts = text.normalize('NFKD')
  return parts !== text && parts !== text.normalize('NFD') && primary.compare(text, parts) === 0
})

const accents = characters.filter(text => {
  const parts = text.normalize('NFD')
  return parts !== text && primary.compare(text, String.fromCodePoint(parts.codePointAt(0))) === 0
})

const point = text => text.codePointAt(0)
process.stdout.write(JSON.stringify({
  versions: {icu: process.versions.icu, unicode: process.versions.unicode},
  classes: groups.map(group => group.map(({text, rank}) => [point(text), rank])),
  expands: expands.map(text => [point(text), full.compare(text, text.normalize('NFKD'))]),
  accents: accents.map(point),
}) + '\n')
