package grant_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/internal/cordis/grant"
	"github.com/dshkit/dshkit/pkg/fault"
)

func folders() grant.Folders {
	return grant.Folders{
		Workspace: "/ws",
		Never:     []string{"/ws/.cordis", "/home/u/.config/dshkit"},
		Real: func(path string) (string, error) {
			switch {
			case path == "/ws/broken":
				return "", errors.New("a loop")
			case strings.HasPrefix(path, "/ws/link"):
				return "/elsewhere" + strings.TrimPrefix(path, "/ws/link"), nil
			case path == "/ws/sly":
				return "/ws/.cordis/storage", nil
			}
			return path, nil
		},
	}
}

func TestParse(t *testing.T) {
	type result struct {
		Grant      grant.Grant
		Note, Text string
	}
	for typed, want := range map[string]result{
		"fs:read ./docs":              {grant.Grant{Kind: grant.ReadFiles, Target: "/ws/docs"}, "", "fs:read ./docs"},
		" fs:read   docs/../a b/":     {grant.Grant{Kind: grant.ReadFiles, Target: "/ws/a b"}, "", "fs:read ./a b"},
		"fs:write .":                  {grant.Grant{Kind: grant.WriteFiles, Target: "/ws"}, "", "fs:write ."},
		"fs:read /usr/share":          {grant.Grant{Kind: grant.ReadFiles, Target: "/usr/share"}, "", "fs:read /usr/share"},
		"fs:read ../other":            {grant.Grant{Kind: grant.ReadFiles, Target: "/other"}, "", "fs:read /other"},
		"fs:read link/x":              {grant.Grant{Kind: grant.ReadFiles, Target: "/elsewhere/x"}, "/elsewhere/x", "fs:read /elsewhere/x"},
		"shell git":                   {grant.Grant{Kind: grant.Shell, Target: "git"}, "", "shell git"},
		"shell ./run.sh":              {grant.Grant{Kind: grant.Shell, Target: "./run.sh"}, "", "shell ./run.sh"},
		"shell *":                     {grant.Grant{Kind: grant.Shell, Target: "*"}, "", "shell *"},
		"web Example.ORG":             {grant.Grant{Kind: grant.Web, Target: "example.org"}, "", "web example.org"},
		"web *.example.org:8080":      {grant.Grant{Kind: grant.Web, Target: "*.example.org:8080"}, "", "web *.example.org:8080"},
		"web [::1]:80":                {grant.Grant{Kind: grant.Web, Target: "[::1]:80"}, "", "web [::1]:80"},
		"web ::1":                     {grant.Grant{Kind: grant.Web, Target: "::1"}, "", "web ::1"},
		"web 0:0:0:0:0:FFFF:10.0.0.1": {grant.Grant{Kind: grant.Web, Target: "10.0.0.1"}, "", "web 10.0.0.1"},
		"web [0::1]:80":               {grant.Grant{Kind: grant.Web, Target: "[::1]:80"}, "", "web [::1]:80"},
		"web localhost:*":             {grant.Grant{Kind: grant.Web, Target: "localhost:*"}, "", "web localhost:*"},
		"web *":                       {grant.Grant{Kind: grant.Web, Target: "*"}, "", "web *"},
	} {
		g, note, err := grant.Parse(typed, folders())
		if diff := cmp.Diff(want, result{g, note, g.Text("/ws")}); diff != "" || err != nil {
			t.Errorf("%q: %v\n%s", typed, err, diff)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for typed, code := range map[string]string{
		"":                                      "cordis-grant-unknown",
		"fs:read":                               "cordis-grant-unknown",
		"fs ./docs":                             "cordis-grant-unknown",
		"fs:read *":                             "cordis-grant-path",
		"fs:read a\x00b":                        "cordis-grant-path",
		"fs:read broken":                        "cordis-grant-path",
		"fs:read .cordis":                       "cordis-grant-never",
		"fs:read ./.cordis/storage":             "cordis-grant-never",
		"fs:write x/../.CORDIS":                 "cordis-grant-never",
		"fs:read sly":                           "cordis-grant-never",
		"fs:read /home/u/.config/dshkit/cordis": "cordis-grant-never",
		"shell git status":                      "cordis-grant-program",
		"shell git;ls":                          "cordis-grant-program",
		"shell 'git'":                           "cordis-grant-program",
		"shell A=b":                             "cordis-grant-program",
		"web https://example.org":               "cordis-grant-host",
		"web example.org/path":                  "cordis-grant-host",
		"web example.org:":                      "cordis-grant-host",
		"web example.org:0":                     "cordis-grant-host",
		"web a..b":                              "cordis-grant-host",
		"web *example.org":                      "cordis-grant-host",
		"web a@b":                               "cordis-grant-host",
	} {
		if g, _, err := grant.Parse(typed, folders()); fault.CodeOf(err) != code {
			t.Errorf("%q: %v, %v, want %s", typed, g, err, code)
		}
	}
}

func TestPaths(t *testing.T) {
	l := grant.List{{grant.ReadFiles, "/ws/docs"}, {grant.WriteFiles, "/ws/out"}}
	for path, want := range map[string][2]bool{
		"/ws/docs":       {true, false},
		"/ws/docs/a":     {true, false},
		"/ws/docs2":      {false, false},
		"/ws":            {false, false},
		"/ws/out":        {true, true},
		"/ws/out/deep/x": {true, true},
	} {
		if got := [2]bool{l.Path(false, path), l.Path(true, path)}; got != want {
			t.Errorf("%s: read, write %v, want %v", path, got, want)
		}
	}
}

func TestHosts(t *testing.T) {
	l := grant.List{{grant.Web, "example.org"}, {grant.Web, "*.example.net"}, {grant.Web, "api.test:8080"}, {grant.Web, "[::1]:*"}, {grant.Web, "10.0.0.1"}}
	for _, c := range []struct {
		name, port string
		want       bool
	}{
		{"example.org", "443", true},
		{"EXAMPLE.org.", "443", true},
		{"example.org", "8443", false},
		{"www.example.org", "443", false},
		{"www.example.net", "443", true},
		{"example.net", "443", false},
		{"evilexample.net", "443", false},
		{"api.test", "8080", true},
		{"api.test", "443", false},
		{"::1", "3000", true},
		{"10.0.0.1", "443", true},
	} {
		if got := l.Host(c.name, c.port, "443"); got != c.want {
			t.Errorf("%s:%s: %v", c.name, c.port, got)
		}
	}
	all := grant.List{{grant.Web, "*"}}
	if !all.Host("anything.test", "1234", "443") || all.Named("10.0.0.1", "443", "443") || l.Named("www.example.net", "443", "443") || !l.Named("10.0.0.1", "443", "443") {
		t.Error("a private address needs its own name")
	}
}

func TestWords(t *testing.T) {
	for line, want := range map[string][]string{
		"git status":                   {"git", "status"},
		"  git\tcommit -m 'a b' ":      {"git", "commit", "-m", "a b"},
		`echo "a \"b\" c" d\ e`:        {"echo", `a "b" c`, "d e"},
		"x ''":                         {"x", ""},
		"grep 'a;b|c$(d)' file":        {"grep", "a;b|c$(d)", "file"},
		"env A=b":                      {"env", "A=b"},
		`printf '%s\n'`:                {"printf", `%s\n`},
		"git log --format='%h'\" %s\"": {"git", "log", "--format=%h %s"},
	} {
		got, ok := grant.Words(line)
		if diff := cmp.Diff(want, got); diff != "" || !ok {
			t.Errorf("%q: %v\n%s", line, ok, diff)
		}
	}
	for _, line := range []string{
		"", "  ", "a; b", "a && b", "a | b", "a > f", "a < f", "a &", "a $(b)", "a `b`", "a $B", `a "$B"`, "a *", "a ?", "a [x]", "a ~", "a # b",
		"A=b c", "a\nb", "a\rb", "a\x00", "a 'b", `a "b`, "a \\", "a \\\nb", "a {b,c}", "if x", "! a", "'' a", "a \"`b`\"", "time (a)",
	} {
		if words, ok := grant.Words(line); ok {
			t.Errorf("%q is %q, want a shell", line, words)
		}
	}
}

func TestPrograms(t *testing.T) {
	l := grant.List{{grant.Shell, "git"}}
	if !l.Program("git") || l.Program("/usr/bin/git") || l.Program("gitk") || l.Shell() {
		t.Error("a program is granted by its name alone")
	}
	if all := (grant.List{{grant.Shell, "*"}}); !all.Program("rm") || !all.Shell() {
		t.Error("* is all programs")
	}
}

func TestBook(t *testing.T) {
	b, err := grant.ParseBook([]byte(`{"version":1,"later":{"x":1},"workspaces":{"/other":["web a.test"],"/ws":["shell git","brain:read all",7,"fs:read relative"]}}`))
	if err != nil {
		t.Fatal(err)
	}
	docs := grant.Grant{Kind: grant.ReadFiles, Target: "/ws/docs"}
	b, added := b.Allow("/ws", docs)
	if !added {
		t.Fatal("it was not there")
	}
	if _, added := b.Allow("/ws", docs); added {
		t.Error("it is there")
	}
	if diff := cmp.Diff(grant.List{docs, {grant.Shell, "git"}}, b.List("/ws")); diff != "" {
		t.Error(diff)
	}
	if b, err = b.Revoke("/ws", grant.Grant{Kind: grant.Shell, Target: "git"}); err != nil {
		t.Fatal(err)
	}
	if b, err = b.Revoke("/other", grant.Grant{Kind: grant.Web, Target: "a.test"}); err != nil {
		t.Fatal(err)
	}
	_, err = b.Revoke("/ws", grant.Grant{Kind: grant.Shell, Target: "git"})
	if fault.CodeOf(err) != "cordis-grant-not-found" {
		t.Errorf("revoked twice: %v", err)
	}
	want := `{
  "version": 1,
  "later": {
    "x": 1
  },
  "workspaces": {
    "/ws": [
      "brain:read all",
      7,
      "fs:read relative",
      "fs:read /ws/docs"
    ]
  }
}
`
	if diff := cmp.Diff(want, string(b.Format())); diff != "" {
		t.Error(diff)
	}
}

func TestBookRefuses(t *testing.T) {
	for text, code := range map[string]string{
		"{": "cordis-grants-damaged", "[]": "cordis-grants-damaged", `{"version":2}`: "cordis-grants-newer",
		`{"workspaces":[]}`: "cordis-grants-damaged", `{"workspaces":{"/ws":{}}}`: "cordis-grants-damaged",
	} {
		if _, err := grant.ParseBook([]byte(text)); fault.CodeOf(err) != code || fault.KindOf(err) != fault.Damaged {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestDenied(t *testing.T) {
	d := &grant.Denied{PluginID: "clock-1", Want: "read docs/it's a.md", Root: "/ws", Grant: grant.Grant{Kind: grant.ReadFiles, Target: "/ws/it's"}}
	want := "plugin clock-1 may not read docs/it's a.md: the user of this workspace can allow it with `cordis grant allow fs:read './it'\\''s'`"
	if d.Error() != want {
		t.Errorf("got  %s\nwant %s", d.Error(), want)
	}
	never := &grant.Denied{PluginID: "clock-1", Want: "read .cordis", Note: "no grant ever covers this folder"}
	if never.Command() != "" || never.Error() != "plugin clock-1 may not read .cordis: no grant ever covers this folder" {
		t.Errorf("%q, %q", never.Command(), never.Error())
	}
	if f := d.Fault(); f.Kind != fault.Refused || f.Code != "cordis-not-granted" {
		t.Errorf("%v", f)
	}
}

// What is granted can be read back as it is shown, and what the file holds is
// what was allowed, in whatever order.
func TestRoundTrip(t *testing.T) {
	word := rapid.StringMatching(`[a-z][a-z0-9]{0,5}`)
	program := word.Filter(func(s string) bool { // not "if"
		_, ok := grant.Words(s)
		return ok
	})
	one := rapid.Custom(func(t *rapid.T) grant.Grant {
		kind := rapid.SampledFrom(grant.Kinds).Draw(t, "kind")
		switch kind {
		case grant.Shell:
			return grant.Grant{Kind: kind, Target: program.Draw(t, "program")}
		case grant.Web:
			return grant.Grant{Kind: kind, Target: word.Draw(t, "host") + rapid.SampledFrom([]string{"", ":80", ":*", ".test"}).Draw(t, "rest")}
		}
		return grant.Grant{Kind: kind, Target: rapid.SampledFrom([]string{"/ws", "/ws/a b", "/x/y"}).Draw(t, "folder")}
	})
	rapid.Check(t, func(t *rapid.T) {
		grants := rapid.SliceOf(one).Draw(t, "grants")
		b, _ := grant.ParseBook(nil)
		for _, g := range grants {
			again, _, err := grant.Parse(g.Text("/ws"), grant.Folders{Workspace: "/ws"})
			if err != nil || again != g {
				t.Fatalf("%v is shown as %q, read as %v: %v", g, g.Text("/ws"), again, err)
			}
			b, _ = b.Allow("/ws", g)
		}
		read, err := grant.ParseBook(b.Format())
		if err != nil {
			t.Fatal(err)
		}
		want := grant.List(slices.Clone(grants))
		slices.SortFunc(want, grant.Compare)
		want = slices.Compact(want)
		if got := read.List("/ws"); !slices.Equal(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"fs:read ./docs", "web [::1]:8080", "shell *", "web *.a.b:*"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		g, _, err := grant.Parse(text, grant.Folders{Workspace: "/ws", Never: []string{"/ws/.cordis"}})
		if err != nil {
			if g != (grant.Grant{}) && g.Kind != grant.Shell && g.Kind != grant.Web && g.Target != "" {
				t.Errorf("half built: %v", g)
			}
			return
		}
		again, _, err := grant.Parse(g.Text("/ws"), grant.Folders{Workspace: "/ws"})
		if err != nil || again != g {
			t.Errorf("%q: %v is shown as %q, read as %v: %v", text, g, g.Text("/ws"), again, err)
		}
	})
}

// A line that is split is one that a shell would split the same way: no letter
// that a shell gives a meaning is left bare.
func FuzzWords(f *testing.F) {
	for _, s := range []string{"git 'a b'", `a "\$x"`, "a\\ b", "x=1 y"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		words, ok := grant.Words(line)
		if ok != (len(words) > 0) {
			t.Errorf("%q: %q, %v", line, words, ok)
		}
		if ok && !strings.ContainsAny(line, `'"\`) && strings.ContainsAny(line, "|&;<>()$`*?[]#~{}!\n\r\x00") {
			t.Errorf("%q has a meaning for a shell, and gave %q", line, words)
		}
	})
}
