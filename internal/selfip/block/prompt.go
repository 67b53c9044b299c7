package block

import (
	"strings"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/phrase"
	"github.com/dshkit/dshkit/pkg/text"
)

// Call is an entry that a prompt calls for.
type Call struct {
	Line    string // as it stands in the file
	Trust   entry.Trust
	Expired bool
}

// Prompt writes what a prompt calls for, best first: entries as whole lines
// with their marks, as many as fit into chars units, and behind them a reminder
// of addresses, which is not part of that budget. It returns which of the calls
// are shown. With nothing to show the text is empty.
func Prompt(language string, chars int, calls []Call, urls []string) (s string, shown []int) {
	w := &writer{in: Input{Language: language}, ph: phrase.For(language).Block}
	ph := phrase.For(language).Prompt
	lines := []string{ph.Heading}
	used := text.Len(openMark) + text.Len(closeMark) + text.Len(ph.Heading)
	for i, c := range calls {
		sec := section{writer: w}
		line := plain(c.Line) + sec.marks(Item{Trust: c.Trust, Expired: c.Expired})
		if n := text.Len(line) + 1; used+n <= chars {
			used += n
			lines, shown = append(lines, line), append(shown, i)
		}
	}
	var parts []string
	if len(shown) > 0 {
		parts = append(parts, strings.Join(lines, "\n"))
	}
	if len(urls) > 0 {
		parts = append(parts, w.urlBlock(urls, min(len(urls), maxURLs)))
	}
	if len(parts) == 0 {
		return "", nil
	}
	return openMark + strings.Join(parts, separator) + closeMark, shown
}
