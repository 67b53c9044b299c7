package cordiscmd

import (
	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/cordis/control"
	"github.com/dshkit/dshkit/pkg/fault"
)

func newPage(env *cli.Env) *cobra.Command {
	cmd := &cobra.Command{Use: "page"}
	url := newPageURL(env, "url")
	cmd.AddCommand(url, newPageURL(env, "open"))
	return cli.Group(cmd)
}

// newPageURL makes page url and page open.
func newPageURL(env *cli.Env, verb string) *cobra.Command {
	var o clientOptions
	cmd := &cobra.Command{Use: verb, Args: cli.ArgCount(0, 0), RunE: func(cmd *cobra.Command, _ []string) error {
		var s control.Status
		if _, err := ask(cmd.Context(), env, o, "status", func(string) any { return nil }, &s); err != nil {
			return err
		}
		if s.Page == "" {
			return fault.New(fault.NoHost, "page-not-built")
		}
		return env.Report(pageReport{PageJSON{s.Page}})
	}}
	hostFlags(cmd, &o)
	return asks(cmd)
}

// PageJSON is what page url and page open write with --json.
type PageJSON struct {
	URL string `json:"url"`
}

type pageReport struct{ PageJSON }

func (r pageReport) JSON() any          { return r.PageJSON }
func (r pageReport) Text(w *cli.Writer) { w.Line(r.URL) }
