package cordiscmd

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/cordis"
	"github.com/dshkit/dshkit/internal/cordis/control"
	"github.com/dshkit/dshkit/pkg/fault"
)

func newDoctor(env *cli.Env) *cobra.Command {
	cmd := &cobra.Command{Use: "doctor", Args: cli.ArgCount(0, 0), RunE: func(cmd *cobra.Command, _ []string) error {
		w, err := open(env)
		if err != nil {
			return err
		}
		checks := examine(cmd.Context(), env, w)
		failed := 0
		for _, c := range checks {
			if c.State == "fail" {
				failed++
			}
		}
		if failed > 0 {
			return env.ReportWith(doctorReport{checks}, fault.New(fault.Failed, "doctor-failed", failed))
		}
		return env.Report(doctorReport{checks})
	}}
	return cli.Exits(cmd, fault.Refused)
}

// CheckupJSON is one thing that doctor has looked at.
type CheckupJSON struct {
	Check string `json:"check"` // workspace, host, grants or sandbox
	State string `json:"state"` // ok, note or fail
	Text  string `json:"text"`
}

// DoctorJSON is what doctor writes with --json.
type DoctorJSON struct {
	Checks []CheckupJSON `json:"checks"`
}

type doctorReport struct{ checks []CheckupJSON }

func (r doctorReport) JSON() any { return DoctorJSON{r.checks} }

func (r doctorReport) Text(w *cli.Writer) {
	var rows [][]string
	for _, c := range r.checks {
		state := w.Phrase("checkup-" + c.State)
		if c.State == "fail" {
			state = w.Alarm(state)
		}
		rows = append(rows, []string{state, w.Phrase("checkup-" + c.Check), c.Text})
	}
	w.Columns(false, rows)
}

// sandboxTime is how long the smallest half may take.
const sandboxTime = 30 * time.Second

// examine looks at all that a host depends on, and changes nothing.
func examine(ctx context.Context, env *cli.Env, w *cordis.Workspace) []CheckupJSON {
	good := func(check, id string, args ...any) CheckupJSON { return CheckupJSON{check, "ok", env.Say(id, args...)} }
	bad := func(check string, err error) CheckupJSON { return CheckupJSON{check, "fail", env.Sentence(err)} }
	list := []CheckupJSON{good("workspace", "doctor-workspace", w.Root())}

	conn, hello, err := w.Connect(ctx, control.Client, control.Handlers{})
	switch {
	case err == nil:
		_ = conn.Close()
		list = append(list, good("host", "doctor-host", hello.PID, hello.Started))
	case control.NoHost(err):
		list = append(list, CheckupJSON{"host", "note", env.Sentence(err)})
	default:
		list = append(list, bad("host", err))
	}

	if grants, err := w.Grants(); err != nil {
		list = append(list, bad("grants", err))
	} else {
		list = append(list, good("grants", "doctor-grants", len(grants)))
	}

	ctx, cancel := context.WithTimeout(ctx, sandboxTime)
	defer cancel()
	if _, err := w.Exec(ctx, cordis.ExecOptions{Name: "doctor", Code: "return { apply() {} }"}); err != nil {
		return append(list, bad("sandbox", err))
	}
	return append(list, good("sandbox", "doctor-sandbox"))
}
