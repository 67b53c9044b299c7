package selfipcmd

import (
	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/pkg/fault"
)

func newSession(env *cli.Env) *cobra.Command {
	cmd := &cobra.Command{Use: "session"}
	cmd.AddCommand(newSessionList(env), newSessionShow(env), newSessionEnd(env))
	cmd.Args = cli.Subcommands
	cmd.RunE = func(*cobra.Command, []string) error { return runSessionList(env) }
	return cmd
}

func newSessionList(env *cli.Env) *cobra.Command {
	return &cobra.Command{
		Use:  "list",
		Args: cli.ArgCount(0, 0),
		RunE: func(*cobra.Command, []string) error { return runSessionList(env) },
	}
}

func runSessionList(env *cli.Env) error {
	m, err := openMemory(env)
	if err != nil {
		return err
	}
	return env.Report(sessionsReport{m.Sessions()})
}

type sessionsReport struct{ sessions []selfip.Running }

// SessionJSON is a session that has not been learned from yet.
type SessionJSON struct {
	Session    string `json:"sid"`
	Prompts    int    `json:"prompts"`
	ToolCalls  int    `json:"toolCalls"`
	ToolErrors int    `json:"toolErrors"`
	Errors     int    `json:"agentErrors"` // all recorded errors
	Injected   int    `json:"injectedChars"`
	Blocks     int    `json:"injectedBlocks"`
	Ended      bool   `json:"ended"`
}

func sessionsJSON(sessions []selfip.Running) []SessionJSON {
	out := []SessionJSON{}
	for _, s := range sessions {
		out = append(out, SessionJSON{s.Session, s.Prompts, s.ToolCalls, s.ToolErrors, s.Errors, s.Shown, s.Blocks, s.Ended})
	}
	return out
}

// SessionListJSON is what session list writes with --json.
type SessionListJSON struct {
	Sessions []SessionJSON `json:"sessions"`
}

func (r sessionsReport) JSON() any { return SessionListJSON{sessionsJSON(r.sessions)} }

func (r sessionsReport) Text(w *cli.Writer) {
	if len(r.sessions) == 0 {
		w.Say("no-sessions")
	}
	for _, s := range r.sessions {
		state := w.Phrase("session-running")
		if s.Ended {
			state = w.Phrase("session-ended")
		}
		w.Say("session-row", s.Session, state, s.Prompts, s.ToolCalls, s.ToolErrors, s.Shown)
	}
}

func newSessionShow(env *cli.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:  "show SESSION",
		Args: cli.ArgCount(1, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			m, err := openForChange(env)
			if err != nil {
				return err
			}
			log, err := m.SessionLog(args[0])
			if err != nil {
				return err
			}
			return env.Report(sessionReport{args[0], log})
		},
	}
	return cli.Exits(cmd, fault.NotFound)
}

type sessionReport struct{ session, log string }

// SessionLogJSON is what session show writes with --json.
type SessionLogJSON struct {
	Log     string `json:"log"` // as it would be written now
	Session string `json:"sid"`
}

func (r sessionReport) JSON() any { return SessionLogJSON{r.log, r.session} }

func (r sessionReport) Text(w *cli.Writer) { w.Line(r.log) }

func newSessionEnd(env *cli.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:  "end SESSION",
		Args: cli.ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			m, err := openForChange(env)
			if err != nil {
				return err
			}
			if _, err := m.SessionLog(args[0]); err != nil {
				return err
			}
			if err := m.Learns(); err != nil {
				return err
			}
			queued, err := m.Finish(cmd.Context(), selfip.Heard{Session: args[0]})
			if err != nil {
				return err
			}
			return env.Report(endedReport{args[0], queued})
		},
	}
	cli.DryRunFlag(env, cmd)
	return cli.Exits(cmd, fault.Refused, fault.NotFound, fault.Busy)
}

type endedReport struct {
	session string
	queued  bool
}

// EndedJSON is what session end writes with --json.
type EndedJSON struct {
	OK      bool   `json:"ok"`
	Queued  bool   `json:"queued"` // there is something to learn from
	Session string `json:"sid"`
}

func (r endedReport) JSON() any {
	return EndedJSON{true, r.queued, r.session}
}

func (r endedReport) Text(w *cli.Writer) {
	id := "session-end-nothing"
	if r.queued {
		id = "session-end-queued"
	}
	w.Say(id, r.session)
}
