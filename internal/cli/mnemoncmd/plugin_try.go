package mnemoncmd

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/mnemon"
	"github.com/dshkit/dshkit/internal/mnemon/script"
	"github.com/dshkit/dshkit/pkg/fault"
)

func newPluginTest(env *cli.Env) *cobra.Command {
	var grants []string
	cmd := &cobra.Command{
		Use:  "test [PATH]...",
		Args: cli.ArgCount(0, -1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = []string{"."}
			}
			return runPluginTest(cmd.Context(), env, args, grants)
		},
	}
	cmd.Flags().StringArrayVar(&grants, "allow", nil, "")
	return cli.Exits(cmd, fault.NotFound, fault.Plugin, fault.Timeout)
}

func runPluginTest(ctx context.Context, env *cli.Env, paths, allow []string) error {
	w, err := open(env)
	if err != nil {
		return err
	}
	grants, err := parseGrants(env, allow)
	if err != nil {
		return err
	}
	files, err := w.Try(ctx, mnemon.TryOptions{Paths: paths, Grants: grants, Print: func(text string) { fmt.Fprintln(env.Err, text) }})
	if err != nil {
		return err
	}
	r := testsReport{files, env.Sentence}
	if failed := r.count(script.TestFailed); failed > 0 {
		return env.ReportWith(r, fault.New(fault.Plugin, "tests-failed", failed))
	}
	return env.Report(r)
}

// testsReport is what came of the tests of plugins.
type testsReport struct {
	files []mnemon.Tried
	say   func(error) string
}

// TestJSON is one test.
type TestJSON struct {
	Name   []string `json:"name"`            // of the suites that it is in, and its own
	Status string   `json:"status"`          // passed, failed, skipped, todo
	Error  string   `json:"error,omitempty"` // of one that failed
}

// TestFileJSON is one file of tests.
type TestFileJSON struct {
	File  string     `json:"file"`
	Tests []TestJSON `json:"tests"`
	Error string     `json:"error,omitempty"` // why it cannot be loaded, or was stopped
}

// TestsJSON is what plugin test writes with --json.
type TestsJSON struct {
	Files   []TestFileJSON `json:"files"`
	Passed  int            `json:"passed"`
	Failed  int            `json:"failed"` // with the files that have an error of their own
	Skipped int            `json:"skipped"`
	Todo    int            `json:"todo"`
}

// count is how many tests ended so; a file with an error of its own counts as one
// that failed, unless a failed test has that error.
func (r testsReport) count(status string) (n int) {
	for _, f := range r.files {
		before := n
		for _, t := range f.Tests {
			if t.Status == status {
				n++
			}
		}
		if status == script.TestFailed && f.Err != nil && n == before {
			n++
		}
	}
	return n
}

func (r testsReport) JSON() any {
	out := TestsJSON{
		Files: []TestFileJSON{}, Passed: r.count(script.TestPassed), Failed: r.count(script.TestFailed),
		Skipped: r.count(script.TestSkipped), Todo: r.count(script.TestTodo),
	}
	for _, f := range r.files {
		file := TestFileJSON{File: f.File, Tests: []TestJSON{}}
		for _, t := range f.Tests {
			file.Tests = append(file.Tests, TestJSON{append([]string{}, t.Name...), t.Status, t.Error})
		}
		if f.Err != nil {
			file.Error = r.say(f.Err)
		}
		out.Files = append(out.Files, file)
	}
	return out
}

func (r testsReport) Text(w *cli.Writer) {
	for _, f := range r.files {
		w.Line(w.Bold(f.File))
		for _, t := range f.Tests {
			w.Say("test-"+t.Status, strings.Join(t.Name, " > "))
			if t.Error != "" {
				indented(w, t.Error)
			}
		}
		if f.Err != nil {
			indented(w, r.say(f.Err))
		}
	}
	w.Say("tests-sum", r.count(script.TestPassed), r.count(script.TestFailed), r.count(script.TestSkipped)+r.count(script.TestTodo))
}

func indented(w *cli.Writer, text string) {
	for line := range strings.SplitSeq(text, "\n") {
		w.Line("      " + line)
	}
}
