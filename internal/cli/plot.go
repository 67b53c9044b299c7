package cli

import (
	"strconv"
	"strings"

	"github.com/dshkit/dshkit/pkg/text"
)

// Chart is numbers over time as a picture of plain characters: the higher the
// column the greater the number. It needs no terminal of a certain kind.
type Chart struct {
	Title  string
	Values []int  // none below zero, the oldest first
	Height int    // lines, at least one
	Width  int    // most columns of a line; 0: 72
	From   string // what the first value is of
	To     string // what the last value is of
	Sum    bool   // values that share a column are added; else the last one counts
}

// defaultWidth is the width of a chart in columns.
const defaultWidth = 72

// Lines draws the chart: its title, the columns with their scale, and what they
// span.
func (c Chart) Lines() []string {
	top := 0
	values := c.fitted()
	for _, v := range values {
		top = max(top, v)
	}
	labels := []string{strconv.Itoa(top), "0"}
	margin := max(text.Width(labels[0]), text.Width(labels[1]))
	lines := []string{c.Title}
	height := max(c.Height, 1)
	for row := height; row >= 1; row-- {
		label := ""
		if row == height {
			label = labels[0]
		}
		lines = append(lines, padLeft(label, margin)+" |"+strings.TrimRight(columns(values, top, row, height), " "))
	}
	lines = append(lines, padLeft(labels[1], margin)+" +"+strings.Repeat("-", len(values)))
	gap := len(values) - text.Width(c.From) - text.Width(c.To)
	return append(lines, strings.Repeat(" ", margin+2)+c.From+strings.Repeat(" ", max(gap, 1))+c.To)
}

// columns is one line of the columns. A value above zero is always seen.
func columns(values []int, top, row, height int) string {
	var b strings.Builder
	for _, v := range values {
		filled := 0
		if top > 0 {
			filled = (v*2*height + top - 1) / top // in halves of a line
		}
		switch {
		case filled >= 2*row:
			b.WriteByte('#')
		case filled == 2*row-1:
			b.WriteByte('.')
		default:
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// fitted makes the values as many as there is room for.
func (c Chart) fitted() []int {
	width := c.Width
	if width <= 0 {
		width = defaultWidth
	}
	room := max(width-12, 1)
	if len(c.Values) <= room {
		return c.Values
	}
	each := (len(c.Values) + room - 1) / room
	var out []int
	for end := len(c.Values); end > 0; end -= each { // the last column is whole
		part := c.Values[max(0, end-each):end]
		n := part[len(part)-1]
		if c.Sum {
			n = 0
			for _, v := range part {
				n += v
			}
		}
		out = append([]int{n}, out...)
	}
	return out
}

// padLeft puts blanks before s, as a terminal shows widths.
func padLeft(s string, width int) string {
	return strings.Repeat(" ", max(0, width-text.Width(s))) + s
}
