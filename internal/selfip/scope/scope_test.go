package scope_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/selfip/scope"
	"github.com/dshkit/dshkit/pkg/fault"
)

func TestParse(t *testing.T) {
	for _, row := range []struct {
		in   string
		want scope.Scope
	}{
		{"workspace", scope.Workspace},
		{" Both ", scope.Both},
		{"GLOBAL\n", scope.Global},
		{"", ""},
		{"bth", ""},
		{"workspace,global", ""},
	} {
		got, err := scope.Parse(row.in)
		if got != row.want {
			t.Errorf("Parse(%q) = %q, want %q", row.in, got, row.want)
		}
		if wrong := row.want == ""; wrong != (fault.KindOf(err) == fault.Usage) || wrong != (fault.CodeOf(err) == "unknown-scope") {
			t.Errorf("Parse(%q): error %v, want unknown-scope: %v", row.in, err, wrong)
		}
	}
	_, err := scope.Parse("bth")
	if got, want := err.Error(), `unknown-scope bth workspace global both`; got != want {
		t.Errorf("error %q, want %q", got, want)
	}
}

func TestSwitches(t *testing.T) {
	for _, row := range []struct {
		ids  string
		s    scope.Scope
		want scope.Switches
	}{
		{"CO33", scope.Workspace, scope.Switches{ReadWorkspace: true}},
		{"CO34,OW13,W12", scope.Global, scope.Switches{ReadGlobal: true, WriteGlobal: true}},
		{"CO31,CO32,OW11,OW12", scope.Both, scope.Switches{ReadWorkspace: true, ReadGlobal: true}},
		{"zero", "", scope.Switches{}},
	} {
		t.Run(row.ids, func(t *testing.T) {
			if diff := cmp.Diff(row.want, row.s.Switches()); diff != "" {
				t.Errorf("%q.Switches() (-want +got):\n%s", row.s, diff)
			}
		})
	}
}

// say puts an echo into words.
func say(lang string, lines []scope.Line) string {
	env := &cli.Env{Language: func() string { return lang }, Getenv: func(string) string { return "" }}
	var said []string
	for _, line := range lines {
		said = append(said, env.Say(line.Code, line.Args...))
	}
	return strings.Join(said, "\n")
}

func TestEcho(t *testing.T) {
	counts := func(workspace, global, newGlobal int) scope.Counts {
		return scope.Counts{
			Workspace: workspace, Global: global, NewGlobal: newGlobal,
			WorkspaceDir: "/w/self-improvement/memory", GlobalDir: "/h/self-improvement/self-improvement",
		}
	}
	const gone = "会立刻从注入与检索中消失"
	const empty = "目前没有条目"
	for _, row := range []struct {
		ids           string
		before, after scope.Scope
		n             scope.Counts
		codes         []string
		has, hasNot   []string
	}{
		{
			"SV02,SV03,SV04,SV05", scope.Workspace, scope.Global, counts(7, 0, 0),
			[]string{"scope-hides-workspace", "scope-global-empty"},
			[]string{"7 条", gone, "切回 workspace", "self-improvement/memory", empty},
			nil,
		},
		{"SV07", scope.Workspace, scope.Both, counts(5, 3, 3), nil, nil, []string{gone}},
		{
			"SV09,SV10", scope.Both, scope.Workspace, counts(4, 6, 6),
			[]string{"scope-hides-global"},
			[]string{"6 条", "全局库", "切回 both 或 global"},
			[]string{empty},
		},
		{"SV11", scope.Workspace, scope.Workspace, counts(5, 0, 0), nil, nil, []string{gone, empty}},
		{"SV12", scope.Both, scope.Both, counts(5, 0, 0), nil, nil, []string{gone, empty}},
		{"fixture09/both-workspace", scope.Both, scope.Workspace, counts(3, 3, 3), []string{"scope-hides-global"}, []string{"3 条"}, nil},
		{"fixture09/both-global", scope.Both, scope.Global, counts(3, 3, 3), []string{"scope-hides-workspace"}, []string{"3 条", "workspace 或 both"}, nil},
		{"fixture09/workspace-both", scope.Workspace, scope.Both, counts(3, 3, 3), nil, nil, nil},
		{"fixture09/workspace-global", scope.Workspace, scope.Global, counts(3, 3, 3), []string{"scope-hides-workspace"}, nil, []string{empty}},
		{"fixture09/global-workspace", scope.Global, scope.Workspace, counts(3, 3, 3), []string{"scope-hides-global"}, nil, nil},
		{"to-both-of-an-empty-library", scope.Workspace, scope.Both, counts(3, 0, 0), []string{"scope-global-empty"}, []string{empty}, []string{gone}},
		{"nothing-to-hide", scope.Workspace, scope.Global, counts(0, 0, 2), nil, nil, nil},
	} {
		t.Run(row.ids, func(t *testing.T) {
			lines := scope.Echo(row.before, row.after, row.n)
			var codes []string
			for _, l := range lines {
				codes = append(codes, l.Code)
			}
			if diff := cmp.Diff(row.codes, codes); diff != "" {
				t.Errorf("codes (-want +got):\n%s", diff)
			}
			said := say("zh-CN", lines)
			for _, s := range row.has {
				if !strings.Contains(said, s) {
					t.Errorf("%q lacks %q", said, s)
				}
			}
			for _, s := range row.hasNot {
				if strings.Contains(said, s) {
					t.Errorf("%q has %q", said, s)
				}
			}
		})
	}
	if got := say("en", scope.Echo(scope.Both, scope.Global, counts(3, 3, 3))); !strings.Contains(got, "(3)") ||
		!strings.Contains(got, "workspace or both") || !strings.Contains(got, "/w/self-improvement/memory") {
		t.Errorf("English echo = %q, want count, folder and the way back", got)
	}
}

