package cordiscmd

import (
	"strconv"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/cordis/control"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

func newInventory(env *cli.Env) *cobra.Command {
	var o clientOptions
	cmd := &cobra.Command{Use: "inventory", Args: cli.ArgCount(0, 0), RunE: func(cmd *cobra.Command, _ []string) error {
		var r control.RowsResult
		raw, err := ask(cmd.Context(), env, o, "inventory", func(string) any { return nil }, &r)
		if err != nil {
			return err
		}
		return env.Report(answer{raw, func(w *cli.Writer) { writeInventory(w, r.Rows.V) }})
	}}
	hostFlags(cmd, &o)
	return asks(cmd)
}

func writeInventory(w *cli.Writer, v any) {
	rows := [][]string{{w.Phrase("col-plugin"), w.Phrase("col-session"), w.Phrase("col-state"), w.Phrase("col-run"), w.Phrase("col-current"), w.Phrase("col-next"), w.Phrase("col-packages"), w.Phrase("col-name")}}
	for o := range objects(v) {
		packages, _ := o.Array("packages")
		run, _ := o.Map("activeRun")
		rows = append(rows, []string{
			text(o, "pluginId"), text(o, "agentId"), w.Word("state-", rowState(o)), dash(text(run, "pluginRunId")),
			dash(text(o, "currentPackageId")), dash(text(o, "nextPackageId")), strconv.Itoa(len(packages)), lastName(packages),
		})
	}
	if len(rows) == 1 {
		w.Say("plugins-none")
		return
	}
	w.Columns(true, rows)
}

// rowState is how a plugin stands: as its last attempt says.
func rowState(o *jsonvalue.Object) string {
	if last, ok := o.Map("latestRun"); ok {
		return text(last, "status")
	}
	return "defined"
}

func lastName(packages []any) (name string) {
	for o := range objects(packages) {
		name = text(o, "name")
	}
	return name
}
