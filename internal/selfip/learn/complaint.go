package learn

import (
	"fmt"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/pkg/text"
	"github.com/dshkit/dshkit/pkg/transcript"
)

// keptComplaints is how many complaints of one session become lessons.
const keptComplaints = 2

// complaintWeight is the importance of what the user disliked: there is no
// stronger evidence (spec/selfip.md 24.5).
const complaintWeight = 9

// complaint is what a person did not like about a reply.
type complaint struct {
	about string // the reply, its beginning; "" when nobody knows
	quote Quote
}

// complain keeps the first line of a complaint, unless it states a rule or a fact,
// which is kept in its own right, or is too short to tell anything.
func (e *Engine) complain(r transcript.Record, line string) {
	for _, s := range e.statements {
		if s.quote.Ordinal == e.n {
			return
		}
	}
	if text.Len(line) < leastOf(line) {
		return
	}
	e.complaints = push(e.complaints, complaint{about: firstLine(r.Input), quote: e.quote(r, line)}, keptComplaints)
}

// complaintLines are the complaints as lessons, the newest first.
func (e *Engine) complaintLines() []Conclusion {
	var list []Conclusion
	for i := len(e.complaints) - 1; i >= 0; i-- {
		c, what := e.complaints[i], e.words.DislikedOne
		if c.about != "" && !isSecretLine(c.about) {
			what = fmt.Sprintf(e.words.Disliked, keep(c.about, 80))
		}
		list = append(list, Conclusion{
			Kind: entry.Lesson, Text: what + e.words.Arrow + fmt.Sprintf(e.words.UserSaid, keep(c.quote.Excerpt, maxStatement)),
			Importance: complaintWeight, Source: "user", Evidence: []Quote{c.quote},
		})
	}
	return list
}
