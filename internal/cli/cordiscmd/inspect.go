package cordiscmd

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/cordis/control"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

func newInspect(env *cli.Env) *cobra.Command {
	cmd := &cobra.Command{Use: "inspect"}
	list, self := newInspectList(env), newInspectSelf(env)
	cmd.AddCommand(list, newInspectQuery(env), self)
	cmd.Args, cmd.RunE = cli.Subcommands, list.RunE
	cmd.Flags().AddFlagSet(list.Flags())
	return asks(cmd)
}

func newInspectList(env *cli.Env) *cobra.Command {
	var o clientOptions
	cmd := &cobra.Command{Use: "list", Args: cli.ArgCount(0, 0), RunE: func(cmd *cobra.Command, _ []string) error {
		var r control.ProvidersResult
		raw, err := ask(cmd.Context(), env, o, "inspectList", func(session string) any { return control.SessionParams{Session: session} }, &r)
		if err != nil {
			return err
		}
		return env.Report(answer{raw, func(w *cli.Writer) { writeProviders(w, r.Providers.V) }})
	}}
	sessionFlags(cmd, &o)
	return asks(cmd)
}

func writeProviders(w *cli.Writer, v any) {
	rows := [][]string{{w.Phrase("col-platform"), w.Phrase("col-provider"), w.Phrase("col-methods"), w.Phrase("col-about")}}
	for o := range objects(v) {
		var methods []string
		list, _ := o.Array("methods")
		for m := range objects(list) {
			methods = append(methods, text(m, "name"))
		}
		rows = append(rows, []string{text(o, "platform"), text(o, "id"), strings.Join(methods, ", "), text(o, "description")})
	}
	w.Columns(true, rows)
}

type queryOptions struct {
	clientOptions
	input string
}

func newInspectQuery(env *cli.Env) *cobra.Command {
	var o queryOptions
	cmd := &cobra.Command{
		Use: "query host|client PROVIDER METHOD", Args: cli.ArgCount(3, 3),
		ValidArgsFunction: cli.ArgWords([]string{"host", "client"}),
		RunE: func(cmd *cobra.Command, args []string) error {
			p := control.QueryParams{Platform: args[0], Provider: args[1], Method: args[2]}
			if p.Platform != "host" && p.Platform != "client" {
				return fault.New(fault.Usage, "bad-platform", p.Platform)
			}
			if o.input != "" {
				v, err := jsonArgument(env, o.input)
				if err != nil {
					return err
				}
				p.Input = control.Given(v)
			}
			return runInspectQuery(cmd.Context(), env, o, p)
		},
	}
	cmd.Flags().StringVar(&o.input, "input", "", "")
	sessionFlags(cmd, &o.clientOptions)
	return asks(cmd, fault.NotFound, fault.Plugin)
}

// QueryJSON is what inspect query writes with --json.
type QueryJSON struct {
	Platform string `json:"platform"` // host or client
	Provider string `json:"provider"`
	Method   string `json:"method"`
	Data     any    `json:"data"` // as the provider says (spec/cordis.md 15.2)
}

func runInspectQuery(ctx context.Context, env *cli.Env, o queryOptions, p control.QueryParams) error {
	var data control.Value
	_, err := ask(ctx, env, o.clientOptions, "inspectQuery", func(session string) any { p.Session = session; return p }, &data)
	if err != nil {
		return err
	}
	return env.Report(queryReport{QueryJSON{p.Platform, p.Provider, p.Method, data}, data.V})
}

type queryReport struct {
	QueryJSON
	data any
}

func (r queryReport) JSON() any          { return r.QueryJSON }
func (r queryReport) Text(w *cli.Writer) { writeValue(w, r.data) }

func newInspectSelf(env *cli.Env) *cobra.Command {
	var o clientOptions
	cmd := &cobra.Command{Use: "self [PLUGIN [PACKAGE]]", Args: cli.ArgCount(0, 2), RunE: func(cmd *cobra.Command, args []string) error {
		var self control.Value
		raw, err := ask(cmd.Context(), env, o, "inspectSelf", func(session string) any {
			return control.SelfParams{Session: session, Plugin: nth(args, 0), Package: nth(args, 1)}
		}, &self)
		if err != nil {
			return err
		}
		return env.Report(answer{raw, func(w *cli.Writer) {
			if o, ok := jsonvalue.Map(self.V); ok {
				writeSelf(w, o)
			}
		}})
	}}
	sessionFlags(cmd, &o)
	return completes(env, asks(cmd, fault.NotFound), pluginWords, packageWords)
}

