package selfipcmd

import (
	"fmt"
	"hash/fnv"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/pkg/fault"
)

// schedulers are the programs that selfip knows to be started by.
var schedulers = []string{"cron", "systemd", "launchd"}

func newSchedule(env *cli.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:               "schedule [cron|systemd|launchd]",
		Args:              cli.ArgCount(0, 1),
		ValidArgsFunction: cli.ArgWords(schedulers),
		RunE: func(_ *cobra.Command, args []string) error {
			kind := schedulers[0]
			if len(args) > 0 {
				kind = args[0]
			}
			if !slices.Contains(schedulers, kind) {
				return fault.New(fault.Usage, "unknown-scheduler", kind, strings.Join(schedulers, ", "))
			}
			return runSchedule(env, kind)
		},
	}
	return cli.Exits(cmd)
}

// runSchedule prints what starts `sleep --due` and `queue run` for the workspace.
// It writes nothing: a scheduler is the user's own.
func runSchedule(env *cli.Env, kind string) error {
	o, err := openedForChange(env)
	if err != nil {
		return err
	}
	if _, err := o.memory.Queue(); err != nil { // there is a workspace to be named
		return err
	}
	program, err := env.Executable()
	if err != nil {
		return fault.New(fault.Failed, "no-executable").Because(err)
	}
	s := schedule{program: program, dir: o.workspace.Root, home: env.Home(), name: unitName(o.workspace.Root)}
	if strings.ContainsAny(program+s.dir, "\n\r\x00") {
		return fault.New(fault.Refused, "unschedulable", s.dir)
	}
	return env.Report(scheduleReport{kind, s.files(kind)})
}

// schedule is what is to be started, for one workspace.
type schedule struct{ program, dir, home, name string }

// job is one command of a schedule.
type job struct {
	name    string
	args    []string
	minutes []int // of the hour at which it starts
}

// jobs start at odd minutes: everybody else's start at even ones. Both may run at
// the same time, and several of each, also from several schedulers.
func (s schedule) jobs() []job {
	return []job{
		{"queue", []string{"queue", "run"}, []int{11, 41}},
		{"sleep", []string{"sleep", "--due"}, []int{23}},
	}
}

func (s schedule) command(j job) []string {
	return append([]string{s.program, "-C", s.dir}, j.args...)
}

// unitName is a name for units that says which workspace they are for: two with
// folders of the same name have two.
func unitName(dir string) string {
	base := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '-'
	}, filepath.Base(dir))
	h := fnv.New32a()
	_, _ = h.Write([]byte(dir)) // it never fails
	return fmt.Sprintf("%s-%08x", strings.Trim(base, "-"), h.Sum32())
}

// UnitJSON is a file for a scheduler.
type UnitJSON struct {
	Path    string `json:"path"` // where it belongs; of cron, the command that takes it
	Content string `json:"content"`
}

func (s schedule) files(kind string) []UnitJSON {
	switch kind {
	case "systemd":
		return s.systemd()
	case "launchd":
		return s.launchd()
	}
	return s.cron()
}

// cron writes lines of a crontab.
func (s schedule) cron() []UnitJSON {
	var b strings.Builder
	for _, j := range s.jobs() {
		var words []string
		for _, w := range s.command(j) {
			words = append(words, shellWord(w))
		}
		var minutes []string
		for _, m := range j.minutes {
			minutes = append(minutes, fmt.Sprint(m))
		}
		// A percent sign ends the command for cron, also inside quotes.
		line := strings.ReplaceAll(strings.Join(words, " "), "%", `\%`)
		fmt.Fprintf(&b, "%s * * * * %s --quiet >/dev/null\n", strings.Join(minutes, ","), line)
	}
	return []UnitJSON{{"crontab -e", b.String()}}
}

// shellWord quotes a word for a shell.
func shellWord(w string) string {
	if w != "" && strings.Trim(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/_-.=") == "" {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}

// systemd writes a service and a timer for each job.
func (s schedule) systemd() []UnitJSON {
	dir := filepath.Join(s.home, ".config", "systemd", "user")
	var files []UnitJSON
	for _, j := range s.jobs() {
		var words []string
		for _, w := range s.command(j) {
			words = append(words, unitWord(w))
		}
		unit := "selfip-" + j.name + "-" + s.name
		var times strings.Builder
		for _, m := range j.minutes {
			fmt.Fprintf(&times, "OnCalendar=*:%02d\n", m)
		}
		title := strings.ReplaceAll("selfip "+strings.Join(j.args, " ")+" in "+s.dir, "%", "%%")
		files = append(
			files,
			UnitJSON{filepath.Join(dir, unit+".service"), "[Unit]\nDescription=" + title + "\n\n[Service]\nType=oneshot\nExecStart=" +
				strings.Join(words, " ") + "\n# 6: another process holds the lock; the next time does it\nSuccessExitStatus=6\nNice=10\n"},
			UnitJSON{filepath.Join(dir, unit+".timer"), "[Unit]\nDescription=" + title + "\n\n[Timer]\n" + times.String() +
				"Persistent=true\nRandomizedDelaySec=60\n\n[Install]\nWantedBy=timers.target\n"},
		)
	}
	return files
}

// unitWord quotes a word for ExecStart.
func unitWord(w string) string {
	w = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "%", "%%", "$", "$$").Replace(w)
	if strings.ContainsAny(w, " \t'\"\\;") {
		return `"` + w + `"`
	}
	return w
}

// launchd writes a property list for each job.
func (s schedule) launchd() []UnitJSON {
	var files []UnitJSON
	for _, j := range s.jobs() {
		label := "dshkit.selfip." + j.name + "." + s.name
		var words, times strings.Builder
		for _, w := range s.command(j) {
			words.WriteString("    <string>" + xmlText(w) + "</string>\n")
		}
		for _, m := range j.minutes {
			fmt.Fprintf(&times, "    <dict><key>Minute</key><integer>%d</integer></dict>\n", m)
		}
		files = append(files, UnitJSON{
			filepath.Join(s.home, "Library", "LaunchAgents", label+".plist"),
			`<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key><string>` + xmlText(label) + `</string>
  <key>ProgramArguments</key>
  <array>
` + words.String() + `  </array>
  <key>StartCalendarInterval</key>
  <array>
` + times.String() + `  </array>
  <key>ProcessType</key><string>Background</string>
</dict>
</plist>
`,
		})
	}
	return files
}

func xmlText(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;").Replace(s)
}

type scheduleReport struct {
	kind  string
	files []UnitJSON
}

// ScheduleJSON is what schedule writes with --json.
type ScheduleJSON struct {
	Files     []UnitJSON `json:"files"`
	Scheduler string     `json:"scheduler"` // cron, systemd or launchd
}

func (r scheduleReport) JSON() any { return ScheduleJSON{r.files, r.kind} }

func (r scheduleReport) Text(w *cli.Writer) {
	for i, f := range r.files {
		if i > 0 {
			w.Line("")
		}
		w.Say("schedule-file", f.Path)
		w.Print(f.Content)
	}
	w.Line("")
	for line := range strings.SplitSeq(w.Phrase("schedule-how-"+r.kind), "\n") {
		w.Line("# " + line)
	}
}
