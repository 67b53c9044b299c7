package block_test

import (
	"time"

	"github.com/dshkit/dshkit/internal/selfip/block"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/pkg/text"
)

// fromFile returns the partition of a file that has been read. blocked is asked
// once for each live entry; nil: nothing is blocked.
func fromFile(f entry.File, now time.Time, blocked func(entry.Entry) bool) block.Partition {
	p := filePartition{file: f}
	for i := range f.Lines {
		l := &f.Lines[i]
		if !l.OK || !l.Entry.Live() {
			continue
		}
		weight, expired := l.Entry.Weigh(now)
		p.lines = append(p.lines, i)
		p.items = append(p.items, block.Item{
			Cost: text.Len(l.Shown()), Weight: weight, Trust: l.Entry.Trust(), Expired: expired,
			Blocked: blocked != nil && blocked(l.Entry),
		})
	}
	return p
}

type filePartition struct {
	file  entry.File
	items []block.Item
	lines []int // of the items, in the file
}

func (p filePartition) Items() []block.Item { return p.items }
func (p filePartition) Line(i int) string   { return p.file.Lines[p.lines[i]].Shown() }
