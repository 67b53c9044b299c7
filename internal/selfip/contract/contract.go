// Package contract writes what a language model is asked in a retrospective:
// the sections it has to answer with, what is known already, and the record of
// the session as data (spec/selfip.md 21.2, 21.3).
//
// Whatever comes from outside passes the gate here: credentials are taken out,
// lines that read like orders are left out and counted, and no line of the data
// can pass for one of the frame.
package contract

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/dshkit/dshkit/internal/selfip/gate"
	"github.com/dshkit/dshkit/internal/selfip/phrase"
	"github.com/dshkit/dshkit/pkg/text"
)

// Brief is what is known before a model is asked.
type Brief struct {
	Known   []string // entries of the libraries that are read, oldest first, by kind
	Learned []string // entries that this session has brought before
	Waits   bool     // a proposal waits for the user's decision
}

// Row is what the queue knows of a session.
type Row struct {
	T          string `json:"t"`
	Errors     int    `json:"errors"`
	ToolErrors int    `json:"toolErrors"`
}

// Figures of a brief, in UTF-16 code units (spec/selfip.md 21.2).
const (
	MaxKnown   = 1500 // of one partition of one library
	maxLearned = 1500
)

// System is what a model is told before it is asked.
func System(language string) string { return phrase.For(language).Retro.System }

// ErrorText is the user's text of an error-retro: what went wrong just now.
func ErrorText(language string, b Brief, r *Record) string {
	w := writer{words: phrase.For(language).Retro}
	w.brief(b)
	w.errors(r)
	w.part(w.words.Record, r.talk(lastTalk, w.words))
	return w.end()
}

// SessionText is the user's text of a session-retro: what the queue says of the
// session, and what happened in it.
func SessionText(language string, b Brief, row Row, r *Record) string {
	w := writer{words: phrase.For(language).Retro}
	w.brief(b)
	w.counts(r)
	data, _ := json.Marshal(row) // numbers and a stamp
	w.line(gate.Note(string(data)).Text)
	w.errors(r)
	w.part(w.words.Record, r.lines(maxRecord, w.words))
	return w.end()
}

// ManualText is the user's text of a manual-retro: the session so far.
func ManualText(language string, b Brief, r *Record) string {
	w := writer{words: phrase.For(language).Retro}
	w.brief(b)
	w.counts(r)
	w.errors(r)
	w.part(w.words.Record, r.lines(maxRecord, w.words))
	return w.end()
}

// writer puts a text together.
type writer struct {
	words phrase.Retro
	text  strings.Builder
}

func (w *writer) line(s string) { w.text.WriteString(s + "\n") }

func (w *writer) end() string {
	w.text.WriteString(w.words.End)
	return w.text.String()
}

func (w *writer) brief(b Brief) {
	known := bullets(b.Known)
	if b.Waits {
		known = append(known, w.words.Waits)
	}
	if len(known) == 0 {
		known = []string{w.words.None}
	}
	w.part(w.words.Known, known)
	w.part(w.words.Learned, newest(bullets(b.Learned), maxLearned))
}

func (w *writer) counts(r *Record) {
	w.line(fmt.Sprintf(w.words.Counts, r.calls, r.failedCalls, r.faults))
}

func (w *writer) errors(r *Record) {
	w.part(w.words.Judged, r.said(feedback, w.words))
	w.part(w.words.Errors, r.said(failure, w.words))
	w.part(w.words.Delegated, bullets(r.delegated))
}

// part writes a part of data, or nothing when there is none.
func (w *writer) part(heading string, lines []string) {
	if len(lines) == 0 {
		return
	}
	w.line(heading)
	v := gate.Block(strings.Join(framed(lines), "\n"))
	if v.Text != "" {
		w.line(v.Text)
	}
	if v.Removed > 0 {
		w.line(fmt.Sprintf(w.words.TakenOut, v.Removed))
	}
	w.line("")
}

// framed makes one line of each, none of which reads like one of the frame.
func framed(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		l = text.OneLine(l)
		if strings.HasPrefix(l, "=") || strings.HasPrefix(l, "#") {
			l = "| " + l
		}
		out[i] = l
	}
	return out
}

func bullets(lines []string) []string {
	var out []string
	for _, l := range lines {
		out = append(out, "- "+l)
	}
	return out
}

// newest returns the last of the lines that fit.
func newest(lines []string, budget int) []string {
	n := len(lines)
	for n > 0 {
		if budget -= text.Len(lines[n-1]) + 1; budget < 0 {
			break
		}
		n--
	}
	return lines[n:]
}
