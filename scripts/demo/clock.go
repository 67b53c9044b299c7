package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// The sources of a plugin that tells the time, and of an update that breaks it:
// it uses the timer and does not declare it.
const (
	clockSource = `let ticks = 0
harness.handle('now', ({ zone }) => {
  if (zone !== 'UTC') throw new Error('no such zone: ' + zone)
  return { ticks, at: new Date().toISOString() }
})
return {
  name: 'clock',
  inject: ['timer'],
  apply(ctx) { ctx.interval(() => { ticks++ }, 1000) },
}
`
	brokenSource = `return {
  name: 'clock',
  apply(ctx) { ctx.interval(() => {}, 1000) },
}
`
)

// clock defines a plugin, runs and calls it, breaks it with an update, rolls back
// and reads what the agent is told.
func (d *demo) clock() (err error) {
	d.heading(d.say.clock)
	for name, source := range map[string]string{"clock.js": clockSource, "clock2.js": brokenSource} {
		if err := os.WriteFile(filepath.Join(d.workspace, name), []byte(source), 0o600); err != nil {
			return err
		}
	}
	if err := d.showCordis(0, "host", "start"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.showCordis(0, "host", "stop")) }()
	for _, step := range []struct {
		code int
		args []string
	}{
		{0, []string{"define", "--new", "clock", "--name", "Clock", "--purpose", "tell the time", "--host-file", "clock.js"}},
		{0, []string{"run", "clock-1", "pkg-1", "--mode", "run"}},
		{0, []string{"invoke", "clock-1", "now", `{"zone":"UTC"}`}},
		{0, []string{"define", "--plugin", "clock-1", "--name", "Clock 2", "--purpose", "tell the time", "--host-file", "clock2.js"}},
		{7, []string{"run", "clock-1", "pkg-2", "--mode", "update"}},
		{0, []string{"inspect", "self", "clock-1"}},
		{0, []string{"run", "clock-1", "pkg-1", "--mode", "run"}},
		{7, []string{"invoke", "clock-1", "now", `{"zone":"Mars"}`}},
		{0, []string{"feedback"}},
	} {
		if err := d.showCordis(step.code, step.args...); err != nil {
			return err
		}
	}
	return nil
}

// showCordis shows a command and what it says, and wants it to exit with code.
func (d *demo) showCordis(code int, args ...string) error {
	fmt.Println("$ cordis " + shellWords(args))
	cmd := d.command(d.cordis, "", args...)
	out, err := cmd.CombinedOutput()
	for line := range strings.Lines(string(out)) {
		fmt.Print(strings.ReplaceAll(line, d.workspace, "..."))
	}
	if exited := new(exec.ExitError); err != nil && !errors.As(err, &exited) {
		return err
	}
	if got := cmd.ProcessState.ExitCode(); got != code {
		return fmt.Errorf("cordis %s: exit %d, want %d", strings.Join(args, " "), got, code)
	}
	if code != 0 {
		fmt.Printf("(exit %d)\n", code)
	}
	return nil
}

// shellWords quotes what a shell would take apart.
func shellWords(args []string) string {
	words := make([]string, len(args))
	for i, arg := range args {
		if words[i] = arg; strings.ContainsAny(arg, ` {"`) {
			words[i] = "'" + arg + "'"
		}
	}
	return strings.Join(words, " ")
}
