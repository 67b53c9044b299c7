package install_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/harness/install"
)

func TestReadCodexConfig(t *testing.T) {
	cases := []struct {
		id, text string
		want     install.CodexConfig
	}{
		{"empty", "", install.CodexConfig{}},
		{"off", "model = \"x\"\n[features]\nweb = true\nhooks = false # for now\n", install.CodexConfig{HooksOff: true}},
		{"on", "[features]\nhooks = true\n", install.CodexConfig{}},
		{"dotted", "features.hooks = false\n", install.CodexConfig{HooksOff: true}},
		{"inline", "features = { web = true, hooks = false }\r\n", install.CodexConfig{HooksOff: true}},
		{"commented", "# [features]\n# hooks = false\n", install.CodexConfig{}},
		{"other-table", "[tools]\nhooks = false\n", install.CodexConfig{}},
		{"in-a-text", "x = \"\"\"\n[features]\nhooks = false\n\"\"\"\n", install.CodexConfig{}},
		{"hooks-inside", "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ncommand = \"beep\"\n", install.CodexConfig{Inline: true}},
		{
			"trusted",
			"[hooks.state.\"/home/dev/.codex/hooks.json:stop:2:0\"]\ntrusted_hash = \"sha256:1\"\n" +
				"[hooks.state.'C:\\c\\hooks.json:session_start:0:0']\nenabled = true\ntrusted_hash = \"sha256:2\"\n" +
				"[hooks.state.\"not trusted\"]\nenabled = true\n",
			install.CodexConfig{Trusted: []string{"/home/dev/.codex/hooks.json:stop:2:0", `C:\c\hooks.json:session_start:0:0`}},
		},
	}
	for _, c := range cases {
		t.Run(c.id, func(t *testing.T) {
			if diff := cmp.Diff(c.want, install.ReadCodexConfig([]byte(c.text))); diff != "" {
				t.Errorf("%s\n(-want +got):\n%s", c.text, diff)
			}
		})
	}
}

func TestTrustKey(t *testing.T) {
	got := install.TrustKey("/c/hooks.json", install.EntryRef{Event: "UserPromptSubmit", Index: 2, Handler: 1})
	if want := "/c/hooks.json:user_prompt_submit:2:1"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func FuzzReadCodexConfig(f *testing.F) {
	f.Add([]byte("[hooks.state.\"a\\\"b\"]\ntrusted_hash='x'\nfeatures={hooks=false}\nx='''\n"))
	f.Add([]byte("[\"\n'=\n\"\\"))
	f.Fuzz(func(t *testing.T, text []byte) {
		c := install.ReadCodexConfig(text)
		if len(c.Trusted) > len(text) {
			t.Fatalf("%d keys out of %d bytes", len(c.Trusted), len(text))
		}
	})
}
