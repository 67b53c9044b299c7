package selfipcmd

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/retro"
)

func newQueue(env *cli.Env) *cobra.Command {
	cmd := &cobra.Command{Use: "queue"}
	cmd.AddCommand(newQueueList(env), newQueueDead(env), newQueueRun(env), newQueueRetry(env), newQueueDrop(env))
	cmd.Args = cli.Subcommands
	cmd.RunE = func(*cobra.Command, []string) error { return runQueueList(env, false) }
	return cmd
}

func newQueueList(env *cli.Env) *cobra.Command {
	return &cobra.Command{
		Use:  "list",
		Args: cli.ArgCount(0, 0),
		RunE: func(*cobra.Command, []string) error { return runQueueList(env, false) },
	}
}

func newQueueDead(env *cli.Env) *cobra.Command {
	return &cobra.Command{
		Use:  "dead",
		Args: cli.ArgCount(0, 0),
		RunE: func(*cobra.Command, []string) error { return runQueueList(env, true) },
	}
}

func runQueueList(env *cli.Env, dead bool) error {
	m, err := openForChange(env)
	if err != nil {
		return err
	}
	q, err := m.Queue()
	if err != nil {
		return err
	}
	rows := q.Waiting
	if dead {
		rows = q.Dead
	}
	return env.Report(queueReport{rows: rows, dead: dead, bad: q.Bad, m: m})
}

type queueReport struct {
	rows retro.Queue
	dead bool
	bad  int
	m    *selfip.Memory
}

// QueueJSON is what queue list and queue dead write with --json.
type QueueJSON struct {
	Rows []RowJSON `json:"rows"`
	Bad  int       `json:"bad"` // rows that could not be read and were put aside
}

// RowJSON is one row of the queue.
type RowJSON struct {
	Key        string `json:"key"`
	T          string `json:"t"`
	File       string `json:"file,omitempty"`
	Session    string `json:"session,omitempty"`
	Harness    string `json:"harness,omitempty"`
	Errors     int    `json:"errors"`
	ToolErrors int    `json:"toolErrors"`
	Recovered  bool   `json:"recovered"`
	Attempts   int    `json:"attempts"`
	LastError  string `json:"lastError,omitempty"`
	DeadAt     string `json:"deadAt,omitempty"`
	Reason     string `json:"reason,omitempty"`
	Standing   string `json:"standing"` // due, waiting, claimed, spent
}

func rowsJSON(rows []retro.Item, m *selfip.Memory) []RowJSON {
	out := make([]RowJSON, 0, len(rows))
	for _, i := range rows {
		out = append(out, RowJSON{
			Key: i.Key(), T: i.T, File: i.File, Session: i.Session, Harness: i.Harness, Errors: i.Errors, ToolErrors: i.ToolErrors,
			Recovered: i.Recovered, Attempts: i.Attempts, LastError: i.LastError, DeadAt: i.DeadAt, Reason: string(i.Reason),
			Standing: string(i.Standing(m.Now(), retro.DefaultLimits())),
		})
	}
	return out
}

func (r queueReport) JSON() any { return QueueJSON{rowsJSON(r.rows, r.m), r.bad} }

func (r queueReport) Text(w *cli.Writer) {
	if len(r.rows) == 0 {
		id := "queue-empty"
		if r.dead {
			id = "queue-no-dead"
		}
		w.Say(id)
	}
	for _, row := range rowsJSON(r.rows, r.m) {
		state := w.Phrase("standing-row-" + row.Standing)
		if r.dead {
			state = w.Word("reason-", row.Reason)
		}
		w.Say("queue-row", row.Key, row.T, state, row.Attempts)
		if row.LastError != "" {
			w.Line("  " + row.LastError)
		}
	}
	if r.bad > 0 {
		w.Say("queue-bad", r.bad)
	}
}

func newQueueRetry(env *cli.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:  "retry [KEY]",
		Args: cli.ArgCount(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			m, err := openForChange(env)
			if err != nil {
				return err
			}
			rows, err := m.Retry(cmd.Context(), strings.Join(args, ""))
			if err != nil {
				return err
			}
			return env.Report(movedReport{"queue-revived", rows, m})
		},
	}
	cli.DryRunFlag(env, cmd)
	return cli.Exits(cmd, fault.NotFound, fault.Busy)
}

func newQueueDrop(env *cli.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:  "drop KEY",
		Args: cli.ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			m, err := openForChange(env)
			if err != nil {
				return err
			}
			rows, err := m.Drop(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			return env.Report(movedReport{"queue-dropped", rows, m})
		},
	}
	cli.DryRunFlag(env, cmd)
	return cli.Exits(cmd, fault.NotFound, fault.Busy)
}

// movedReport tells of rows that were taken from one place to another.
type movedReport struct {
	said string
	rows []retro.Item
	m    *selfip.Memory
}

// MovedJSON is what queue retry and queue drop write with --json.
type MovedJSON struct {
	OK   bool      `json:"ok"`
	Rows []RowJSON `json:"rows"`
}

func (r movedReport) JSON() any { return MovedJSON{true, rowsJSON(r.rows, r.m)} }

func (r movedReport) Text(w *cli.Writer) {
	if len(r.rows) == 0 {
		w.Say("queue-no-dead")
	}
	for _, row := range r.rows {
		w.Say(r.said, row.Key())
	}
}
