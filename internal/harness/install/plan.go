package install

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"github.com/dshkit/dshkit/internal/harness"
	"github.com/dshkit/dshkit/pkg/fault"
)

// Options is what to install.
type Options struct {
	Program string   // our binary's name without extension: the owner test looks for it
	Binary  string   // its absolute path; of no use in the scope Project
	Events  []string // which events, in any order; none means the defaults of spec/harness-hooks.md 4.2
	Trace   bool     // also the events that are only for watching
	Bridge  bool     // of DSH: the package DSHBridge is there
	Print   bool     // only what to add by hand is wanted
	Version string   // of our binary, for the files that are ours alone
}

// Plan is the change of one file. It is either refused, or After is what the
// file shall hold.
type Plan struct {
	Harness  harness.Harness
	Scope    Scope
	File     string
	Before   []byte // nil when there was no file
	After    []byte // nil when there shall be none
	Created  bool   // there was no file, and now there is
	Remove   bool   // the file was ours alone and goes
	Own      bool   // the file is ours alone: it needs no backup
	Runs     bool   // the file is a program
	Part     string // of a file that has several of ours, "" for the hooks
	Entries  []EntryRef
	Notes    []Note
	Fragment []byte       // what to add by hand
	Refusal  *fault.Error // why nothing is changed; the kind is Refused or Usage

	undo  []Splice
	fresh bool // Before held nothing of ours
	made  bool // "hooks" is ours
	lead  []string
}

// EntryRef is an entry of ours in After. Group and Handler count from 0.
type EntryRef struct {
	Event   string `json:"event"`
	Index   int    `json:"index"` // of the group in the event's list
	Handler int    `json:"handler"`
	Command string `json:"command"`
	Timeout int    `json:"timeout,omitempty"`
}

// Note is something the user should know; Code finds the sentence, Args fill it.
type Note struct {
	Code string
	Args []any
}

// Changed reports whether there is anything to write.
func (p Plan) Changed() bool {
	return p.Refusal == nil && (p.Created || p.Remove || !bytes.Equal(p.Before, p.After))
}

// Splice is one step back: at the offset At, Cut bytes become Put.
type Splice struct {
	At  int    `json:"at"`
	Cut int    `json:"cut"`
	Put []byte `json:"put,omitempty"`
}

// edit replaces the bytes from begin to end.
type edit struct {
	begin, end int
	text       string
}

// apply makes all edits of data at once, and says how to undo them. Edits do not
// overlap; those at one place keep their order.
func apply(data []byte, edits []edit) (after []byte, undo []Splice) {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b edit) int { return a.begin - b.begin })
	at := 0
	after = make([]byte, 0, len(data)+1024)
	for _, e := range edits {
		after = append(after, data[at:e.begin]...)
		undo = append(undo, Splice{len(after), len(e.text), bytes.Clone(data[e.begin:e.end])})
		after = append(after, e.text...)
		at = e.end
	}
	return append(after, data[at:]...), undo
}

// unsplice takes the steps back, or returns nil when they do not fit data.
func unsplice(data []byte, undo []Splice) []byte {
	at := 0
	before := []byte{}
	for _, s := range undo {
		if s.At < at || s.Cut < 0 || s.At+s.Cut > len(data) {
			return nil
		}
		before = append(before, data[at:s.At]...)
		before = append(before, s.Put...)
		at = s.At + s.Cut
	}
	return append(before, data[at:]...)
}

// Hash returns the digest of a file's bytes that a Record holds, "" for no file.
func Hash(data []byte) string {
	if data == nil {
		return ""
	}
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}
