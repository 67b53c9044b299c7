package selfipcmd

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/text"
)

func newUndo(env *cli.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:  "undo [CHANGE]",
		Args: cli.ArgCount(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 && args[0] == "" { // of a variable that is not set; it does not mean the last one
				return fault.New(fault.NotFound, "no-change", args[0])
			}
			m, err := openMemory(env)
			if err != nil {
				return err
			}
			got, err := m.Undo(cmd.Context(), strings.Join(args, ""), author(env))
			if err != nil {
				return err
			}
			if env.Flags.DryRun {
				got.Redo = "" // the change that could be taken back is not made
			}
			return env.Report(undoReport{got})
		},
	}
	cli.DryRunFlag(env, cmd)
	return cli.Exits(cmd, fault.NotFound, fault.Conflict, fault.Refused, fault.Busy)
}

type undoReport struct{ selfip.Undone }

// UndoJSON is what undo writes with --json: the change that was taken back, and
// what taking it back did.
type UndoJSON struct {
	LoggedJSON
	Redo    string                 `json:"redo"` // undo this change to bring the first about again; empty in a dry run
	Effects []selfip.JournalChange `json:"effects"`
}

func (r undoReport) JSON() any { return UndoJSON{loggedJSON(r.Logged), r.Redo, r.Effects} }

func (r undoReport) Text(w *cli.Writer) {
	w.Say("undone", r.ID, w.Word("op-", r.Op), len(r.Effects))
	writeChanges(w, r.Effects)
	if r.Redo != "" {
		w.Say("undone-redo", r.Redo)
	}
}

func newLog(env *cli.Env) *cobra.Command {
	var limit int
	cmd := &cobra.Command{
		Use:  "log [TEXT|ID]",
		Args: cli.ArgCount(0, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			if limit < 0 {
				return fault.New(fault.Usage, "bad-limit", limit)
			}
			m, err := openMemory(env)
			if err != nil {
				return err
			}
			rows, bad, err := m.Log()
			if err != nil {
				return err
			}
			query := strings.Join(args, "")
			rows = about(rows, query)
			if limit > 0 {
				rows = rows[max(0, len(rows)-limit):]
			}
			if bad > 0 {
				env.Warn("journal-damaged", bad)
			}
			return env.Report(logReport{rows, query})
		},
	}
	cmd.Flags().IntVarP(&limit, "limit", "n", 20, "")
	return cmd
}

// about keeps the rows that name an entry, a change or a word of its lines.
func about(rows []selfip.Logged, s string) []selfip.Logged {
	if s == "" {
		return rows
	}
	var kept []selfip.Logged
	for _, row := range rows {
		hit := row.ID == s
		for _, c := range row.Changes {
			hit = hit || c.Entry == s || strings.Contains(text.Fold(c.Before+" "+c.After), text.Fold(s))
		}
		if hit {
			kept = append(kept, row)
		}
	}
	return kept
}

type logReport struct {
	rows  []selfip.Logged
	query string
}

// LoggedJSON is one change.
type LoggedJSON struct {
	selfip.Journal
	Library string `json:"library"`
}

func loggedJSON(l selfip.Logged) LoggedJSON { return LoggedJSON{l.Journal, string(l.Library)} }

// LogJSON is what log writes with --json.
type LogJSON struct {
	Changes []LoggedJSON `json:"changes"`
}

func (r logReport) JSON() any {
	out := make([]LoggedJSON, 0, len(r.rows))
	for _, row := range r.rows {
		out = append(out, loggedJSON(row))
	}
	return LogJSON{out}
}

func (r logReport) Text(w *cli.Writer) {
	switch {
	case len(r.rows) == 0 && r.query != "":
		w.Say("log-nothing", r.query)
	case len(r.rows) == 0:
		w.Say("log-empty")
	}
	for _, row := range r.rows {
		w.Say("log-row", w.Dim(row.ID), row.Time, w.Word("op-", row.Op), w.Word("by-", row.By))
		writeChanges(w, row.Changes)
	}
}

// maxShown bounds how many changed lines of one row are shown.
const maxShown = 10

func writeChanges(w *cli.Writer, changes []selfip.JournalChange) {
	for i, c := range changes {
		if i == maxShown {
			w.Say("more-changes", len(changes)-maxShown)
			return
		}
		w.Line("  " + changeLine(c))
	}
}

// changeLine shows a change as + for an entry that is new or back, - for one that
// was withdrawn and ~ for one that was altered.
func changeLine(c selfip.JournalChange) string {
	line := c.After
	e, ok := entry.ParseLine(line)
	before, known := entry.ParseLine(c.Before)
	sign := "~ "
	switch {
	case ok && !e.Live():
		sign = "- "
	case !ok && known: // it left its file: another entry says the same
		sign, line = "- ", before.Text
	case c.Before == "" || known && !before.Live():
		sign = "+ "
	}
	if ok {
		line = e.Text
	}
	return sign + c.Entry + "  " + text.Ellipsize(line, 160)
}
