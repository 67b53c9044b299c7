package harness_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/dshkit/dshkit/internal/harness"
)

// TestRecordsTellTheirFolder: a log says in which folder things happened, and a
// log can name several.
func TestRecordsTellTheirFolder(t *testing.T) {
	for _, h := range []harness.Harness{harness.ClaudeCode, harness.Codex, harness.DSH, harness.QwenCode, harness.Pi, harness.OpenClaw, harness.CopilotCLI} {
		t.Run(string(h), func(t *testing.T) {
			f, err := os.Open(filepath.Join("testdata", "hook-samples", string(h), "transcript.jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			n := 0
			for r, err := range harness.Transcript(h, f, new(harness.Report)) {
				if err != nil {
					t.Fatal(err)
				}
				if n++; r.Dir != "/home/dev/acme-orders" {
					t.Errorf("record %d (%s) in %q, want the folder of the sample", n, r.Kind, r.Dir)
				}
			}
			if n == 0 {
				t.Error("no records")
			}
		})
	}
}
