package entry_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/selfip/entry"
)

func TestSweep(t *testing.T) {
	for name, c := range map[string][2]string{
		"nothing to do":    {"- a\n## session-retro @ x\n- b\n", "- a\n## session-retro @ x\n- b\n"},
		"empty section":    {"- a\n\n## session-retro @ x\n\n## session-retro @ y\n- b", "- a\n\n## session-retro @ y\n- b"},
		"last section":     {"- a\n## error-retro @ x\n\n", "- a\n"},
		"a section's note": {"## manual-retro @ x\nnote\n- a", "## manual-retro @ x\nnote\n- a"},
		"prose":            {"# title\n## mine\n## yours\n- a", "# title\n## mine\n## yours\n- a"},
		"a heading @ mine": {"## mine @ home\n- a", "## mine @ home\n- a"},
		"blank lines":      {"\n\n- a\n\n\n- b", "- a\n\n- b"},
		"damage":           {"## session-retro @ x\n- \xff\n", "## session-retro @ x\n- \xff\n"},
	} {
		got := entry.Sweep(entry.ParseFile([]byte(c[0])))
		if diff := cmp.Diff(c[1], string(got.Bytes())); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if again := entry.Sweep(got); string(again.Bytes()) != string(got.Bytes()) {
			t.Errorf("%s: swept twice it is %q, once %q", name, again.Bytes(), got.Bytes())
		}
	}
}
