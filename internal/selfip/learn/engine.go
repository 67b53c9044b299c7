// Package learn is the built-in engine that needs no model: from the records
// of a session it draws what is worth keeping (design/product.md 5, "No model
// needed"). It invents nothing. Every line it concludes quotes its evidence or
// names the record it stands on, and what it saw but did not keep is counted.
//
// The engine reads a stream: records go in one by one and what is retained is
// bounded whatever their number. It is deterministic and takes time linear in
// its input. Text must have passed the gate (redaction, detectors) before Add;
// the engine for its part quotes no line that looks like a credential.
package learn

import (
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/phrase"
	"github.com/dshkit/dshkit/pkg/transcript"
)

// Bounds of what an engine retains.
const (
	maxCalls      = 64  // calls that wait for their result
	maxFailures   = 32  // failures that wait for a remedy
	maxMissing    = 16  // files that were not where they were looked for
	maxChanges    = 128 // things that happened between a failure and its end
	maxLessons    = 24
	maxStatements = 64
	maxAddresses  = 32
	maxRuns       = 32 // commands that passed
)

// Quote is the evidence of a conclusion: a place in the session and its words.
type Quote struct {
	Ordinal int // number of the record, the first is 1
	Time    time.Time
	Kind    transcript.Kind
	Excerpt string // one line, at most maxExcerpt units
}

// Conclusion is one line worth keeping.
type Conclusion struct {
	Kind       entry.Kind
	Text       string // one line
	Importance int    // 1 to 10
	Source     string // value of the key src: user, tool or agent
	Evidence   []Quote
	Replaces   string // id of the entry that this line corrects, or ""

	// Only a model sets these; a line of the engine is as old as the change that
	// stores it.
	Stamp string // when it was true, "" for now
	TTL   int    // days until it should be verified again, 0 for what its words say
}

// Conclusions is what a session has taught, best first in every list.
type Conclusions struct {
	Lessons   []Conclusion // error -> what changed -> remedy
	Facts     []Conclusion // facts and preferences that the user stated
	Resources []Conclusion // name | address | use
	Methods   []Conclusion // situation -> procedure -> why
	Handoff   string       // several lines, at most maxHandoff units; "" when nothing happened
	Left      []string     // what was seen and not kept, with numbers
}

// Engine gathers what a session shows. Its zero value is not ready: use New.
type Engine struct {
	words phrase.Learn
	root  string // the session's directory with a closing slash, or ""
	n     int    // ordinal of the record at hand

	calls      []call
	failures   []failure
	missing    []missing
	changes    []change
	lessons    []lesson
	statements []statement
	addresses  []address
	complaints []complaint
	runs       []run
	last       lastThings
	left       [reasons]int
}

// New returns an engine for one session. The words around what it quotes are
// in the given language, "en" or "zh-CN". Paths below root, the session's
// directory, are shown without it; root may be empty.
func New(language, root string) *Engine {
	if root = strings.TrimRight(strings.ReplaceAll(root, `\`, "/"), "/"); root != "" {
		root += "/"
	}
	return &Engine{words: phrase.For(language).Learn, root: root}
}

// Add takes the next record of the session.
func (e *Engine) Add(r transcript.Record) {
	e.n++
	switch r.Kind {
	case transcript.Prompt:
		e.prompt(r)
	case transcript.Feedback:
		e.feedback(r)
	case transcript.Reply:
		e.reply(r)
	case transcript.Call:
		e.calls = push(e.calls, e.newCall(r), maxCalls)
	case transcript.Result:
		e.result(r)
	case transcript.Fault:
		e.last.fault = e.quote(r, firstLine(r.Text))
	}
}

// result pairs an answer with its call and takes it for what it is.
func (e *Engine) result(r transcript.Record) {
	c := e.takeCall(r)
	switch {
	case c.own || isDenied(r.Text):
		return
	case r.Failed || c.tool == shell && saysFailed(c.cmd, r.Text):
		e.failed(c, r)
	default:
		e.worked(c, r)
	}
	if e.last.fault.Ordinal > 0 {
		e.last.fault = Quote{} // the agent is at work again
	}
}

// quote makes evidence of a record.
func (e *Engine) quote(r transcript.Record, excerpt string) Quote {
	return Quote{Ordinal: e.n, Time: r.Time, Kind: r.Kind, Excerpt: keep(excerpt, maxExcerpt)}
}

// push appends v and drops the oldest element when there are more than limit.
func push[T any](list []T, v T, limit int) []T {
	if len(list) >= limit {
		copy(list, list[len(list)-limit+1:])
		list = list[:limit-1]
	}
	return append(list, v)
}
