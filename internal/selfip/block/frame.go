package block

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dshkit/dshkit/internal/selfip/scope"
	"github.com/dshkit/dshkit/pkg/text"
)

// Limits of the addresses (spec/selfip.md 12.4).
const (
	maxURLs   = 5
	maxURLLen = 180
)

// wrapperShare: beyond title and statement, the wrapper takes at most one in so
// many units of the budget.
const wrapperShare = 3

const openMark, closeMark = "[selfip]\n", "\n[/selfip]"

// frame is the wrapper: what stands before the memory and behind it.
type frame struct {
	before, after string
	notes         []Note
}

// frame returns the fullest wrapper that leaves most of limit to what it wraps:
// the instructions go first, then the scope. It is false when not even the title
// and the statement fit.
func (w *writer) frame(limit int) (frame, bool) {
	f := frame{before: w.ph.Title + "\n" + w.ph.Statement}
	mark := ""
	if w.in.Marks {
		f.before, mark = openMark+f.before, closeMark
	}
	f.after = mark
	if f.len() > limit {
		return frame{}, false
	}
	reach, how := separator+w.scope(), w.ph.Instructions
	if w.in.RecallOnly {
		how = w.ph.RecallOnly
	}
	for _, after := range []string{reach + "\n" + how + mark, reach + mark} {
		full := frame{before: f.before, after: after, notes: f.notes}
		if full.len() <= limit/wrapperShare {
			return full, true
		}
		f.notes = []Note{NoteShortWrapper}
	}
	return f, true
}

// firstContact is what a reader is told when there is nothing to tell: how that
// can be changed, or nothing when it is not asked for or does not fit.
func (w *writer) firstContact(limit int) string {
	said := w.ph.Title + "\n" + w.ph.FirstContact
	if w.in.Marks {
		said = openMark + said + closeMark
	}
	if !w.in.FirstContact || w.in.Bare || text.Len(said) > limit {
		return ""
	}
	return said
}

func (f frame) len() int { return text.Len(f.before) + text.Len(f.after) }

// around returns the wrapper with the memory and the addresses in it.
func (f frame) around(body, urls string) string {
	parts := slices.DeleteFunc([]string{f.before, body, urls}, func(s string) bool { return s == "" })
	return strings.Join(parts, separator) + f.after
}

func (w *writer) scope() string {
	switch w.in.Scope {
	case scope.Global:
		return fmt.Sprintf(w.ph.ScopeGlobal, plain(w.in.GlobalPath))
	case scope.Both:
		return w.ph.ScopeBoth
	}
	return w.ph.ScopeWorkspace
}

// urls returns the reminder of addresses, in at most a third of room: fewer
// addresses, then none at all.
func (w *writer) urls(room int) (block string, dropped []string) {
	all := w.in.Session.URLs
	if len(all) == 0 || w.in.Bare {
		return "", nil
	}
	for n := min(len(all), maxURLs); n > 0; n-- {
		if s := w.urlBlock(all, n); text.Len(s)+len(separator) <= room/3 {
			return s, nil
		}
	}
	return "", []string{w.ph.URLsTitle}
}

// urlBlock names the first n of all addresses.
func (w *writer) urlBlock(all []string, n int) string {
	lines := make([]string, 0, len(all))
	for _, u := range all {
		lines = append(lines, "- "+text.Ellipsize(plain(u), maxURLLen))
	}
	return w.list(fmt.Sprintf(w.ph.URLs, len(all)), lines, n, w.ph.URLsOrder)
}

// list words the first n of some lines under a heading, says how many more there
// are, and closes with a sentence.
func (w *writer) list(heading string, lines []string, n int, closing string) string {
	out := append([]string{"### " + heading}, lines[:n]...)
	if n < len(lines) {
		out = append(out, fmt.Sprintf(w.ph.AndMore, len(lines)-n))
	}
	return strings.Join(append(out, closing), "\n")
}
