// Package proposal is a change of the tool itself that waits for the user's word:
// which proposals there are, what each is about, and what was decided
// (spec/selfip.md 3.5, 3.6, 26.1).
package proposal

import (
	"slices"
	"strings"

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
		list = append(list, Proposal{ID: id, File: f.Name, Summary: text.OneLine(summary)})
	}
	slices.SortStableFunc(list, func(a, b Proposal) int { return strings.Compare(a.File, b.File) })
	return list
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
