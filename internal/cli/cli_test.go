package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/testkit"
	"github.com/dshkit/dshkit/pkg/fault"
)

// buffers returns an Env that writes to memory.
func buffers(args ...string) (env *cli.Env, out, err *bytes.Buffer) {
	out, err = &bytes.Buffer{}, &bytes.Buffer{}
	return &cli.Env{
		Args: args, In: strings.NewReader(""), Out: out, Err: err,
		Getenv:     func(string) string { return "" },
		IsTerminal: func(any) bool { return false },
		Now:        func() time.Time { return testkit.Clock },
		NewID:      func(prefix string) string { return prefix + "1" },
	}, out, err
}

func TestExitCode(t *testing.T) {
	for _, row := range []struct {
		err  error
		want int
	}{
		{nil, 0},
		{errors.New("x"), 1},
		{fault.New(fault.Refused, "x"), 3},
		{fmt.Errorf("more: %w", fault.New(fault.Damaged, "x")), 65},
		{context.Canceled, 8},
		{fmt.Errorf("more: %w", context.DeadlineExceeded), 8},
		{fault.New(fault.Failed, "x").Because(context.Canceled), 1},
		{cli.ErrInterrupted, 130},
	} {
		if got := cli.ExitCode(row.err); got != row.want || got == 2 {
			t.Errorf("ExitCode(%v) = %d, want %d", row.err, got, row.want)
		}
	}
}

// TestInterruptedContext gives a command a context that a signal has ended.
func TestInterruptedContext(t *testing.T) {
	env, _, errs := buffers("wait", t.TempDir()+"/ready")
	stopped := false
	env.Interrupts = func(ctx context.Context) (context.Context, func()) {
		ctx, cancel := context.WithCancelCause(ctx)
		cancel(cli.ErrInterrupted)
		return ctx, func() { stopped = true }
	}
	if code := cli.Run(env, demo); code != 130 || errs.String() != "demo: interrupted\n" || !stopped {
		t.Errorf("code %d, stderr %q, stopped %v", code, errs, stopped)
	}
}

// brokenPipe fails as a pipe does whose reader has gone.
type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) {
	return 0, &fs.PathError{Op: "write", Path: "|1", Err: syscall.EPIPE}
}

func TestCase75BrokenPipeIsQuiet(t *testing.T) {
	for _, args := range [][]string{{"list"}, {"list", "--json"}, {"--help"}} {
		env, _, errs := buffers(args...)
		env.Out = brokenPipe{}
		if code := cli.Run(env, demo); code != 0 || errs.Len() > 0 {
			t.Errorf("%q: code %d, stderr %q; want a quiet 0", args, code, errs)
		}
	}
}

// TestPanicWhileBuilding panics before there is a tree.
func TestPanicWhileBuilding(t *testing.T) {
	env, _, errs := buffers()
	code := cli.Run(env, func(*cli.Env) *cobra.Command { panic("early") })
	if code != 70 || !strings.Contains(errs.String(), "internal error: early") {
		t.Errorf("code %d, stderr %q", code, errs)
	}
}

func TestSay(t *testing.T) {
	env, _, _ := buffers()
	for _, row := range []struct {
		id   string
		args []any
		want string
	}{
		{"no-space", nil, "no space left on the disk"},
		{"stranger", []any{"a", 2}, "stranger a 2"},
		{"stranger", nil, "stranger"},
		{"panic", []any{fault.New(fault.Busy, "not-there")}, "internal error: no such file or folder"},
		{"unknown-scope", []any{"b%sh", "workspace", "global", "both"}, `unknown scope "b%sh" (want workspace, global or both)`},
	} {
		if got := env.Say(row.id, row.args...); got != row.want {
			t.Errorf("Say(%q, %v) = %q, want %q", row.id, row.args, got, row.want)
		}
	}
	env.AddTables(cli.Table{{ID: "no-space", Text: "full"}}, cli.Table{})
	if got := env.Say("no-space"); got != "full" {
		t.Errorf("a package's own sentence: %q, want full", got)
	}
}

