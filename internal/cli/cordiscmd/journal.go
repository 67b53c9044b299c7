package cordiscmd

import (
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/cordis/control"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

func newJournal(env *cli.Env) *cobra.Command {
	var lines int
	cmd := &cobra.Command{Use: "journal", Args: cli.ArgCount(0, 0), RunE: func(*cobra.Command, []string) error {
		if lines < 0 {
			return fault.New(fault.Usage, "bad-count", lines)
		}
		w, err := open(env)
		if err != nil {
			return err
		}
		rows, bad, err := w.Journal(lines)
		if err != nil {
			return err
		}
		if bad > 0 {
			env.Warn("journal-bad", bad)
		}
		return env.Report(journalReport{rows})
	}}
	cmd.Flags().IntVar(&lines, "lines", 50, "")
	return cli.Exits(cmd, fault.Refused, fault.NotFound)
}

// JournalJSON is what journal writes with --json.
type JournalJSON struct {
	Rows []any `json:"rows"` // as docs/formats/cordis.md has them, the oldest first
}

type journalReport struct{ rows []*jsonvalue.Object }

func (r journalReport) JSON() any {
	list := []any{}
	for _, row := range r.rows {
		list = append(list, control.Value{V: row})
	}
	return JournalJSON{list}
}

func (r journalReport) Text(w *cli.Writer) {
	if len(r.rows) == 0 {
		w.Say("journal-none")
		return
	}
	var rows [][]string
	for _, row := range r.rows {
		at, _ := time.Parse(time.RFC3339Nano, text(row, "at"))
		rows = append(rows, []string{at.Format(time.DateTime), text(row, "kind"), journalSubject(row)})
	}
	w.Columns(false, rows)
}

// journalSubject is what a row is about: its ids and short texts.
func journalSubject(row *jsonvalue.Object) string {
	var parts []string
	for key, v := range row.All() {
		s, ok := jsonvalue.Text(v)
		if ok && s != "" && !slices.Contains([]string{"at", "kind"}, key) && len(s) <= 80 {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, "  ")
}
