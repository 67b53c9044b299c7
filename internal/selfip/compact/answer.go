package compact

import (
	"slices"
	"strings"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/gate"
	"github.com/dshkit/dshkit/internal/selfip/similar"
	"github.com/dshkit/dshkit/pkg/text"
)

// Rejection says why an answer is not taken; "" that it is.
type Rejection string

// The rejections (spec/selfip.md 20.4).
const (
	Cut        Rejection = "cut"        // by the limit of tokens or of characters
	Short      Rejection = "short"      // under 24 characters
	NoBullets  Rejection = "no-bullets" // no line begins with - or *
	Unfaithful Rejection = "unfaithful" // more than half of the entries are not found in it
)

// minAnswer is the least length of an answer, in UTF-16 code units.
const minAnswer = 24

// Answer is what a model made of entries that it was shown.
type Answer struct {
	Text  string
	Cut   bool         // by a limit
	By    string       // who wrote it, for metadata
	Stamp string       // of now
	Kinds []entry.Kind // of entries that the file holds, that of a line that names none first
}

// Judge reads an answer. An entry that it holds stays, with its metadata; of
// entries that say the same one stays; entries that a line of the answer says
// together are replaced by that line. What the answer does not hold stays as
// well, unless it stands there again and again: then it moves to the archive.
func Judge(entries []entry.Entry, a Answer) (Plan, Rejection) {
	plan := Local(entries)
	bullets, why := a.bullets()
	if why != "" {
		return plan, why
	}
	j := judge{Plan: plan, answer: a, entries: slices.Clone(entries), said: make([]saying, len(entries)), repeated: map[int]bool{}}
	for i, e := range entries {
		j.said[i] = sayingOf(e.Text)
		if into := plan.Into[i]; plan.Fates[i] == Twin {
			j.repeated[into], j.entries[into] = true, Absorb(j.entries[into], e)
		}
	}
	j.keep(bullets)
	for _, line := range j.left {
		j.take(line)
	}
	let := j.rest()
	j.add(let)
	if j.lost > j.distinct()/2 {
		return Local(entries), Unfaithful
	}
	j.audit(bullets)
	return j.Plan, ""
}

// bullets returns the entries of an answer.
func (a Answer) bullets() ([]entry.Entry, Rejection) {
	if a.Cut {
		return nil, Cut
	}
	s := unfenced(strings.TrimSpace(text.Clean(a.Text)))
	if text.Len(s) < minAnswer {
		return nil, Short
	}
	var out []entry.Entry
	for line := range strings.SplitSeq(s, "\n") {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "*"); ok {
			line = "-" + rest
		}
		if e, ok := entry.ParseLine(line); ok {
			out = append(out, headed(e))
		}
	}
	if len(out) == 0 {
		return nil, NoBullets
	}
	return out, ""
}

// headed reads a kind without a stamp before it, which models write
// (spec/selfip.md 29, W10).
func headed(e entry.Entry) entry.Entry {
	if e.Kind != "" || !strings.HasPrefix(e.Text, "(") {
		return e
	}
	word, rest, ok := strings.Cut(e.Text[1:], ")")
	if kind, known := entry.ParseKind(word); ok && known {
		e.Kind, e.Text = kind, strings.TrimSpace(rest)
	}
	return e
}

// unfenced takes the fence off an answer that stands in one as a whole.
func unfenced(s string) string {
	if !strings.HasPrefix(s, "```") || !strings.HasSuffix(s, "```") || len(s) < 6 {
		return s
	}
	_, body, ok := strings.Cut(strings.TrimSuffix(s, "```"), "\n")
	if !ok || strings.Contains(body, "\n```") {
		return s
	}
	return strings.TrimSpace(body)
}

// judge is an answer that is being read.
type judge struct {
	Plan
	answer   Answer
	entries  []entry.Entry
	said     []saying
	repeated map[int]bool  // keepers of groups
	found    []bool        // the answer holds the entry as it is
	left     []entry.Entry // lines of the answer that are no entries
	loose    []entry.Entry // those that stand for no entry either
	lost     int           // distinct entries that are not in the answer
}

// keep notes which entries the answer holds as they are; its other lines are
// left.
func (j *judge) keep(bullets []entry.Entry) {
	byKey := map[string][]int{}
	for i := range j.entries {
		byKey[j.keyOf(i)] = append(byKey[j.keyOf(i)], i)
	}
	j.found = make([]bool, len(j.entries))
	for _, b := range bullets {
		hits := byKey[key(b.Text, similar.FormOf(b.Text))]
		for _, i := range hits {
			j.found[j.keeper(i)] = true
		}
		if len(hits) == 0 {
			j.left = append(j.left, b)
		}
	}
}

func (j *judge) keyOf(i int) string { return key(j.entries[i].Text, j.said[i].form) }