func TestSentenceOfCauses(t *testing.T) {
	env, _, _ := buffers()
	err := fault.New(fault.Failed, "config-unreadable", "/f").Because(&fs.PathError{Op: "open", Path: "/f", Err: syscall.EACCES})
	if got, want := env.Sentence(err), "/f cannot be read: /f: permission denied"; got != want {
		t.Errorf("Sentence = %q, want %q", got, want)
	}
	env, _, _ = buffers("--lang", "zh-CN")
	if got, want := env.Sentence(err), "无法读取 /f：/f：没有权限"; got != want {
		t.Errorf("Sentence = %q, want %q", got, want)
	}
}

// TestSentenceGoesOn: a sentence that ends loses its stop before what helps; a
// folder's name keeps its own.
func TestSentenceGoesOn(t *testing.T) {
	env, _, _ := buffers()
	env.AddTables(cli.Table{{ID: "whole", Text: "%s"}, {ID: "whole.hint", Text: "try again"}}, cli.Table{})
	for text, want := range map[string]string{
		"Nothing is there.":    "Nothing is there: try again",
		"这里没有。":                "这里没有: try again",
		"Nothing is at \"a\".": "Nothing is at \"a\": try again",
		"Nothing is at a-1.":   "Nothing is at a-1: try again",
		"没有“一”。":               "没有“一”: try again",
		".":                    ".: try again",
		"cannot read .":        "cannot read .: try again",
		"cannot read ..":       "cannot read ..: try again",
		"cannot read a/..":     "cannot read a/..: try again",
		"cannot read a/.":      "cannot read a/.: try again",
	} {
		if got := env.Sentence(fault.New(fault.Failed, "whole", text)); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestLanguageHookIsAskedOnce(t *testing.T) {
	env, _, _ := buffers()
	asked := 0
	env.Language = func() string {
		asked++
		env.Say("no-space") // may speak itself without asking again
		return "zh-CN"
	}
	env.Say("no-space")
	if got := env.Say("no-space"); got != "磁盘空间不足" || asked != 1 {
		t.Errorf("Say = %q after %d questions", got, asked)
	}
}

func TestLocale(t *testing.T) {
	for _, row := range []struct {
		env  map[string]string
		want cli.Lang
	}{
		{nil, cli.English},
		{map[string]string{"LANG": "zh_CN.UTF-8"}, cli.Chinese},
		{map[string]string{"LANG": "zh"}, cli.Chinese},
		{map[string]string{"LANG": "zh_TW.Big5"}, cli.Chinese},
		{map[string]string{"LANG": "de_DE.UTF-8"}, cli.English},
		{map[string]string{"LANG": "zh_CN", "LC_MESSAGES": "en_US"}, cli.English},
		{map[string]string{"LANG": "en_US", "LC_MESSAGES": "zh_CN", "LC_ALL": "C"}, cli.English},
		{map[string]string{"LANG": "en_US.UTF-8", "LANGUAGE": "de:zh_CN:en"}, cli.Chinese},
		{map[string]string{"LANGUAGE": "zh_CN"}, cli.Chinese},
		{map[string]string{"LANG": "C", "LANGUAGE": "zh_CN"}, cli.English},
		{map[string]string{"LANG": "C.UTF-8"}, cli.English},
	} {
		if got := cli.LocaleLang(func(name string) string { return row.env[name] }); got != row.want {
			t.Errorf("locale %v: %q, want %q", row.env, got, row.want)
		}
	}
}

func TestCase19Home(t *testing.T) {
	const passwd = "root:x:0:0:root:/root:/bin/bash\nu:x:1000:1000::/home/u/:/bin/sh\nodd:x:7\nrel:x:8:8::home:/bin/sh\n"
	for _, row := range []struct {
		id, env string
		uid     int
		err     error
		want    string
	}{
		{"environment", "/h/", 0, nil, "/h"},
		{"user-database", "", 1000, nil, "/home/u"},
		{"relative-home-is-none", "h", 0, nil, "/root"},
		{"stranger", "", 5, nil, ""},
		{"odd-row", "", 7, nil, ""},
		{"relative-row", "", 8, nil, ""},
		{"no-database", "", 0, fs.ErrNotExist, ""},
	} {
		getenv := func(name string) string {
			if name == "HOME" {
				return row.env
			}
			return ""
		}
		got := cli.Home(getenv, func(string) ([]byte, error) { return []byte(passwd), row.err }, row.uid)
		if got != row.want {
			t.Errorf("%s: home %q, want %q", row.id, got, row.want)
		}
	}
}

func TestNewID(t *testing.T) {
	a, b := cli.NewIdentity("p-"), cli.NewIdentity("p-")
	if a == b || len(a) != 14 || !strings.HasPrefix(a, "p-") {
		t.Errorf("identities %q and %q", a, b)
	}
}

type jsonInner struct {
	List  []int    `json:"list"`
	Out   []string `json:"out,omitempty"`
	inner []int
}

func TestDocumentHasListsForNil(t *testing.T) {
	now := time.Date(2026, 9, 15, 12, 0, 0, 0, time.UTC)
	shared := jsonInner{inner: []int{1}}
	for _, row := range []struct {
		v    any
		want string
	}{
		{nil, "null"},
		{[]string(nil), "[]"},
		{jsonInner{}, `{"list":[]}`},
		{&shared, `{"list":[]}`},
		{(*jsonInner)(nil), "null"},
		{[]jsonInner{{}}, `[{"list":[]}]`},
		{map[string]any{"a": []int(nil), "b": nil, "c": jsonInner{}}, `{"a":[],"b":null,"c":{"list":[]}}`},
		{map[string][]int{"x": nil}, `{"x":[]}`},
		{[2][]int{}, `[[],[]]`},
		{struct{ T time.Time }{now}, `{"T":"2026-09-15T12:00:00Z"}`},
		{struct{ R json.RawMessage }{json.RawMessage(`{"a":1}`)}, `{"R":{"a":1}}`},
		{[]byte(nil), "null"},
		{"<&>", `"<&>"`},
		{"a\u009b31m\x7f\u202eb é→ \u200d", `"a\u009b31m\u007f\u202eb é→ ` + "\u200d" + `"`},
	} {
		env, out, _ := buffers()
		if err := env.Document(row.v); err != nil || out.String() != row.want+"\n" {
			t.Errorf("Document(%#v) = %q, %v; want %q", row.v, out, err, row.want)
		}
	}
	if shared.List != nil {
		t.Error("Document changed the value it was given")
	}
}

// TestEscapesOfOthersNeverReachTheTerminal prints hostile text.
func TestEscapesOfOthersNeverReachTheTerminal(t *testing.T) {
	const hostile = "a\x1b]0;title\x07b\x1b[2Jc\u009bd\re\x00\u202e\u2066"
	for _, terminal := range []bool{false, true} {
		env, out, _ := buffers()
		env.IsTerminal = func(any) bool { return terminal }
		w := env.Writer()
		w.Line(w.Bold("head") + hostile)
		w.Columns(true, [][]string{{"记", hostile}, {w.Alarm("x"), "y\nz"}})
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		got := out.String()
		for _, ours := range []string{"\x1b[0m", "\x1b[1m", "\x1b[31m"} {
			if strings.Contains(got, ours) != terminal {
				t.Errorf("terminal %v: %q has our style %q: %v", terminal, got, ours, !terminal)
			}
			got = strings.ReplaceAll(got, ours, "")
		}
		want := "heada]0;titleb[2Jcd\ne\n记  a]0;titleb[2Jcd e\nx   y z\n"
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("terminal %v (-want +got):\n%s", terminal, diff)
		}
	}
}

func TestColourIsOff(t *testing.T) {
	for name, value := range map[string]string{"NO_COLOR": "1", "TERM": "dumb"} {
		env, _, _ := buffers()
		env.IsTerminal = func(any) bool { return true }
		env.Getenv = func(n string) string {
			if n == name {
				return value
			}
			return ""
		}
		if got := env.Writer().Bold("x"); got != "x" {
			t.Errorf("%s=%s: Bold = %q, want no colour", name, value, got)
		}
	}
}

func TestProse(t *testing.T) {
	for in, want := range map[string]string{
		"one row":                           "one row",
		"a sentence that\ngoes on":          "a sentence that goes on",
		"改动\n过的条目":                          "改动过的条目",
		"写入 config.json，\n其余不变":             "写入 config.json，其余不变",
		"位于\nself-improvement":              "位于 self-improvement",
		"One of:\n  a  first\n  b  it\nEnd": "One of:\n\n```text\na  first\nb  it\n```\n\nEnd",
		"One of:\n  a  first":               "One of:\n\n```text\na  first\n```",
		"One.\n\n  a  first\n\nEnd":         "One.\n\n```text\na  first\n```\n\nEnd",
		"One.\n\nTwo\nrows.":                "One.\n\nTwo rows.",
	} {
		if got := cli.Prose(in); got != want {
			t.Errorf("prose of %q is %q, want %q", in, got, want)
		}
	}
}

func TestGenerate(t *testing.T) {
	env, _, _ := buffers()
	files, err := cli.Generate(env, demo)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for name := range files {
		names = append(names, name)
	}
	want := []string{
		"completions/demo.bash", "completions/demo.fish", "completions/demo.ps1", "completions/demo.zsh",
		"docs/reference/demo.md", "docs/reference/demo.zh-CN.md",
		"docs/reference/exit-codes.md", "docs/reference/exit-codes.zh-CN.md",
	}
	slices.Sort(names)
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	for name, text := range files {
		if strings.HasPrefix(name, "docs/") {
			testkit.Golden(t, "testdata/golden/"+strings.TrimPrefix(name, "docs/reference/"), text)
		}
		if len(text) < 500 {
			t.Errorf("%s has %d bytes only", name, len(text))
		}
	}
}

func BenchmarkRun(b *testing.B) {
	for b.Loop() {
		env, _, _ := buffers("list")
		cli.Run(env, demo)
	}
}

// TestUnansweredCommand: a command that always exits 0 answers even when it
// could not be read, and only once.
func TestUnansweredCommand(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"hook", "--bogus"}, "[hook --bogus]"},
		{[]string{"hook", "panic"}, "[hook panic]"},
		{[]string{"hook", "answered"}, "{}"},
		{[]string{"list", "--bogus"}, ""},
	} {
		var out, errOut bytes.Buffer
		env := &cli.Env{
			Args: c.args, Out: &out, Err: &errOut, Getenv: func(string) string { return "" },
			Unanswered: func(args []string) []byte { return fmt.Append(nil, args) },
		}
		code := cli.Run(env, func(env *cli.Env) *cobra.Command {
			root := &cobra.Command{Use: "demo"}
			hook := &cobra.Command{Use: "hook", RunE: func(_ *cobra.Command, args []string) error {
				if args[0] == "panic" {
					panic("on purpose")
				}
				if err := env.Answer([]byte("{}")); err != nil {
					return err
				}
				return fault.New(fault.Failed, "late")
			}}
			root.AddCommand(cli.AlwaysZero(hook), &cobra.Command{Use: "list", RunE: func(*cobra.Command, []string) error { return nil }})
			return root
		})
		if out.String() != c.want || (code == 0) != (c.args[0] == "hook") || errOut.Len() == 0 {
			t.Errorf("%q: exit %d, stdout %q, stderr %q; want %q", c.args, code, out.String(), errOut.String(), c.want)
		}
	}
}
