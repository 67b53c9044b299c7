package install

import (
	"bytes"
	"fmt"
	"strings"
)

// context is how many equal lines a hunk shows around a change.
const context = 3

// maxCells bounds the table of the comparison; above it a change is shown as one
// block.
const maxCells = 4 << 20

// Diff returns the change from before to after as a unified diff of the file
// name, "" when they are equal. A nil text is a file that is not there.
func Diff(before, after []byte, name string) string {
	if bytes.Equal(before, after) && (before == nil) == (after == nil) {
		return ""
	}
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", label(before, name), label(after, name))
	lines := compare(linesOf(before), linesOf(after))
	for begin := 0; begin < len(lines); {
		if lines[begin].sign == ' ' {
			begin++
			continue
		}
		end := hunkEnd(lines, begin)
		writeHunk(&out, lines, max(0, begin-context), min(len(lines), end+context))
		begin = end
	}
	return out.String()
}

func label(text []byte, name string) string {
	if text == nil {
		return "/dev/null"
	}
	return name
}

// diffLine is a line with its sign and its number in both texts, from 1.
type diffLine struct {
	sign     byte
	text     string
	old, new int
}

func linesOf(text []byte) []string {
	if len(text) == 0 {
		return nil
	}
	lines := strings.SplitAfter(string(text), "\n")
	if last := len(lines) - 1; lines[last] == "" {
		lines = lines[:last]
	}
	return lines
}

// hunkEnd returns the end of the changes that share a hunk with the one at begin.
func hunkEnd(lines []diffLine, begin int) int {
	end := begin
	for i := begin; i < len(lines) && i <= end+2*context; i++ {
		if lines[i].sign != ' ' {
			end = i + 1
		}
	}
	return end
}

func writeHunk(out *strings.Builder, lines []diffLine, begin, end int) {
	olds, news := 0, 0
	for _, l := range lines[begin:end] {
		if l.sign != '+' {
			olds++
		}
		if l.sign != '-' {
			news++
		}
	}
	fmt.Fprintf(out, "@@ -%s +%s @@\n", extent(lines[begin].old, olds), extent(lines[begin].new, news))
	for _, l := range lines[begin:end] {
		out.WriteByte(l.sign)
		out.WriteString(l.text)
		if !strings.HasSuffix(l.text, "\n") {
			out.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

// extent writes a line number and a count; an empty side names the line before.
func extent(first, count int) string {
	if count == 0 {
		first--
	}
	return fmt.Sprintf("%d,%d", first, count)
}

// compare aligns two texts by their longest common subsequence of lines.
func compare(old, new []string) []diffLine {
	head := 0
	for head < min(len(old), len(new)) && old[head] == new[head] {
		head++
	}
	tail := 0
	for tail < min(len(old), len(new))-head && old[len(old)-1-tail] == new[len(new)-1-tail] {
		tail++
	}
	var lines []diffLine
	i, j := 0, 0
	add := func(sign byte, text string) {
		lines = append(lines, diffLine{sign, text, i + 1, j + 1})
		if sign != '+' {
			i++
		}
		if sign != '-' {
			j++
		}
	}
	middle := table(old[head:len(old)-tail], new[head:len(new)-tail])
	for i < len(old) || j < len(new) {
		switch {
		case i < head || i >= len(old)-tail && j >= len(new)-tail:
			add(' ', old[i])
		case i < len(old)-tail && j < len(new)-tail && middle != nil && old[i] == new[j]:
			add(' ', old[i])
		case i < len(old)-tail && (j >= len(new)-tail || middle == nil || middle[i-head+1][j-head] >= middle[i-head][j-head+1]):
			add('-', old[i])
		default:
			add('+', new[j])
		}
	}
	return lines
}

// table holds, for every pair of suffixes, how many lines they have in common;
// nil when that would be too large.
func table(old, new []string) [][]int32 {
	if (len(old)+1)*(len(new)+1) > maxCells {
		return nil
	}
	rows := make([][]int32, len(old)+1)
	for i := len(old); i >= 0; i-- {
		rows[i] = make([]int32, len(new)+1)
		for j := len(new) - 1; j >= 0 && i < len(old); j-- {
			if rows[i][j] = max(rows[i+1][j], rows[i][j+1]); old[i] == new[j] {
				rows[i][j] = rows[i+1][j+1] + 1
			}
		}
	}
	return rows
}
