package selfipcmd

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/harness"
	"github.com/dshkit/dshkit/internal/harness/install"
	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/pkg/fault"
)

// probeWait is how long doctor waits for a lock before it calls it busy.
const probeWait = 500 * time.Millisecond

func newDoctor(env *cli.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:  "doctor",
		Args: cli.ArgCount(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error { return runDoctor(cmd.Context(), env) },
	}
	return cli.Exits(cmd, fault.Failed)
}

// finding is one thing that doctor looked at.
type finding struct {
	Level   string // ok, note or trouble
	Subject string // settings, library, queue, model, hooks
	Code    string
	Args    []any
}

// The levels of findings.
const (
	levelOK      = "ok"
	levelNote    = "note"
	levelTrouble = "trouble"
)

// doctor collects findings.
type doctor struct {
	env      *cli.Env
	findings []finding
}

func (d *doctor) add(level, subject, code string, args ...any) {
	d.findings = append(d.findings, finding{level, subject, code, args})
}

// check adds a finding for an error, or the code when there is none.
func (d *doctor) check(subject string, err error, code string, args ...any) {
	if err != nil {
		d.add(levelTrouble, subject, "doctor-error", err)
		return
	}
	d.add(levelOK, subject, code, args...)
}

func runDoctor(ctx context.Context, env *cli.Env) error {
	d := &doctor{env: env}
	o, err := open(env, env.Flags.Dir)
	if err != nil {
		d.add(levelTrouble, "workspace", "doctor-error", err)
	} else {
		d.settings(o)
		d.libraries(ctx, o.memory)
		d.queue(o.memory)
		d.model(o)
		d.failures(o)
		d.git(ctx, o)
	}
	var bare []string // harnesses without a hook of ours
	for _, h := range harness.All() {
		if install.Wired(h) && !d.hooks(o, h) {
			bare = append(bare, string(h))
		}
	}
	if len(bare) > 0 {
		d.add(levelNote, "hooks", "doctor-not-installed", strings.Join(bare, ", "))
	}
	var found error
	if n := d.troubles(); n > 0 {
		found = fault.New(fault.Failed, "doctor-troubles", n)
	}
	return env.ReportWith(doctorReport{env, d.findings}, found)
}

func (d *doctor) troubles() int {
	n := 0
	for _, f := range d.findings {
		if f.Level == levelTrouble {
			n++
		}
	}
	return n
}

func (d *doctor) settings(o *opened) {
	for _, w := range o.warnings {
		d.add(levelNote, "settings", w.Code, w.Args...)
	}
	for _, err := range o.settings.ReadErrors {
		d.add(levelTrouble, "settings", "doctor-error", err)
	}
	if o.workspace.Note != "" {
		d.add(levelNote, "workspace", o.workspace.Note, o.workspace.Start)
		return
	}
	d.add(levelOK, "workspace", "doctor-workspace", o.workspace.Root, o.settings.Scope)
}

func (d *doctor) libraries(ctx context.Context, m *selfip.Memory) {
	for _, lib := range []*selfip.Library{m.Workspace, m.Global} {
		if lib == nil {
			continue
		}
		h := m.Health(lib)
		if !h.Exists {
			d.add(levelNote, "library", "doctor-no-library", lib.Label, lib.Root)
			continue
		}
		d.add(levelOK, "library", "doctor-library", lib.Label, h.Count.Live, lib.Root)
		for _, damage := range h.Count.Damage {
			d.add(levelTrouble, "library", "doctor-error", damage.Err)
		}
		if h.StateErr != nil {
			d.add(levelNote, "library", "doctor-error", h.StateErr)
		}
		for _, g := range lib.Glued() {
			d.add(levelTrouble, "library", "doctor-glued", g.File, g.Line)
		}
		if h.Blocked > 0 {
			d.add(levelNote, "library", "doctor-blocked", h.Blocked)
		}
		if h.Aside > 0 {
			d.add(levelNote, "library", "doctor-aside", h.Aside, lib.QuarantineDir())
		}
		ctx, cancel := context.WithTimeout(ctx, probeWait)
		if err := lib.Probe(ctx); err != nil {
			d.add(levelTrouble, "library", "doctor-error", err)
		}
		cancel()
	}
}

func (d *doctor) queue(m *selfip.Memory) {
	if m.Workspace == nil {
		return
	}
	q, err := m.Queue()
	d.check("queue", err, "doctor-queue", len(q.Waiting), len(q.Dead))
	if q.Bad > 0 {
		d.add(levelNote, "queue", "queue-bad", q.Bad)
	}
	for _, row := range slices.Backward(q.Waiting) {
		if row.LastError != "" { // of the latest session alone: they mostly fail for one reason
			d.add(levelNote, "queue", "doctor-queue-failed", row.Key(), row.LastError)
			return
		}
	}
}

func (d *doctor) failures(o *opened) {
	list, _ := failures(d.env, o)
	for _, f := range tail(list, 3) {
		d.add(levelNote, "hooks", "status-failure", f.Time, f.Where, f.Error)
	}
}

type doctorReport struct {
	env      *cli.Env
	findings []finding
}

// FindingJSON is one thing that doctor looked at.
type FindingJSON struct {
	Level   string `json:"level"` // ok, note or trouble
	Subject string `json:"subject"`
	Code    string `json:"code"`
	Args    []any  `json:"args"`
}

// DoctorJSON is what doctor writes with --json.
type DoctorJSON struct {
	Findings []FindingJSON `json:"findings"`
}

func (r doctorReport) JSON() any {
	out := []FindingJSON{}
	for _, f := range r.findings {
		args := []any{}
		for _, a := range f.Args {
			if err, ok := a.(error); ok {
				a = r.env.Sentence(err)
			}
			args = append(args, a)
		}
		out = append(out, FindingJSON{f.Level, f.Subject, f.Code, args})
	}
	return DoctorJSON{out}
}

func (r doctorReport) Text(w *cli.Writer) {
	for _, f := range r.findings {
		level := w.Phrase("level-" + f.Level)
		if f.Level == levelTrouble {
			level = w.Alarm(level)
		}
		w.Line(level + "  " + w.Phrase(f.Code, spoken(w, f.Args)...))
	}
}

// spoken puts the names of libraries among args into words.
func spoken(w *cli.Writer, args []any) []any {
	out := slices.Clone(args)
	for i, a := range out {
		if label, ok := a.(selfip.Label); ok {
			out[i] = w.Phrase("library-" + string(label))
		}
	}
	return out
}
