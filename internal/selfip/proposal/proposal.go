// Package proposal is a change of the tool itself that waits for the user's word:
// which proposals there are, what each is about, and what was decided
// (spec/selfip.md 3.5, 3.6, 26.1).
package proposal

import (
	"slices"
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/entry"

	"github.com/dshkit/dshkit/pkg/text"
)

// The statuses of a decision. A file may hold others, from a newer version; they
// are kept and count as decided.
const (
	Waiting  = "pending"
	Accepted = "accepted"
	Rejected = "rejected"
)

// StatusFile is the name of the file of decisions, in the proposals folder.
const StatusFile = "status.json"

// maxSummary is the length of a summary in UTF-16 units.
const maxSummary = 200

const prefix, suffix = "proposal-", ".md"

// File is a file of the proposals folder.
type File struct {
	Name string // "proposal-<id>.md"
	Data []byte
}

// Proposal is one proposal that waits for a decision.
type Proposal struct {
	ID      string
	File    string // its name in the proposals folder
	Summary string // what it is about, one line; empty when it does not say
	At      string // stamp of its writing; empty when nothing tells
}

// IsFile reports whether a file of the proposals folder has the name of a
// proposal.
func IsFile(name string) bool {
	return strings.HasPrefix(name, prefix) && strings.HasSuffix(name, suffix)
}

// Pending lists the proposals without a decision, by name and so by time. Files
// that are no proposals are passed over.
func Pending(files []File, d Decisions) []Proposal {
	var list []Proposal
	for _, f := range files {
		id, named := strings.CutPrefix(f.Name, prefix)
		id, isText := strings.CutSuffix(id, suffix)
		if !named || !isText || id == "" {
			continue
		}
		decision, known := d.Get(id)
		if known && decision.Status() != Waiting {
			continue
		}
		summary := decision.Field("summary")
		if summary == "" {
			summary = Summary(f.Data)
		}
		at := decision.Field("at")
		if at == "" {
			at = stampOf(f.Data)
		}
		list = append(list, Proposal{ID: id, File: f.Name, Summary: text.OneLine(summary), At: text.OneLine(at)})
	}
	slices.SortStableFunc(list, func(a, b Proposal) int { return strings.Compare(a.File, b.File) })
	return list
}

// stampOf returns the stamp in the heading of a proposal, "" when there is none.
func stampOf(data []byte) string {
	line, _, _ := strings.Cut(strings.TrimPrefix(string(data), "\ufeff"), "\n")
	_, at, _ := strings.Cut(line, "@")
	at = strings.TrimSpace(at)
	if _, ok := entry.ParseTime(strings.TrimSpace(firstOf(at, "（", "(")), time.UTC); ok {
		return strings.TrimSpace(firstOf(at, "（", "("))
	}
	return ""
}

// firstOf returns what stands in s before the first of the marks.
func firstOf(s string, marks ...string) string {
	for _, m := range marks {
		s, _, _ = strings.Cut(s, m)
	}
	return s
}

// Summary returns the first line of a proposal's text that is neither blank nor
// a heading, at most 200 units of it.
func Summary(data []byte) string {
	for line := range strings.Lines(text.Clean(string(data))) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return text.Head(line, maxSummary)
		}
	}
	return ""
}
