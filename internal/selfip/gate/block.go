package gate

import (
	"strings"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/quarantine"
	"github.com/dshkit/dshkit/pkg/text"
)

// maxRounds bounds how often lines are removed before the rest goes too: lines
// that become an order each time others go were put together for that.
const maxRounds = 4

// Block passes a text of several lines: a hand-off, principles, a playbook, the
// summary of a proposal, a log, evidence for a model (W7).
//
// It is redacted as a whole, so that key blocks are found over lines. Each line
// that trips a detector is removed and counted; an order that runs over line
// ends takes all of its lines with it. Headings and lists stay: a block is
// stored in a file or a section of its own.
func Block(s string) Verdict {
	s = text.Clean(s)
	v := Verdict{Text: s, TTL: entry.InferTTL(s)}
	v.dropHostile(0) // with what hidden characters say
	v.redact(dropHidden(v.Text))
	for round := 1; v.dropHostile(round); round++ {
		v.redact(v.Text)
	}
	if len(v.Redactions) > 0 {
		v.TTL = min(v.TTL, credentialTTL)
	}
	return v
}

// dropHostile removes the lines that trip a detector and reports whether there
// were any.
func (v *Verdict) dropHostile(round int) bool {
	d := detect(v.Text)
	if d == nil {
		return false
	}
	if v.Poison == nil {
		v.Poison = d
	}
	lines := strings.Split(v.Text, "\n")
	var kept []string
	removed := len(lines)
	if round <= maxRounds {
		kept, removed = dropOrders(lines)
	}
	v.Text = strings.Join(kept, "\n")
	v.Removed += removed
	return true
}

// maxRun is over how many lines an order is followed.
const maxRun = 6

// dropOrders returns the lines without those that trip a detector, alone or, if
// none does, with the fewest that follow. When an order has more than maxRun
// lines nothing is kept.
func dropOrders(lines []string) (kept []string, removed int) {
	for n := 1; n <= maxRun && n <= len(lines); n++ {
		if kept, removed = dropRuns(lines, n); removed > 0 {
			return kept, removed
		}
	}
	return nil, len(lines)
}

// dropRuns removes every run of n lines that trips a detector.
func dropRuns(lines []string, n int) (kept []string, removed int) {
	kept = make([]string, 0, len(lines))
	for i := 0; i < len(lines); {
		if i+n <= len(lines) {
			if _, hit := quarantine.Detect(strings.Join(lines[i:i+n], "\n")); hit {
				removed += n
				i += n
				continue
			}
		}
		kept = append(kept, lines[i])
		i++
	}
	return kept, removed
}
