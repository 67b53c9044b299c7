// Package merge joins two sides of a memory file that a team keeps under version
// control, entry by entry: no conflict marks, no entry lost, no withdrawal lost.
// Bytes in, bytes out.
package merge

import (
	"strings"

	"github.com/dshkit/dshkit/internal/selfip/entry"
)

// Report is what came of a merge.
type Report struct {
	Entries   int // in the result
	Added     int // that only their side has
	Withdrawn int // of ours, that they withdrew
	Removed   int // of ours, that they removed and we had left as it was
	Joined    int // changed on both sides
}

// Merge joins ours and theirs, which both come from base; an empty base means
// that the two have nothing in common. The result keeps our order, with what they
// added at the end under its heading.
//
// What one side removed and the other left as it was is gone, for a person or the
// archive has it; what the other side changed stays. What either side withdrew is
// withdrawn. Two changes of one entry are joined part by part: see join.
//
// Line ends become LF and a byte order mark goes, as whenever a memory file is
// rewritten. Lines that are no entries are joined by their text.
func Merge(base, ours, theirs []byte) ([]byte, Report) {
	m := merger{base: parse(base), ours: parse(ours), theirs: parse(theirs)}
	m.keepOurs()
	m.addTheirs()
	return []byte(m.String()), m.report
}

type merger struct {
	base, ours, theirs side
	out                []string
	report             Report
}

// keepOurs goes through our lines: each stays, joined with theirs, unless they
// removed it.
func (m *merger) keepOurs() {
	for _, line := range m.ours.lines {
		was, known := m.base.byKey[line.key]
		their, theirs := m.theirs.byKey[line.key]
		switch {
		case line.key == "": // blank
			m.out = append(m.out, line.raw)
		case theirs:
			m.put(m.both(was, line, their))
		case known && !line.changed(was):
			m.report.Removed += line.count()
		default:
			m.put(line)
		}
	}
}

func (m *merger) both(was, our, their line) line {
	if !our.isEntry {
		return laterHeading(our, their)
	}
	joined := join(was.entry, our.entry, their.entry)
	if our.entry.Live() && !joined.Live() {
		m.report.Withdrawn++
	}
	if our.changed(was) && their.changed(was) {
		m.report.Joined++
	}
	switch s := joined.String(); s {
	case our.entry.String():
		return our // as somebody wrote it
	case their.entry.String():
		return their
	default:
		our.raw = s
		return our
	}
}

// addTheirs adds what we have not, each under the heading that it has there.
func (m *merger) addTheirs() {
	heading := ""
	for _, line := range m.theirs.lines {
		was, known := m.base.byKey[line.key]
		_, here := m.ours.byKey[line.key]
		switch {
		case line.key == "":
			continue
		case line.isHeading():
			if heading = ""; !here && !known {
				heading = line.raw
			}
			continue
		case here || known && !line.changed(was):
			continue
		}
		if heading != "" {
			m.endLine()
			m.out = append(m.out, "", heading)
			heading = ""
		}
		m.endLine()
		m.put(line)
		m.report.Added += line.count()
	}
}

// endLine gives the last line an end, so that another can follow.
func (m *merger) endLine() {
	if n := len(m.out); n > 0 && m.out[n-1] == "" {
		m.out = m.out[:n-1]
	}
}

func (m *merger) put(l line) {
	m.out = append(m.out, l.raw)
	m.report.Entries += l.count()
}

// String ends the result as our side ends.
func (m *merger) String() string {
	s := strings.Join(m.out, "\n")
	if s != "" && m.ours.ended && !strings.HasSuffix(s, "\n") {
		s += "\n"
	}
	return s
}

// side is one version of the file.
type side struct {
	lines []line
	byKey map[string]line
	ended bool // the last line has an end
}

// line is one line and what it is known by.
type line struct {
	raw     string
	key     string // "" of a blank line
	entry   entry.Entry
	isEntry bool
}

func (l line) isHeading() bool { return strings.HasPrefix(l.raw, "#") }

func (l line) count() int {
	if l.isEntry {
		return 1
	}
	return 0
}

// changed reports whether a line says something else than was. That it has been
// found by a search meanwhile is no change.
func (l line) changed(was line) bool {
	if !l.isEntry || !was.isEntry {
		return l.raw != was.raw
	}
	return l.entry.With("uses", "").String() != was.entry.With("uses", "").String()
}

func parse(data []byte) side {
	s := strings.TrimPrefix(string(data), "\ufeff")
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	out := side{byKey: map[string]line{}, ended: strings.HasSuffix(s, "\n") || s == ""}
	if s == "" {
		return out
	}
	for raw := range strings.SplitSeq(s, "\n") {
		l := line{raw: raw}
		l.entry, l.isEntry = entry.ParseLine(raw)
		if l.key = out.free(l.identity()); l.key != "" {
			out.byKey[l.key] = l
		}
		out.lines = append(out.lines, l)
	}
	return out
}

// identity is what a line of the other side that is the same line has too: the id
// of an entry, the words of a heading that carries a stamp of the whole file, else
// the text.
func (l line) identity() string {
	words := strings.TrimSpace(l.raw)
	switch {
	case l.isEntry:
		return "entry " + l.entry.ID()
	case strings.HasPrefix(words, "# "):
		title, _, _ := strings.Cut(words, " @ ")
		return "title " + title
	case words == "":
		return ""
	}
	return "line " + words
}

// free makes an identity that is there already another one: an entry that was
// withdrawn and stored again stands twice.
func (s side) free(identity string) string {
	key := identity
	for n := 2; key != ""; n++ {
		if _, taken := s.byKey[key]; !taken {
			return key
		}
		key = identity + strings.Repeat("'", n-1)
	}
	return ""
}
