package install

import (
	"bytes"

	"github.com/dshkit/dshkit/internal/harness"
)

// Record is what is remembered of an install, one element of installs.json
// (spec/harness-hooks.md 4.1.8).
type Record struct {
	Harness   harness.Harness `json:"harness"`
	Scope     Scope           `json:"scope"`
	File      string          `json:"file"`
	Part      string          `json:"part,omitempty"` // of a file that has several of ours, "" for the hooks
	Entries   []EntryRef      `json:"entries"`
	Before    string          `json:"before,omitempty"` // Hash of the file before, "" when there was none
	After     string          `json:"after"`            // Hash of the file after
	Created   bool            `json:"created,omitempty"`
	MadeHooks bool            `json:"madeHooks,omitempty"` // "hooks" was not there before us
	Made      []string        `json:"made,omitempty"`      // what else was not
	Backup    string          `json:"backup,omitempty"`    // name of the backup file
	Folder    string          `json:"folder,omitempty"`    // the topmost folder that was not there before us
	Version   string          `json:"version"`             // of our binary

	// Undo is the way back to a file that held nothing of ours, the last step
	// first. It is of use only as long as nobody else changes the file.
	Undo [][]Splice `json:"undo,omitempty"`
}

// maxUndo bounds the steps that are remembered: one install is one step.
const maxUndo = 8

// Record returns what to remember of the plan once it is written. earlier is the
// record of the same file, or nil: what we made once stays ours.
func (p Plan) Record(version, backup string, earlier *Record) Record {
	r := Record{
		Harness: p.Harness, Scope: p.Scope, File: p.File, Part: p.Part, Entries: p.Entries,
		Before: Hash(p.Before), After: Hash(p.After), Created: p.Created, MadeHooks: p.made, Made: p.lead,
		Backup: backup, Version: version,
	}
	if r.Entries == nil {
		r.Entries = []EntryRef{}
	}
	if p.fresh {
		r.Undo = [][]Splice{p.undo}
	}
	if earlier == nil || p.Before == nil {
		return r
	}
	r.Created = r.Created || earlier.Created
	r.MadeHooks = r.MadeHooks || earlier.MadeHooks
	r.Made = append(r.Made, earlier.Made...)
	if backup == "" {
		r.Backup = earlier.Backup
	}
	if !p.fresh && earlier.After == r.Before && len(earlier.Undo) < maxUndo {
		r.Undo = append(p.step(), earlier.Undo...)
	}
	return r
}

// step is the way back over this plan alone.
func (p Plan) step() [][]Splice {
	if bytes.Equal(p.Before, p.After) {
		return nil
	}
	return [][]Splice{{whole(p.Before, p.After)}}
}

// whole is the one splice between two texts: what is equal at both ends stays.
func whole(before, after []byte) Splice {
	head := 0
	for head < min(len(before), len(after)) && before[head] == after[head] {
		head++
	}
	tail := 0
	for tail < min(len(before), len(after))-head && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	return Splice{head, len(after) - head - tail, bytes.Clone(before[head : len(before)-tail])}
}
