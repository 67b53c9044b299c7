package link_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/selfip/link"
)

func urls(links []link.Link) []string {
	var out []string
	for _, l := range links {
		out = append(out, l.URL)
	}
	return out
}

func TestCandidates(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     []string
	}{
		{"none", "nothing here", nil},
		{"scheme", "see https://a.example/x.", []string{"https://a.example/x"}},
		{"upper case", "HTTPS://A.Example/X", []string{"HTTPS://A.Example/X"}},
		{"bare", "at www.example-mirror.io/xxx, as", []string{"www.example-mirror.io/xxx"}},
		{"bare host and port", "api.example.com:8443/x", []string{"api.example.com"}},
		{"bare at the end of a sentence", "It is docs.example.com.", []string{"docs.example.com"}},
		{"two top levels", "https is example.com.cn now", []string{"example.com.cn"}},
		{"one key once", "https://a.example/x/ http://www.a.example/x", []string{"https://a.example/x/"}},
		{"full width", "Wiki（https://wiki.example.cn/页面）。", []string{"https://wiki.example.cn/页面"}},
		{"full width comma ends it", "文档在https://a.example/x，先看", []string{"https://a.example/x"}},
		{"plain comma before Chinese ends it", "文档在 https://a.example/x,先看", []string{"https://a.example/x"}},
		{"after Chinese", "在example.com看", []string{"example.com"}},
		{"W25 e-mail", "Mail me@example.com or me.too@example.com", nil},
		{"W25 source file", "vitest.config.ts and main.cc and tsconfig.app.json", nil},
		{"W25 word goes on", "mycompany.company or foo.community", nil},
		{"W25 product", "use socket.io and asp.net", nil},
		{"ssh remote", "repo git@github.com:foo/bar.git", []string{"git@github.com:foo/bar.git"}},
		{"not a remote", "scp me@host.example.com:file", nil},
		{"loopback", "http://127.0.0.1:8080/a https://localhost:3000/b http://[::1]/x http://0.0.0.0:1/", nil},
		{"not loopback", "https://localhosting.example/x", []string{"https://localhosting.example/x"}},
		{"files", "https://img.example.net/a.png https://a.example/b.min.js", nil},
		{"query defeats the file filter", "https://docs.example.net/a.md?x=1", []string{"https://docs.example.net/a.md?x=1"}},
		{"too short", "a.io b.cn", nil},
		{"too long", "https://a.example/" + strings.Repeat("x", 240), nil},
		{"forwarder", "https://gh.example/https://github.com/a/b", []string{"https://gh.example/https://github.com/a/b"}},
		{"empty label", "foo..example.com", nil},
		{"markdown", "[docs](https://a.example/x) and **https://b.example/y**", []string{"https://a.example/x", "https://b.example/y"}},
		{"path of an import", "golang.org.x", nil},
		{"underscore", "my_example.com and example.com_x", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, urls(link.Candidates(tt.in))); diff != "" {
				t.Errorf("Candidates(%q) (-want +got):\n%s", tt.in, diff)
			}
		})
	}
}

func TestKey(t *testing.T) {
	for _, tt := range []struct{ a, b string }{
		{"https://www.Example-Mirror.io/xxx/", "www.example-mirror.io/xxx"},
		{"git@github.com:foo/bar.git", "https://github.com/foo/bar"},
		{"ssh://git@github.com/foo/bar.git", "https://github.com/foo/bar/"},
	} {
		a, b := link.Candidates(tt.a), link.Candidates(tt.b)
		if len(a) != 1 || len(b) != 1 || a[0].Key != b[0].Key {
			t.Errorf("keys of %q and %q: got %v and %v, want one and the same", tt.a, tt.b, a, b)
		}
	}
}

func TestCredentials(t *testing.T) {
	for in, want := range map[string]bool{
		"https://user:pass@a.example/x":             true,
		"https://ghp_x@github.com/a/b":              true,
		"https://a.example/x?access_token=abc":      true,
		"https://a.example/x?v=2&X-Amz-Signature=1": true,
		"https://a.example/x?v=2#top":               false,
		"https://a.example/x?key=":                  false,
		"https://a.example/monkey?page=1":           false,
		"git@github.com:foo/bar.git":                false,
		"ssh://git@github.com/foo/bar":              false,
	} {
		got := link.Candidates(in)
		if len(got) != 1 || got[0].Credentials() != want {
			t.Errorf("Credentials of %q: got %v, want %v", in, got, want)
		}
	}
}

