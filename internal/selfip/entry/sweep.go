package entry

import "strings"

// Sweep returns a file, from which entries have been taken, without what was
// only there for them: headings of sections that a retrospective wrote and that
// hold nothing any more, and blank lines in a row. Other headings are somebody's
// prose.
func Sweep(f File) File {
	out := File{ended: f.ended}
	damaged := make(map[int]string, len(f.Damage))
	for _, d := range f.Damage {
		damaged[d.Line] = d.Reason
	}
	blank := true
	for i, l := range f.Lines {
		if l.Raw == "" && blank || isOwnSection(l.Raw) && isEmptySection(f.Lines[i+1:]) {
			continue
		}
		blank = l.Raw == ""
		reason := damaged[l.Number]
		l.Number = len(out.Lines) + 1
		out.Lines = append(out.Lines, l)
		if reason != "" {
			out.Damage = append(out.Damage, Damage{Line: l.Number, Reason: reason})
		}
	}
	for n := len(out.Lines); out.ended && n > 0 && out.Lines[n-1].Raw == ""; n-- {
		out.Lines = out.Lines[:n-1]
	}
	return out
}

// isOwnSection reports whether a line is a heading as retrospectives write them
// (spec/selfip.md 3.2).
func isOwnSection(raw string) bool {
	rest, ok := strings.CutPrefix(raw, "## ")
	tag, _, at := strings.Cut(rest, " @ ")
	return ok && at && (strings.HasSuffix(tag, "-retro") || tag == "proposal-skipped")
}

// isEmptySection reports whether the next section, or the end, comes before any
// line that says something.
func isEmptySection(rest []Line) bool {
	for _, l := range rest {
		if isSection(l.Raw) {
			return true
		}
		if strings.TrimSpace(l.Raw) != "" {
			return false
		}
	}
	return true
}
