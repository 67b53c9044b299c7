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

func newHost(env *cli.Env) *cobra.Command {
	cmd := &cobra.Command{Use: "host"}
	cmd.AddCommand(newHostStart(env), newHostStatus(env), newHostStop(env), newHostLogs(env))
	return cli.Group(cmd)
}

// hostOptions are what a host can be told, by host start and by serve.
type hostOptions struct {
	trusted bool
	idle    time.Duration
	eval    time.Duration
}

func (o *hostOptions) flags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&o.trusted, "trusted", false, "")
	cmd.Flags().DurationVar(&o.idle, "idle", 0, "")
	cmd.Flags().DurationVar(&o.eval, "eval-timeout", 0, "")
}

func (o hostOptions) check() error {
	for _, d := range []time.Duration{o.idle, o.eval} {
		if d < 0 {
			return fault.New(fault.Usage, "bad-timeout", d.String())
		}
	}
	return nil
}

// serveArguments are those by which this program is the host of the workspace,
// apart from its terminal.
func serveArguments(env *cli.Env, more ...string) []string {
	args := append([]string{"serve", "--detached"}, more...)
	if env.Flags.Dir != "" {
		args = append(args, "--dir=.") // the root, where it is started
	}
	return append(args, "--lang="+string(env.Lang()))
}

func newHostStart(env *cli.Env) *cobra.Command {
	var o hostOptions
	cmd := &cobra.Command{Use: "start", Args: cli.ArgCount(0, 0), RunE: func(cmd *cobra.Command, _ []string) error {
		if err := o.check(); err != nil {
			return err
		}
		return runHostStart(cmd.Context(), env, o)
	}}
	o.flags(cmd)
	cli.DryRunFlag(env, cmd)
	return asks(cmd)
}

func runHostStart(ctx context.Context, env *cli.Env, o hostOptions) error {
	w, err := open(env)
	if err != nil {
		return err
	}
	if env.Flags.DryRun {
		return env.Report(planReport{PlanJSON{Would: "host start", Name: w.Root()}})
	}
	var more []string
	if o.trusted {
		more = append(more, "--trusted")
	}
	if o.idle > 0 {
		more = append(more, "--idle="+o.idle.String())
	}
	if o.eval > 0 {
		more = append(more, "--eval-timeout="+o.eval.String())
	}
	started, err := w.Start(ctx, serveArguments(env, more...))
	if err != nil {
		return err
	}
	return env.Report(startReport{started})
}

// HostStartJSON is what host start writes with --json.
type HostStartJSON struct {
	PID       int    `json:"pid"`
	Socket    string `json:"socket"`
	Workspace string `json:"workspace"`
	Started   string `json:"started"` // RFC 3339
	New       bool   `json:"new"`     // false: it ran before
}

type startReport struct{ cordis.Started }

func (r startReport) JSON() any {
	return HostStartJSON{r.PID, r.Socket, r.Workspace, r.Started.Started, r.New}
}

func (r startReport) Text(w *cli.Writer) {
	if r.New {
		w.Say("host-started", r.PID)
	} else {
		w.Say("host-there", r.PID, r.Started.Started)
	}
	w.Say("host-socket", r.Socket)
}

func newHostStatus(env *cli.Env) *cobra.Command {
	var o clientOptions
	cmd := &cobra.Command{Use: "status", Args: cli.ArgCount(0, 0), RunE: func(cmd *cobra.Command, _ []string) error {
		var s control.Status
		raw, err := ask(cmd.Context(), env, o, "status", func(string) any { return nil }, &s)
		if err != nil {
			return err
		}
		return env.Report(answer{raw, func(w *cli.Writer) { writeStatus(w, env.Now(), s) }})
	}}
	hostFlags(cmd, &o)
	return asks(cmd)
}

func writeStatus(w *cli.Writer, now time.Time, s control.Status) {
	up := "-"
	if t, err := time.Parse(time.RFC3339, s.Started); err == nil {
		up = now.Sub(t).Round(time.Second).String()
	}
	w.Say("status-head", s.PID, up, s.Workspace)
	w.Say("status-counts", s.Plugins, s.Running, s.Approvals)
	w.Say("status-clients", s.Pages, s.Bridges)
	w.Say("status-vitals", s.Vitals.Processes, s.Vitals.Goroutines, float64(s.Vitals.Heap)/(1<<20))
	if s.Page != "" {
		w.Say("status-page", s.Page)
	}
	w.Say("host-socket", s.Socket)
}

func newHostStop(env *cli.Env) *cobra.Command {
	cmd := &cobra.Command{Use: "stop", Args: cli.ArgCount(0, 0), RunE: func(cmd *cobra.Command, _ []string) error {
		w, err := open(env)
		if err != nil {
			return err
		}
		if env.Flags.DryRun {
			return env.Report(planReport{PlanJSON{Would: "host stop", Name: w.Root()}})
		}
		pid, err := w.Stop(cmd.Context())
		if control.NoHost(err) {
			return env.Report(hostStopReport{HostStopJSON{}})
		}
		if err != nil {
			return err
		}
		return env.Report(hostStopReport{HostStopJSON{pid, true}})
	}}
	cli.DryRunFlag(env, cmd)
	return asks(cmd)
}

// HostStopJSON is what host stop writes with --json.
type HostStopJSON struct {
	PID     int  `json:"pid"`     // 0: there was none
	Stopped bool `json:"stopped"` // false: there was none
}

type hostStopReport struct{ HostStopJSON }

func (r hostStopReport) JSON() any { return r.HostStopJSON }

func (r hostStopReport) Text(w *cli.Writer) {
	if !r.Stopped {
		w.Say("host-none")
		return
	}
	w.Say("host-stopped", r.PID)
}

// HostLogsJSON is what host logs writes with --json, one for each row.
type HostLogsJSON struct {
	At    string `json:"at,omitempty"`    // RFC 3339; missing where another program wrote the row
	Level string `json:"level,omitempty"` // log, warn, error, ...; host: said by the process itself
	Text  string `json:"text"`            // with the lines of one row
}

func newHostLogs(env *cli.Env) *cobra.Command {
	var (
		follow bool
		lines  int
	)
	cmd := &cobra.Command{Use: "logs", Args: cli.ArgCount(0, 0), RunE: func(cmd *cobra.Command, _ []string) error {
		if lines < 0 {
			return fault.New(fault.Usage, "bad-count", lines)
		}
		w, err := open(env)
		if err != nil {
			return err
		}
		o := cordis.LogOptions{Last: lines, Follow: follow, Out: env.Out}
		if env.Flags.JSON {
			o.Row = func(r cordis.LogRow) error { return env.Document(HostLogsJSON(r)) }
		}
		return w.Logs(cmd.Context(), o)
	}}
	cmd.Flags().BoolVarP(&follow, "follow", "f", false, "")
	cmd.Flags().IntVar(&lines, "lines", 100, "")
	return cli.Exits(cmd, fault.Refused, fault.NotFound)
}