// writeSelf shows one of the three layers of what a Session has.
func writeSelf(w *cli.Writer, o *jsonvalue.Object) {
	switch text(o, "mode") {
	case "plugins":
		list, _ := o.Array("plugins")
		writeSummaries(w, list)
	case "plugin":
		writeSummary(w, o)
		packages, _ := o.Array("packages")
		writePackages(w, packages)
	case "package":
		writePackage(w, o)
	}
}

func writeSummaries(w *cli.Writer, list []any) {
	if len(list) == 0 {
		w.Say("plugins-none")
		return
	}
	rows := [][]string{{w.Phrase("col-plugin"), w.Phrase("col-state"), w.Phrase("col-current"), w.Phrase("col-next"), w.Phrase("col-name")}}
	for o := range objects(list) {
		rows = append(rows, []string{text(o, "pluginId"), w.Word("state-", text(o, "state")), dash(text(o, "currentPackageId")), dash(text(o, "nextPackageId")), text(o, "name")})
	}
	w.Columns(true, rows)
}

func writeSummary(w *cli.Writer, o *jsonvalue.Object) {
	w.Say("self-head", w.Bold(text(o, "pluginId")), text(o, "name"), w.Word("state-", text(o, "state")))
	if run, ok := o.Map("activeRun"); ok {
		w.Say("self-active", text(run, "pluginRunId"), text(run, "packageId"))
	}
	if waits, ok := o.Map("pendingApproval"); ok {
		w.Say("self-pending", text(waits, "packageId"), text(waits, "mode"))
	}
}

func writePackages(w *cli.Writer, list []any) {
	rows := [][]string{{w.Phrase("col-package"), w.Phrase("col-halves"), w.Phrase("col-place"), w.Phrase("col-name"), w.Phrase("col-purpose")}}
	for o := range objects(list) {
		host, _ := o.Truth("hasHostHalf")
		client, _ := o.Truth("hasClientHalf")
		rows = append(rows, []string{text(o, "packageId"), halves(w, host, client), placeOf(w, o), text(o, "name"), text(o, "purpose")})
	}
	w.Columns(true, rows)
}

func placeOf(w *cli.Writer, o *jsonvalue.Object) string {
	if current, _ := o.Truth("isCurrent"); current {
		return w.Phrase("place-current")
	}
	if next, _ := o.Truth("isNext"); next {
		return w.Phrase("place-next")
	}
	return "-"
}

func writePackage(w *cli.Writer, o *jsonvalue.Object) {
	plugin, _ := o.Map("plugin")
	runtime, _ := o.Map("runtime")
	w.Say("self-head", w.Bold(text(plugin, "pluginId")+"/"+text(o, "packageId")), text(o, "name"), w.Word("state-", text(runtime, "state")))
	w.Line("  " + text(o, "purpose"))
	code, _ := o.Map("code")
	for _, half := range []string{"host", "client"} {
		source, there := code.Text(half)
		if !there {
			continue
		}
		state, _ := runtime.Map(half)
		w.Line("")
		w.Say("self-half-"+half, w.Word("state-", text(state, "status")))
		writeHalf(w, state)
		w.Line(w.Dim(strings.Repeat("-", 40)))
		w.Print(strings.TrimRight(source, "\n") + "\n")
	}
}

func writeHalf(w *cli.Writer, state *jsonvalue.Object) {
	for _, key := range []string{"provides", "waitingFor", "handlers"} {
		list, _ := state.Array(key)
		if len(list) > 0 {
			w.Say("self-"+key, strings.Join(texts(list), ", "))
		}
	}
	if message := errorText(state); message != "" {
		w.Line("  " + w.Alarm(message))
	}
}

// errorText is the error of a half, which is a text or an object with a message.
func errorText(state *jsonvalue.Object) string {
	if o, ok := state.Map("error"); ok {
		return text(o, "message")
	}
	return text(state, "error")
}
