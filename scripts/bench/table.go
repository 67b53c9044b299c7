package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// table prints rows as they come: a measurement takes minutes.
type table struct {
	out    io.Writer
	missed int
	rows   int
}

const layout = "%-38s %8s  %-32s %-11s %s\n"

func (t *table) head() { fmt.Fprintf(t.out, layout, "what", "entries", "measured", "goal", "") }

// note prints a figure that has no goal.
func (t *table) note(what string, size int, measured string) { t.row(what, size, measured, "", "") }

// check prints a figure and whether it meets its goal.
func (t *table) check(what string, size int, measured, goal string, met bool) {
	t.rows++
	verdict := "ok"
	if !met {
		t.missed++
		verdict = "MISSED"
	}
	t.row(what, size, measured, goal, verdict)
}

func (t *table) row(what string, size int, measured, goal, verdict string) {
	entries := ""
	if size > 0 {
		entries = grouped(size)
	}
	line := fmt.Sprintf(layout, what, entries, measured, goal, verdict)
	fmt.Fprintln(t.out, strings.TrimRight(line, " \n"))
}

// most checks that a figure is no more than a goal.
func (t *table) most(what string, size int, value, goal float64, unit, detail string) {
	t.check(what, size, figure(value)+unit+detail, "<= "+figure(goal)+unit, value <= goal)
}

// least checks that a figure is no less than a goal.
func (t *table) least(what string, size int, value, goal float64, unit, detail string) {
	t.check(what, size, figure(value)+unit+detail, ">= "+figure(goal)+unit, value >= goal)
}

// none checks that something never happened.
func (t *table) none(what string, n int, detail string) {
	t.check(what, 0, strconv.Itoa(n)+detail, "0", n == 0)
}

func (t *table) close() {
	fmt.Fprintf(t.out, "\n%d of %d goals met\n", t.rows-t.missed, t.rows)
}

// figure writes a number with what matters of it.
func figure(f float64) string {
	digits := 3
	switch {
	case f >= 100:
		digits = 0
	case f >= 10:
		digits = 1
	case f >= 1:
		digits = 2
	}
	s := strconv.FormatFloat(f, 'f', digits, 64)
	if digits == 0 {
		return s
	}
	return strings.TrimRight(strings.TrimRight(s, "0"), ".")
}

// grouped writes a number with a comma before every three digits.
func grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