// conversation is the recorded conversation of fixture 13, newest first, the
// user's part of it.
func conversation(t *testing.T) (newestFirst []string, library string) {
	dir := filepath.Join("testdata", "selfip-fixtures", "13-url-reminders")
	data, err := os.ReadFile(filepath.Join(dir, "transcript.json"))
	if err != nil {
		t.Fatal(err)
	}
	var rows []struct{ Role, Text string }
	if err := json.Unmarshal(data, &rows); err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		if row.Role == "user" {
			newestFirst = append(newestFirst, row.Text)
		}
	}
	slices.Reverse(newestFirst)
	lib, err := os.ReadFile(filepath.Join(dir, "workspace", "self-improvement", "memory", "resources.md"))
	if err != nil {
		t.Fatal(err)
	}
	return newestFirst, string(lib)
}

func TestW25Pending(t *testing.T) {
	texts, library := conversation(t)
	t.Run("fixture13/pending", func(t *testing.T) {
		want := []string{
			"https://nine.example.tv/z", "https://ten.example.tv/z",
			"https://wiki.example.cn/页面", "api.example.com",
			"git@github.com:foo/bar.git",
			"https://docs.example.net/a.md?x=1",
			"https://gh-proxy.example.com/",
		}
		if diff := cmp.Diff(want, urls(link.Pending(texts, link.Recorded(library)))); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
	t.Run("fixture13/empty library", func(t *testing.T) {
		if got := link.Pending(texts, link.Recorded("")); len(got) != link.MaxPending {
			t.Errorf("Pending with an empty library: got %v, want %d", urls(got), link.MaxPending)
		}
	})
	t.Run("limit after filter", func(t *testing.T) {
		var text, known strings.Builder
		for _, name := range strings.Fields("aa bb cc dd ee ff gg hh ii") {
			text.WriteString(" https://" + name + ".example/x")
			if name != "ii" {
				known.WriteString("- (resource) https://" + name + ".example/x\n")
			}
		}
		got := urls(link.Pending([]string{text.String()}, link.Recorded(known.String())))
		if diff := cmp.Diff([]string{"https://ii.example/x"}, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

func TestW25Recorded(t *testing.T) {
	for _, tt := range []struct {
		name, library, url string
		want               bool
	}{
		{"same key", "https://www.a.example/x/", "http://A.example/x", true},
		{"one page of a site says nothing of another", "https://github.com/a/b", "https://github.com/c/d", false},
		{"a longer path says nothing of a shorter", "https://github.com/a/b", "https://github.com/a", false},
		{"forwarder by host", "https://fwd.example/https://a.example/x", "https://fwd.example/", true},
		{"forwarder with another target", "https://fwd.example/https://a.example/x", "https://fwd.example/https://b.example/y", true},
		{"its target is not recorded", "https://fwd.example/https://a.example/x", "https://a.example/y", false},
		{"forwarder recorded as a host", "https://fwd.example/", "https://fwd.example/https://b.example/y", true},
		{"ssh remote of a recorded page", "https://github.com/a/b", "git@github.com:a/b.git", true},
		{"empty", "", "https://a.example/x", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := link.Recorded(tt.library).Has(link.Candidates(tt.url)[0]); got != tt.want {
				t.Errorf("Has(%q) in %q: got %v, want %v", tt.url, tt.library, got, tt.want)
			}
		})
	}
}

func TestPendingLeavesCredentialsOut(t *testing.T) {
	got := link.Pending([]string{"https://me:pw@a.example/x and https://b.example/y?token=z"}, link.Recorded(""))
	if len(got) != 0 {
		t.Errorf("Pending: got %v, want none", urls(got))
	}
}

func TestPurpose(t *testing.T) {
	for _, tt := range []struct{ in, before, after string }{
		{"OK. Runbook: https://a.example/r", "Runbook", ""},
		{"订单导出接口返回 500,帮我修一下。文档在 https://a.example/r", "文档", ""},
		{"https://a.example/r is the staging dashboard.", "", "staging dashboard"},
		{"https://a.example/r 是监控面板", "", "监控面板"},
		{"Use https://a.example/r for downloads, and", "", "for downloads"},
		{"看下 https://a.example/r", "", ""},
		{"use https://a.example/r now", "", ""},
		{"https://a.example/r is now the staging dashboard", "", "staging dashboard"},
		{"The API docs are at https://a.example/r (v2)", "API docs", "v2"},
		{"https://a.example/r", "", ""},
		{"按照 https://a.example/r 实现客户端", "", "实现客户端"},
		{"监控面板地址：https://a.example/r。", "监控面板", ""},
	} {
		before, after := link.Purpose(tt.in, link.Candidates(tt.in)[0])
		if before != tt.before || after != tt.after {
			t.Errorf("Purpose(%q): got %q and %q, want %q and %q", tt.in, before, after, tt.before, tt.after)
		}
	}
}

// TestPurposeOfNeighbours: an address is no word of another one's purpose, and
// the words between two belong to one of them.
func TestPurposeOfNeighbours(t *testing.T) {
	for in, want := range map[string][]string{
		"use https://a.example/r and b.example.org and github.com/foo/bar":  {"|", "|", "|"},
		"the wiki https://a.example/r and the runbook https://b.example/r":  {"wiki|", "runbook|"},
		"https://a.example/r for staging and https://b.example/r for prod":  {"|for staging", "|for prod"},
		"https://a.example/r https://b.example/r":                           {"|", "|"},
		"文档 https://a.example/r?v=2 和监控面板 https://b.example/r":              {"文档|", "监控面板|"},
		"https://a.example/r 是文档，https://b.example/r 是监控面板":                 {"|文档", "|监控面板"},
		"mirror https://a.example/r or https://a.example/r when it is down": {"mirror|"},
		"https://a.example/r mirrors https://b.example/r":                   {"|mirrors", "|"},
	} {
		var got []string
		for _, l := range link.Candidates(in) {
			before, after := link.Purpose(in, l)
			got = append(got, before+"|"+after)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("purposes in %q (-want +got):\n%s", in, diff)
		}
	}
}

// hostile is the lines of case 90, as its make.sh builds them, and some more.
func hostile() []string {
	return []string{
		strings.Repeat("http://a.", 20000), strings.Repeat("密钥：", 20000), strings.Repeat("eyJhbGciOi.eyJ", 14000),
		strings.Repeat("---", 66000), strings.Repeat("< ", 100000), strings.Repeat("key=", 50000), strings.Repeat("xoxb-", 40000),
		strings.Repeat("a.com ", 40000), strings.Repeat("a@b.com:", 30000), strings.Repeat("www.", 50000),
		strings.Repeat("http://a.example/x ", 10000), strings.Repeat("a.b", 70000), strings.Repeat(" g@h.com:i/j", 20000),
		strings.Repeat("\xff\x00", 100000),
	}
}

// TestCase90 holds that work grows with the input and not with its square: a
// line four times as long allocates no more than about four times as much, and
// the whole set, 200 KB a line, ends within the time a test may take.
func TestCase90HostileLines(t *testing.T) {
	for i, line := range hostile() {
		for _, l := range link.Candidates(line) {
			if l.Start < 0 || l.End > len(line) || line[l.Start:l.End] != l.URL {
				t.Fatalf("line %d: %+v is not where it says", i, l)
			}
			link.Purpose(line, l)
		}
		link.Pending([]string{line}, link.Recorded(line))
	}
}

func FuzzCandidates(f *testing.F) {
	texts, library := conversation(&testing.T{})
	for _, s := range append(texts, library, "git@a.com:b/c.git", "https://a:b@c.example/?token=x", "在example.com，看") {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, l := range link.Candidates(s) {
			if s[l.Start:l.End] != l.URL {
				t.Fatalf("Candidates(%q): %+v is not where it says", s, l)
			}
			again := link.Candidates(l.URL)
			if len(again) > 0 && !link.Recorded(l.URL).Has(again[0]) {
				t.Fatalf("Candidates(%q): %+v is not recorded in itself", s, l)
			}
			link.Purpose(s, l)
		}
	})
}

func BenchmarkHostile(b *testing.B) {
	for _, n := range []int{1, 2, 4} {
		lines := hostile()
		b.Run(strings.Repeat("x", n), func(b *testing.B) {
			for b.Loop() {
				for _, line := range lines {
					link.Candidates(strings.Repeat(line, n))
				}
			}
		})
	}
}
