package main

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// result is how one case went.
type result struct {
	name, version string
	missing       string // why it could not run
	checks        []check
	notes         []string
	took          time.Duration

	before  map[string]string // the files of the home before install
	written []writtenFile
}

// writtenFile is a file as install left it.
type writtenFile struct {
	file string
	data []byte
}

type check struct {
	what string
	err  error
}

func (r *result) check(what string, err error) { r.checks = append(r.checks, check{what, err}) }

func (r *result) fail(step string, err error) {
	if err != nil {
		r.check(step, err)
	}
}

func (r *result) note(format string, args ...any) {
	r.notes = append(r.notes, fmt.Sprintf(format, args...))
}

// wrong counts the checks that came out wrong.
func (r result) wrong() int {
	n := 0
	for _, c := range r.checks {
		if c.err != nil {
			n++
		}
	}
	return n
}

func (r result) print(w io.Writer) {
	fmt.Fprintf(w, "\n%s %s (%v)\n", r.name, r.version, r.took.Round(100*time.Millisecond))
	if r.missing != "" {
		fmt.Fprintln(w, "  not run:", r.missing)
	}
	for _, c := range r.checks {
		if c.err != nil {
			fmt.Fprintf(w, "  WRONG  %s: %v\n", c.what, c.err)
			continue
		}
		fmt.Fprintln(w, "  ok    ", c.what)
	}
	for _, n := range r.notes {
		fmt.Fprintln(w, "  note  ", n)
	}
}

// summary prints one line for each case and returns the exit code.
func summary(w io.Writer, results []result) int {
	code, ran := 0, 0
	fmt.Fprintln(w, "\nharness       version       result")
	for _, r := range results {
		said := "right"
		switch {
		case r.missing != "":
			said = "not run: " + strings.SplitN(r.missing, "\n", 2)[0]
		case r.wrong() > 0:
			said, code = fmt.Sprintf("wrong: %d of %d", r.wrong(), len(r.checks)), 1
		}
		if r.missing == "" {
			ran++
		}
		fmt.Fprintf(w, "%-13s %-13s %s\n", r.name, r.version, said)
	}
	if ran == 0 {
		fmt.Fprintln(w, "nothing could be run")
		code = 1
	}
	return code
}
