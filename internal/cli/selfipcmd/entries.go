package selfipcmd

import (
	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/internal/selfip/entry"
)

// EntryJSON is an entry as every report writes it.
type EntryJSON struct {
	ID         string     `json:"id"`
	Kind       entry.Kind `json:"kind"`
	Text       string     `json:"text"`
	Library    string     `json:"library"`        // workspace or global
	File       string     `json:"file,omitempty"` // relative to the library
	At         string     `json:"at,omitempty"`
	Importance int        `json:"importance"`
	Uses       int        `json:"uses"`
	Invalid    string     `json:"invalid,omitempty"` // when it was withdrawn
	Line       string     `json:"line"`              // as it stands in the file
}

func entryJSON(e selfip.Entry) EntryJSON {
	return EntryJSON{
		ID: e.ID, Kind: e.Kind, Text: e.Text, Library: string(e.Library), File: e.File, At: e.Entry.Stamp,
		Importance: e.Entry.BaseImportance(), Uses: e.Entry.Uses(), Invalid: e.Entry.Get("invalid"), Line: e.Entry.String(),
	}
}

func entriesJSON(entries []selfip.Entry) []EntryJSON {
	out := make([]EntryJSON, 0, len(entries))
	for _, e := range entries {
		out = append(out, entryJSON(e))
	}
	return out
}

// writeEntry shows one entry on one line, with a mark when it is withdrawn.
func writeEntry(w *cli.Writer, e selfip.Entry) {
	line := w.Dim(e.ID) + "  " + w.Word("kind-", string(e.Kind)) + "  " + e.Text
	if !e.Entry.Live() {
		line += " " + w.Phrase("mark-withdrawn", e.Entry.Get("invalid"))
	}
	w.Line(line)
}
