//go:build unix

package cordiscmd_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/dshkit/dshkit/internal/testkit"
	"github.com/dshkit/dshkit/internal/testkit/hosts"
	"github.com/dshkit/dshkit/internal/testkit/page"
)

// TestAcceptance plays the criteria by which cordis is accepted, one script each:
// CR-A1, CR-A2, CR-A3, CR-A4, CR-A5, CR-A6, CR-A7, CR-A8, CR-A9, CR-A10, CR-A11,
// CR-A12, CR-A13, CR-A14, CR-A15. CR-A16 is that all tests pass.
func TestAcceptance(t *testing.T) {
	inWorkspaces(t, "testdata/acceptance")
}

// inWorkspaces plays the scripts of a folder, each in a workspace of its own whose
// host ends with it.
func inWorkspaces(t *testing.T, dir string, vars ...string) {
	t.Helper()
	words := maps.Clone(hosts.Words)
	words["page"], words["until"] = page.Command, until
	testkit.ScriptsWith(t, dir, words, func(e *testscript.Env) error {
		e.Defer(func() {
			if err := hosts.End(e.WorkDir); err != nil {
				t.Error(err)
			}
		})
		e.Vars = append(e.Vars, vars...)
		e.Cd = filepath.Join(e.WorkDir, "ws") // the home beside it makes the folder above none
		return os.MkdirAll(e.Cd, 0o777)
	})
}

// until runs a program again and again until it writes what a pattern matches, at
// most a minute: "until running cordis inventory".
func until(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: until PATTERN PROGRAM [ARGS...]")
	}
	pattern, err := regexp.Compile("(?m)" + args[0])
	ts.Check(err)
	for start := time.Now(); time.Since(start) < time.Minute; time.Sleep(10 * time.Millisecond) {
		if err := ts.Exec(args[1], args[2:]...); err == nil && pattern.MatchString(ts.ReadFile("stdout")) {
			return
		}
	}
	ts.Fatalf("it never wrote %q; in the end:\n%s", args[0], ts.ReadFile("stdout"))
}

// TestSecrets plays a half that tries to reach what is none of its business.
func TestSecrets(t *testing.T) {
	inWorkspaces(t, "testdata/secrets")
}

// TestFieldCases plays the cases from the field that are about cordis, with their
// own inputs in $CASES: 07, 08, 09, 10, 30, 75, 78, 86, 87, 88, 91, 93, 95, 96, 97, 99, 100,
// 101, 104 and 108.
func TestFieldCases(t *testing.T) {
	cases, err := filepath.Abs("testdata/cases")
	if err != nil {
		t.Fatal(err)
	}
	inWorkspaces(t, "testdata/field", "CASES="+cases)
}
