package cli

import (
	"strings"

	"github.com/dshkit/dshkit/pkg/text"
)

// Columns writes rows as a table: cells side by side, two blanks between them,
// widths as a terminal shows them. The last cell of a row is not padded. The
// first row is the head when head is true.
func (w *Writer) Columns(head bool, rows [][]string) {
	cells := make([][]string, len(rows))
	var widths []int
	for i, row := range rows {
		for j, cell := range row {
			cell = w.cell(cell)
			cells[i] = append(cells[i], cell)
			if j == len(widths) {
				widths = append(widths, 0)
			}
			widths[j] = max(widths[j], visibleWidth(cell))
		}
	}
	for i, row := range cells {
		line := padded(row, widths)
		if head && i == 0 {
			line = w.Bold(line)
		}
		w.Line(line)
	}
}

// cell makes s fit into one line.
func (w *Writer) cell(s string) string {
	return strings.NewReplacer("\n", " ", "\t", " ").Replace(w.clean(s))
}

func padded(row []string, widths []int) string {
	var b strings.Builder
	for i, cell := range row {
		b.WriteString(cell)
		if i+1 < len(row) {
			b.WriteString(strings.Repeat(" ", widths[i]-visibleWidth(cell)+2))
		}
	}
	return strings.TrimRight(b.String(), " ")
}

// visibleWidth is the width of s without our styles.
func visibleWidth(s string) int {
	if strings.Contains(s, "\x1b") {
		s = strings.NewReplacer(plainStyle, "", boldStyle, "", dimStyle, "", alarmStyle, "").Replace(s)
	}
	return text.Width(s)
}
