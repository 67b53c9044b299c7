package cli

import (
	"strings"

	"github.com/dshkit/dshkit/pkg/text"
)

// Columns writes rows as a table: cells side by side, two blanks between them,
// widths as a terminal shows them. The last cell of a row is not padded. The
// first row is the head when head is true.
func (w *Writer) Columns(head bool, rows [][]string) {
	widths := columnWidths(rows)
	for i, row := range rows {
		line := padded(row, widths)
		if head && i == 0 {
			line = w.Bold(line)
		}
		w.Line(line)
	}
}

func columnWidths(rows [][]string) []int {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], visibleWidth(cell))
		}
	}
	return widths
}

func padded(row []string, widths []int) string {
	var b strings.Builder
	for i, cell := range row {
		cell = oneLineStyled(cell)
		b.WriteString(cell)
		if i+1 < len(row) {
			b.WriteString(strings.Repeat(" ", widths[i]-visibleWidth(cell)+2))
		}
	}
	return strings.TrimRight(b.String(), " ")
}

func oneLineStyled(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\n", " "), "\t", " ")
}

// visibleWidth is the width of s without our styles.
func visibleWidth(s string) int {
	if strings.Contains(s, "\x1b") {
		s = strings.NewReplacer(plainStyle, "", boldStyle, "", dimStyle, "", alarmStyle, "").Replace(s)
	}
	return text.Width(text.Clean(oneLineStyled(s)))
}