// key is that of a form, or of the text when that says nothing.
func key(s string, f similar.Form) string {
	if f.Len() == 0 {
		return "\x00" + text.Fold(s)
	}
	return f.Key()
}

func (j *judge) keeper(i int) int {
	if j.Fates[i] == Twin {
		return j.Into[i]
	}
	return i
}

// take puts a line of the answer in the place of the entries that it says
// together, if it says nothing else.
func (j *judge) take(line entry.Entry) {
	v := gate.Note(line.Text)
	if v.Poison != nil || v.Text == "" {
		j.Refused++
		return
	}
	line.Text = v.Text
	own := sayingOf(line.Text)
	var sources []int
	for i := range j.entries {
		if j.Fates[i] == Keep && !j.found[i] && own.covers(j.said[i]) {
			sources = append(sources, i)
		}
	}
	switch {
	case len(sources) == 0:
		j.loose = append(j.loose, line)
	case own.invents(j.sayings(sources)) || own.own(j.sayings(sources)) > ownShare || j.gainsNothing(line, sources):
		j.Refused++
	default:
		j.merge(line, own, sources)
	}
}

func (j *judge) sayings(places []int) []saying {
	out := make([]saying, len(places))
	for n, i := range places {
		out[n] = j.said[i]
	}
	return out
}

// gainsNothing reports whether a line only says a single entry in other words,
// or is longer than all that it stands for.
func (j *judge) gainsNothing(line entry.Entry, sources []int) bool {
	total := 0
	for _, i := range sources {
		total += text.Len(j.entries[i].Text)
	}
	if len(sources) == 1 {
		total = total / 4 * 3
	}
	return text.Len(line.Text) > total
}

func (j *judge) merge(line entry.Entry, own saying, sources []int) {
	old := make([]entry.Entry, len(sources))
	for n, i := range sources {
		old[n] = j.entries[i]
		j.Fates[i], j.Into[i] = Merged, len(j.Lines)
	}
	line.Kind = j.kind(line, old)
	j.Lines = append(j.Lines, Line{inherit(line, old, own.own(j.sayings(sources)) > 0, j.answer.By), sources})
}

// kind is that of the sources; where they differ the line may choose among them.
func (j *judge) kind(line entry.Entry, sources []entry.Entry) entry.Kind {
	if slices.ContainsFunc(sources, func(s entry.Entry) bool { return s.Kind == line.Kind }) {
		return line.Kind
	}
	if sources[0].Kind == "" {
		return j.answer.Kinds[0]
	}
	return sources[0].Kind
}

// rest decides on what the answer does not hold, and returns how many entries
// move to the archive.
func (j *judge) rest() (let int) {
	for i := range j.entries {
		switch {
		case j.Fates[i] != Keep || j.found[i]:
		case j.repeated[i]:
			j.Fates[i] = Let
			let++
		default:
			j.Missing = append(j.Missing, i)
			j.lost++
		}
	}
	return let
}

// add keeps lines that stand for no entry, as many as entries moved to the
// archive, when they bring no name, number or address that nobody has said. They
// are the model's own word.
func (j *judge) add(room int) {
	for _, line := range j.loose {
		if room == 0 || j.foreign(sayingOf(line.Text)) {
			j.Refused++
			continue
		}
		room--
		e := entry.Entry{Stamp: j.answer.Stamp, Kind: line.Kind, Text: line.Text}
		if !slices.Contains(j.answer.Kinds, e.Kind) {
			e.Kind = j.answer.Kinds[0]
		}
		e = e.With("origin", modelOrigin).With("by", j.answer.By).With("ttl", itoa(entry.InferTTL(e.Text))).With("vfy", j.answer.Stamp)
		j.Lines = append(j.Lines, Line{Entry: e})
	}
}

// foreign reports whether a line has a name or number that no entry has.
func (j *judge) foreign(own saying) bool {
	return slices.ContainsFunc(own.hard, func(h string) bool {
		return !slices.ContainsFunc(j.said, func(s saying) bool { return s.set[h] })
	})
}

// distinct counts the entries but for those that say what another one says.
func (j *judge) distinct() (n int) {
	for _, f := range j.Fates {
		if f != Twin {
			n++
		}
	}
	return n
}

// lowCoverage is the share of tokens under which an entry that leaves is told of
// (spec/selfip.md 20.5).
const lowCoverage = 0.35

// audit notes what leaves and is hardly found in the answer.
func (j *judge) audit(bullets []entry.Entry) {
	all := map[string]bool{}
	for _, b := range bullets {
		for w := range sayingOf(b.Text).set {
			all[w] = true
		}
	}
	for i, f := range j.Fates {
		if (f == Merged || f == Let) && coverage(j.said[i], all) < lowCoverage {
			j.Low = append(j.Low, i)
		}
	}
}
