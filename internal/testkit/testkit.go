// Package testkit is what the tests of all rooms share: commands that run with
// a fixed clock and counting identities, more words for test scripts, golden
// comparison, and checks of message tables. Nothing but tests imports it.
package testkit

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
)

// Clock is the time at which scripts begin, that of the fixtures.
var Clock = time.Date(2026, 9, 15, 12, 0, 0, 0, time.UTC)

// stateVar names the folder that the processes of one script share: the clock
// and the count of identities. It exists in tests only.
const stateVar = "TESTKIT_STATE"

// Main runs the tests of a command package. The programs, by name, are the real
// ones, run by the real cli.Run; in scripts "exec NAME" starts one. Their clock
// is the one of the script and their identities count from 1.
func Main(m testscript.TestingM, programs map[string]func(*cli.Env) *cobra.Command) {
	whole := map[string]func(*cli.Env) int{}
	for name, newRoot := range programs {
		whole[name] = func(e *cli.Env) int { return cli.Run(e, newRoot) }
	}
	MainWith(m, whole)
}

// MainWith is Main for programs that are more than commands.
func MainWith(m testscript.TestingM, programs map[string]func(*cli.Env) int) {
	commands := map[string]func(){}
	for name, run := range programs {
		commands[name] = func() { os.Exit(run(env())) }
	}
	testscript.Main(m, commands)
}

// env is the Env of a program in a script.
func env() *cli.Env {
	e := cli.System()
	state := os.Getenv(stateVar)
	e.Now = func() time.Time { return readClock(state) }
	e.NewID = func(prefix string) string { return fmt.Sprintf("%s%06d", prefix, nextID(state)) }
	return e
}

// Scripts runs every script of a folder, with more variables, NAME=VALUE. With
// UPDATE=1 the files in them that cmp compares are rewritten.
func Scripts(t *testing.T, dir string, more ...string) {
	t.Helper()
	ScriptsWith(t, dir, nil, func(e *testscript.Env) error {
		e.Vars = append(e.Vars, more...)
		return nil
	})
}

// A Word is a word of test scripts.
type Word = func(ts *testscript.TestScript, neg bool, args []string)

// ScriptsWith runs every script of a folder with more words, and with what before
// does to each.
func ScriptsWith(t *testing.T, dir string, words map[string]Word, before func(*testscript.Env) error) {
	t.Helper()
	all := maps.Clone(scriptCommands)
	maps.Copy(all, words)
	testscript.Run(t, testscript.Params{
		Dir: dir,
		Setup: func(e *testscript.Env) error {
			if err := before(e); err != nil {
				return err
			}
			return setup(e)
		},
		Cmds:                all,
		UpdateScripts:       updating(),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}

// setup gives a script a home of its own, English, and UTC.
func setup(e *testscript.Env) error {
	state := filepath.Join(e.WorkDir, ".testkit")
	home := filepath.Join(e.WorkDir, "home")
	if err := os.MkdirAll(state, 0o777); err != nil {
		return err
	}
	if err := os.MkdirAll(home, 0o777); err != nil {
		return err
	}
	e.Setenv(stateVar, state)
	e.Setenv("HOME", home)
	e.Setenv("LANG", "C.UTF-8")
	e.Setenv("TZ", "UTC")
	return writeClock(state, Clock)
}

func readClock(state string) time.Time {
	text, err := os.ReadFile(filepath.Join(state, "clock"))
	if err != nil {
		return Clock
	}
	now, err := time.Parse(time.RFC3339Nano, string(text))
	if err != nil {
		panic("testkit: " + err.Error())
	}
	return now
}

func writeClock(state string, now time.Time) error {
	return os.WriteFile(filepath.Join(state, "clock"), []byte(now.Format(time.RFC3339Nano)), 0o666)
}

// nextID counts over all processes of a script: each appends a byte, and the
// end of what it wrote is its number.
func nextID(state string) int64 {
	f, err := os.OpenFile(filepath.Join(state, "ids"), os.O_CREATE|os.O_APPEND|os.O_RDWR, 0o666)
	if err != nil {
		panic("testkit: " + err.Error())
	}
	defer f.Close()
	if _, err := f.WriteString("."); err != nil {
		panic("testkit: " + err.Error())
	}
	n, err := f.Seek(0, 1)
	if err != nil {
		panic("testkit: " + err.Error())
	}
	return n
}