func TestCase31SamePath(t *testing.T) {
	pairs, err := os.ReadFile("testdata/cases/31-drive-letter-case/pairs.tsv")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(pairs)) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) != 3 {
			continue
		}
		rows++
		if got := scope.SamePath(f[0], f[1], true); got != (f[2] == "same") {
			t.Errorf("SamePath(%q, %q) = %v, want %s", f[0], f[1], got, f[2])
		}
	}
	if rows < 6 {
		t.Errorf("%d pairs read, want 6 or more", rows)
	}
}

func TestSamePath(t *testing.T) {
	for _, row := range []struct {
		a, b    string
		windows bool
		want    bool
	}{
		{"/a/b", "/a/b/", false, true},
		{"/a/b", "/a//b/.", false, true},
		{"/a/b", "/A/b", false, false},
		{`\a\b`, "/a/b", false, true},
		{"/c/Work", `C:\Work`, false, false},
		{`\\?\UNC\srv\share\x`, `\\SRV\share\x\`, true, true},
		{`\\srv\share`, `\srv\share`, true, false},
		{"/c", `C:\`, true, true},
		{"/cc/x", `C:\c\x`, true, false},
		{"", "", false, true},
		{"", ".", false, false},
		{"/", `\`, false, true},
	} {
		if got := scope.SamePath(row.a, row.b, row.windows); got != row.want {
			t.Errorf("SamePath(%q, %q, %v) = %v, want %v", row.a, row.b, row.windows, got, row.want)
		}
	}
}

func TestValidateGlobalDir(t *testing.T) {
	for _, row := range []struct {
		dir     string
		windows bool
		code    string
	}{
		{"/exp", false, ""},
		{"./x", false, ""},
		{"exp", false, "global-dir-not-path"},
		{"", false, "global-dir-not-path"},
		{"/w/", false, "global-dir-workspace"},
		{"/W", false, ""},
		{`\W\`, true, "global-dir-workspace"},
		{`D:\exp`, true, ""},
		{`D:\exp`, false, "global-dir-foreign"},
	} {
		err := scope.ValidateGlobalDir(row.dir, "/w", row.windows)
		if got := fault.CodeOf(err); got != row.code || row.code != "" && fault.KindOf(err) != fault.Usage {
			t.Errorf("ValidateGlobalDir(%q, windows %v) = %v, want code %q", row.dir, row.windows, err, row.code)
		}
	}
}

func FuzzPathKey(f *testing.F) {
	for _, s := range []string{`C:\Work\App`, `\\?\C:\Work\App`, "/c/Work/App", `\\?\UNC\a\b`, "//", "/c", "", "..", `a\..\b`, `\..\A`} {
		f.Add(s, true)
		f.Add(s, false)
	}
	f.Fuzz(func(t *testing.T, p string, windows bool) {
		key := scope.PathKey(p, windows)
		if again := scope.PathKey(key, windows); again != key {
			t.Errorf("PathKey(%q, %v) = %q, whose key is %q", p, windows, key, again)
		}
		if windows && scope.PathKey(strings.ToUpper(p), true) != scope.PathKey(strings.ToUpper(strings.ToLower(p)), true) {
			t.Errorf("PathKey(%q) depends on case", p)
		}
	})
}
