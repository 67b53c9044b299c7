package selfip_test

import (
	"iter"
	"strings"
	"testing"

	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/pkg/transcript"
)

// TestFeedbackBesideTheLogOfTheHarness holds that feedback given through a
// command is learned from although the harness's own log, which is read instead
// of our events, does not know of it.
func TestFeedbackBesideTheLogOfTheHarness(t *testing.T) {
	r := newRoom(t)
	m := r.own()
	h := selfip.Heard{Harness: "claude-code", Session: "s1", Dir: r.dir, Transcript: "/logs/s1.jsonl"}
	said := []transcript.Record{
		{Kind: transcript.Prompt, Time: clock, Text: "提交改动"},
		{Kind: transcript.Reply, Time: clock, Text: "已经提交"},
	}
	if err := m.Begin(h); err != nil {
		t.Fatal(err)
	}
	for _, record := range said {
		h.Record = record
		if err := m.Hear(h); err != nil {
			t.Fatal(err)
		}
	}
	user := selfip.Author{Origin: "command"}
	f, err := m.AddFeedback(t.Context(), "", "提交前先跑 make check", false, user)
	if err != nil || f.Session != "s1" || f.Reply != "已经提交" {
		t.Fatalf("feedback %+v, %v, want it about the reply of s1", f, err)
	}
	if _, err := m.Finish(t.Context(), selfip.Heard{Session: "s1", Transcript: h.Transcript, Harness: h.Harness}); err != nil {
		t.Fatal(err)
	}
	log := func(harness, path string) (selfip.Transcript, error) {
		if harness != "claude-code" || path != h.Transcript {
			t.Errorf("log of %s at %s, want that of the session", harness, path)
		}
		return selfip.Transcript{Records: records(said), Skipped: func() []string { return nil }}, nil
	}
	ran, err := m.RunQueue(t.Context(), log)
	if err != nil || len(ran.Learned) != 1 {
		t.Fatalf("ran %+v, %v, want one session learned from", ran, err)
	}
	var texts []string
	for _, e := range ran.Learned[0].Entries {
		texts = append(texts, string(e.Kind)+" "+e.Text)
	}
	if got := strings.Join(texts, "\n"); !strings.Contains(got, "提交前先跑 make check") {
		t.Errorf("learned %q, want what the user said of the reply", got)
	}
}

func records(list []transcript.Record) iter.Seq2[transcript.Record, error] {
	return func(yield func(transcript.Record, error) bool) {
		for _, r := range list {
			if !yield(r, nil) {
				return
			}
		}
	}
}
