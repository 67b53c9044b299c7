package cordiscmd

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/cordis/control"
	"github.com/dshkit/dshkit/internal/cordis/host"
	"github.com/dshkit/dshkit/pkg/fault"
)

func newPanel(env *cli.Env) *cobra.Command {
	cmd := &cobra.Command{Use: "panel"}
	cmd.AddCommand(newPanelRun(env), newPanelAct(env, "stop", "panelStop"), newPanelAct(env, "remove", "panelRemove"))
	return cli.Group(cmd)
}

func newPanelRun(env *cli.Env) *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{Use: "run PLUGIN PACKAGE", Args: cli.ArgCount(2, 2), RunE: func(cmd *cobra.Command, args []string) error {
		o.plugin, o.pkg = args[0], args[1]
		if err := checkMode(o.mode); err != nil {
			return err
		}
		if env.Flags.DryRun {
			return planRow(cmd.Context(), env, o.clientOptions, PlanJSON{Would: o.mode, Plugin: o.plugin, Package: o.pkg})
		}
		return runPanelRun(cmd.Context(), env, o)
	}}
	cmd.Flags().StringVar(&o.mode, "mode", "run", "")
	cli.FlagWords(cmd, "mode", "run", "update")
	hostFlags(cmd, &o.clientOptions)
	cli.DryRunFlag(env, cmd)
	return completes(env, asks(cmd, fault.NotFound, fault.Plugin, fault.Pending), allPluginWords, packageWords)
}

func runPanelRun(ctx context.Context, env *cli.Env, o runOptions) error {
	var r host.RunResponse
	raw, err := ask(ctx, env, o.clientOptions, "panelRun", func(string) any {
		return control.PanelRunParams{Plugin: o.plugin, Package: o.pkg, Mode: o.mode}
	}, &r)
	if err != nil {
		return pending(err, o.plugin+"/"+o.pkg)
	}
	return env.ReportAs(answer{raw, func(w *cli.Writer) {
		if r.OK {
			w.Say("panel-ran", w.Bold(string(r.PluginID)+"/"+string(r.PackageID)), w.Word("state-", r.Status), string(r.PluginRunID))
		}
	}}, refusal(o.plugin, r.OK, r.Reason, r.Message))
}

// newPanelAct makes panel stop and panel remove.
func newPanelAct(env *cli.Env, verb, method string) *cobra.Command {
	var o clientOptions
	cmd := &cobra.Command{Use: verb + " PLUGIN", Args: cli.ArgCount(1, 1), RunE: func(cmd *cobra.Command, args []string) error {
		if env.Flags.DryRun {
			return planRow(cmd.Context(), env, o, PlanJSON{Would: verb, Plugin: args[0]})
		}
		return runPanelAct(cmd.Context(), env, o, verb, method, args[0])
	}}
	hostFlags(cmd, &o)
	cli.DryRunFlag(env, cmd)
	return completes(env, asks(cmd, fault.NotFound), allPluginWords)
}

func runPanelAct(ctx context.Context, env *cli.Env, o clientOptions, verb, method, plugin string) error {
	var a host.PanelAnswer
	raw, err := ask(ctx, env, o, method, func(string) any { return control.PanelParams{Plugin: plugin} }, &a)
	if err != nil {
		return err
	}
	if a.Reason == "not-running" { // as it should be
		return env.Report(answer{raw, func(w *cli.Writer) { w.Say("stopped-before", plugin) }})
	}
	return env.ReportAs(answer{raw, func(w *cli.Writer) {
		if a.OK {
			w.Say("panel-"+verb, w.Bold(plugin))
		}
	}}, refusal(plugin, a.OK, a.Reason, a.Message))
}

// refusal is the fault of a run response or a panel answer that is not ok.
func refusal(plugin string, ok bool, reason, message string) error {
	if ok {
		return nil
	}
	kind := map[string]fault.Kind{
		"plugin-missing": fault.NotFound, "package-missing": fault.NotFound, "invalid-mode": fault.Conflict, "transition-in-flight": fault.Conflict,
		"host-half-failed": fault.Plugin, "client-half-failed": fault.Plugin, "rejected": fault.Refused, "cancelled": fault.Timeout, "not-running": fault.Conflict,
	}[reason]
	if kind == "" {
		kind = fault.Failed
	}
	return fault.New(kind, "panel-refused", plugin, message)
}

// planRow reports what would be done with a plugin of any Session.
func planRow(ctx context.Context, env *cli.Env, o clientOptions, p PlanJSON) error {
	if err := inInventory(ctx, env, o, p.Plugin); err != nil {
		return err
	}
	return env.Report(planReport{p})
}

// inInventory fails unless some Session has the plugin.
func inInventory(ctx context.Context, env *cli.Env, o clientOptions, plugin string) error {
	var r control.RowsResult
	if _, err := ask(ctx, env, o, "inventory", func(string) any { return nil }, &r); err != nil {
		return err
	}
	for row := range objects(r.Rows.V) {
		if text(row, "pluginId") == plugin {
			return nil
		}
	}
	return fault.New(fault.NotFound, "plugin-missing", env.Say("no-plugin", plugin))
}
