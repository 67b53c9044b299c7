package selfip_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/pkg/transcript"
)

// wantRow checks that a row is what encoding/json makes of a value.
func wantRow(t *rapid.T, got []byte, value any) {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, b.Bytes()) {
		t.Errorf("row %s, want %s", got, b.Bytes())
	}
}

// anyText is a text, often an empty one.
var anyText = rapid.OneOf(rapid.Just(""), rapid.StringN(0, 12, -1), rapid.SampledFrom([]string{"\xff", "a\nb", "<记忆>\u2028"}))

func anyTime(t *rapid.T, label string) time.Time {
	zone := time.FixedZone("", rapid.IntRange(-12, 14).Draw(t, label+" zone")*3600)
	return time.Unix(rapid.Int64Range(0, 4e9).Draw(t, label), rapid.Int64Range(0, 999_999_999).Draw(t, label+" ns")).In(zone)
}

func TestEventRowIsJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := selfip.Heard{
			Harness: anyText.Draw(t, "harness"), Session: anyText.Draw(t, "session"), Dir: anyText.Draw(t, "dir"),
			Transcript: anyText.Draw(t, "transcript"), Agent: anyText.Draw(t, "agent"), Reason: anyText.Draw(t, "reason"), Process: anyText.Draw(t, "process"),
		}
		var r *transcript.Record
		if rapid.Bool().Draw(t, "record") {
			r = &transcript.Record{
				Kind: transcript.Kind(anyText.Draw(t, "kind")), ID: anyText.Draw(t, "id"), Tool: anyText.Draw(t, "tool"),
				Input: anyText.Draw(t, "input"), Text: anyText.Draw(t, "text"), Failed: rapid.Bool().Draw(t, "failed"),
			}
			if rapid.Bool().Draw(t, "timed") {
				r.Time = anyTime(t, "time")
			}
		}
		row, value := selfip.EventRow(anyTime(t, "t"), anyText.Draw(t, "op"), h, r)
		wantRow(t, row, value)
	})
}

func TestJournalRowIsJSON(t *testing.T) {
	quote := rapid.Custom(func(t *rapid.T) selfip.Quote {
		return selfip.Quote{Record: rapid.IntRange(-1, 1e6).Draw(t, "n"), Time: anyText.Draw(t, "t"), Kind: anyText.Draw(t, "k"), Text: anyText.Draw(t, "q")}
	})
	change := rapid.Custom(func(t *rapid.T) selfip.JournalChange {
		return selfip.JournalChange{
			File: anyText.Draw(t, "file"), Entry: anyText.Draw(t, "entry"), Before: anyText.Draw(t, "before"), After: anyText.Draw(t, "after"),
			Evidence: rapid.SliceOfN(quote, 0, 3).Draw(t, "evidence"),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		j := selfip.Journal{
			ID: anyText.Draw(t, "id"), Time: anyText.Draw(t, "t"), Op: anyText.Draw(t, "op"), By: anyText.Draw(t, "by"),
			Session: anyText.Draw(t, "session"), Undoes: anyText.Draw(t, "undoes"),
			Changes: rapid.SliceOfN(change, 0, 3).Draw(t, "changes"),
		}
		if j.Changes == nil {
			j.Changes = []selfip.JournalChange{}
		}
		wantRow(t, selfip.JournalRow(j), j)
	})
}
