package entry

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/dshkit/dshkit/pkg/text"
)

// Eviction is a file that was brought under its limit.
type Eviction struct {
	Kept     File
	Evicted  []Line   // what left it, in file order, to be put into an archive
	Sections []string // headings of sections that left whole, without "## "
}

// Evict brings f under limit (UTF-16 units) when it is longer
// (spec/selfip.md 19). Withdrawn entries go first, then those with the lowest
// score at now, earlier lines before later ones, until nine tenths of the limit
// are reached: so the next appends need no rewrite. A section ("## ") that loses
// its last entry leaves with its notes. The last fresh lines, those just
// written, never leave (W29), nor do damaged ones. When nothing can leave, the
// file stays too long.
func Evict(f File, limit, fresh int, now time.Time) Eviction {
	size := f.Len()
	if size <= limit {
		return Eviction{Kept: f}
	}
	gone := make([]bool, len(f.Lines))
	target := limit / 10 * 9
	for _, c := range candidates(f, fresh, now) {
		if size <= target {
			break
		}
		gone[c.line] = true
		size -= text.Len(f.Lines[c.line].Raw) + 1
	}
	if !slices.Contains(gone, true) {
		return Eviction{Kept: f}
	}
	sections := emptied(f, gone, fresh)
	return split(f, gone, sections)
}

type candidate struct {
	line  int
	live  bool
	score float64
}

// candidates lists the entries that may leave, the first to go first.
func candidates(f File, fresh int, now time.Time) []candidate {
	var list []candidate
	for i := range f.Lines[:max(len(f.Lines)-fresh, 0)] {
		if l := &f.Lines[i]; l.OK {
			list = append(list, candidate{line: i, live: l.Entry.Live(), score: l.Entry.Score(now)})
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int {
		if a.live != b.live {
			if a.live {
				return 1
			}
			return -1
		}
		return cmp.Compare(a.score, b.score)
	})
	return list
}

// emptied marks the sections that lost all their entries as gone and returns
// their headings. A section that never had one is somebody's prose and stays.
func emptied(f File, gone []bool, fresh int) []string {
	var headings []string
	for begin := 0; begin < len(f.Lines); {
		end := begin + 1
		for end < len(f.Lines) && !isSection(f.Lines[end].Raw) {
			end++
		}
		if isSection(f.Lines[begin].Raw) && end <= len(f.Lines)-fresh && lostAll(f, gone, begin, end) {
			headings = append(headings, strings.TrimSpace(strings.TrimPrefix(f.Lines[begin].Raw, "##")))
			for i := begin; i < end; i++ {
				gone[i] = true
			}
		}
		begin = end
	}
	return headings
}

func isSection(raw string) bool { return strings.HasPrefix(raw, "## ") }

// lostAll reports whether the lines from begin to end had entries, have none
// any more and hold no damaged line.
func lostAll(f File, gone []bool, begin, end int) bool {
	had := false
	for i := begin; i < end; i++ {
		if f.Lines[i].OK && !gone[i] {
			return false
		}
		had = had || gone[i]
	}
	return had && !slices.ContainsFunc(f.Damage, func(d Damage) bool { return d.Line > begin && d.Line <= end })
}

// split parts the file. Blank lines that would pile up where entries left are
// dropped.
func split(f File, gone []bool, sections []string) Eviction {
	ev := Eviction{Kept: File{ended: f.ended}, Sections: sections}
	damaged := make(map[int]string, len(f.Damage))
	for _, d := range f.Damage {
		damaged[d.Line] = d.Reason
	}
	blank := true
	for i, l := range f.Lines {
		if gone[i] {
			ev.Evicted = append(ev.Evicted, l)
			continue
		}
		if l.Raw == "" && blank {
			continue
		}
		blank = l.Raw == ""
		reason := damaged[l.Number]
		l.Number = len(ev.Kept.Lines) + 1
		ev.Kept.Lines = append(ev.Kept.Lines, l)
		if reason != "" {
			ev.Kept.Damage = append(ev.Kept.Damage, Damage{Line: l.Number, Reason: reason})
		}
	}
	return ev
}
