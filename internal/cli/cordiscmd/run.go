package cordiscmd

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/cordis/control"
	"github.com/dshkit/dshkit/internal/cordis/host"
	"github.com/dshkit/dshkit/pkg/fault"
)

type runOptions struct {
	clientOptions
	plugin, pkg, mode string
	wait              time.Duration // 0: do not wait
}

func newRun(env *cli.Env) *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{Use: "run PLUGIN PACKAGE", Args: cli.ArgCount(2, 3), RunE: func(cmd *cobra.Command, args []string) error {
		args = o.takeWait(cmd, args)
		if err := cli.ArgCount(2, 2)(cmd, args); err != nil {
			return err
		}
		o.plugin, o.pkg = args[0], args[1]
		if err := checkMode(o.mode); err != nil {
			return err
		}
		return runRun(cmd.Context(), env, o)
	}}
	cmd.Flags().StringVar(&o.mode, "mode", "run", "")
	cmd.Flags().DurationVar(&o.wait, "wait", 0, "")
	cmd.Flags().Lookup("wait").NoOptDefVal = "10m"
	cli.FlagWords(cmd, "mode", "run", "update")
	sessionFlags(cmd, &o.clientOptions)
	cli.DryRunFlag(env, cmd)
	return completes(env, asks(cmd, fault.NotFound, fault.Plugin, fault.Pending), pluginWords, packageWords)
}

// takeWait takes the time of "--wait 2m" from the arguments: a flag whose value may
// be left out leaves a separate word there. No id reads as a time.
func (o *runOptions) takeWait(cmd *cobra.Command, args []string) []string {
	if len(args) != 3 || !cmd.Flags().Changed("wait") {
		return args
	}
	for i, arg := range args {
		if d, err := time.ParseDuration(arg); err == nil {
			o.wait = d
			return slices.Delete(slices.Clone(args), i, i+1)
		}
	}
	return args
}

func checkMode(mode string) error {
	if mode != "run" && mode != "update" {
		return fault.New(fault.Usage, "bad-mode", mode)
	}
	return nil
}

func runRun(ctx context.Context, env *cli.Env, o runOptions) error {
	if env.Flags.DryRun {
		return plan(ctx, env, o.clientOptions, PlanJSON{Would: o.mode, Plugin: o.plugin, Package: o.pkg})
	}
	c, err := connect(ctx, env, o.clientOptions, control.Handlers{})
	if err != nil {
		return err
	}
	defer c.Close()
	var a host.RunAnswer
	raw, err := c.ask(ctx, "run", control.RunParams{Session: c.session, Plugin: o.plugin, Package: o.pkg, Mode: o.mode}, &a)
	switch {
	case err != nil:
		return startFailed(env, o, err)
	case a.Status == "running":
		return env.Report(answer{raw, func(w *cli.Writer) { writeRun(w, a) }})
	case o.wait > 0:
		return waitForRun(ctx, c, o, a)
	}
	return env.ReportAs(answer{raw, func(w *cli.Writer) { writeRun(w, a) }}, fault.New(fault.Pending, "run-"+a.Status, string(a.PluginID), string(a.PackageID)))
}

func writeRun(w *cli.Writer, a host.RunAnswer) {
	name := w.Bold(string(a.PluginID) + "/" + string(a.PackageID))
	if a.Host == nil {
		w.Say("ran-"+a.Status, name, string(a.PluginRunID))
		return
	}
	if a.Host.Status == "waiting" {
		w.Say("ran-waiting", name, string(a.PluginRunID), strings.Join(a.Host.WaitingFor, ", "))
	} else {
		w.Say("ran-running", name, string(a.PluginRunID))
	}
	if len(a.Host.Provides) > 0 {
		w.Say("ran-provides", strings.Join(a.Host.Provides, ", "))
	}
}

// attempt is what became of a run (spec/cordis.md 2.5).
type attempt struct {
	Run     string `json:"pluginRunId"`
	Package string `json:"packageId"`
	Status  string `json:"status"`
	Host    half   `json:"host"`
	Client  half   `json:"client"`
	Error   *struct {
		Phase   string `json:"phase"`
		Message string `json:"message"`
	} `json:"error"`
}

type half struct {
	Status     string   `json:"status"`
	WaitingFor []string `json:"waitingFor"`
}

// waitForRun waits until a page and a person have settled a run.
func waitForRun(ctx context.Context, c *client, o runOptions, a host.RunAnswer) error {
	if a.Status == "awaiting-approval" {
		c.env.Note("waiting-approval", o.plugin, o.pkg)
	}
	c.timeout = o.wait
	var t attempt
	raw, err := c.ask(ctx, "settled", control.SettledParams{Session: c.session, Plugin: o.plugin, Run: string(a.PluginRunID)}, &t)
	if fault.CodeOf(err) == "call-late" {
		return fault.New(fault.Timeout, "run-unsettled", o.plugin, o.pkg, o.wait.String())
	}
	if err != nil {
		return err
	}
	return c.env.ReportAs(answer{raw, func(w *cli.Writer) { writeAttempt(w, o.plugin, t) }}, t.err(c.env, o.plugin))
}

// err says why an attempt is no success; nil when it is one.
func (t attempt) err(env *cli.Env, plugin string) error {
	message := ""
	if t.Error != nil {
		message = t.Error.Message
	}
	name := plugin + "/" + t.Package
	switch t.Status {
	case "running", "waiting":
		return nil
	case "rejected":
		return fault.New(fault.Refused, "rejected", env.Say("run-rejected", name))
	case "cancelled", "stopped":
		return fault.New(fault.Timeout, "run-cancelled", name)
	}
	code := "client-half-failed"
	if t.Error != nil && strings.HasPrefix(t.Error.Phase, "host") {
		code = "host-half-failed"
	}
	return fault.New(fault.Plugin, code, env.Say("run-failed", plugin, t.Package, message, env.Name()))
}

// startFailed names what did not start, for what plugin code threw does not.
func startFailed(env *cli.Env, o runOptions, err error) error {
	known, ok := errors.AsType[*fault.Error](err)
	if !ok || known.Code != "host-half-failed" || len(known.Args) == 0 {
		return err
	}
	return fault.New(known.Kind, known.Code, env.Say("run-failed", o.plugin, o.pkg, known.Args[0], env.Name()))
}

func writeAttempt(w *cli.Writer, plugin string, t attempt) {
	w.Say("attempt", w.Bold(plugin+"/"+t.Package), w.Word("state-", t.Status), t.Run)
	for _, waiting := range [][]string{t.Host.WaitingFor, t.Client.WaitingFor} {
		if len(waiting) > 0 {
			w.Say("attempt-waits", strings.Join(waiting, ", "))
		}
	}
	if t.Error != nil {
		w.Line("  " + w.Alarm(t.Error.Phase) + "  " + t.Error.Message)
	}
}

func newStop(env *cli.Env) *cobra.Command {
	var o clientOptions
	cmd := &cobra.Command{Use: "stop PLUGIN", Args: cli.ArgCount(1, 1), RunE: func(cmd *cobra.Command, args []string) error {
		if env.Flags.DryRun {
			return plan(cmd.Context(), env, o, PlanJSON{Would: "stop", Plugin: args[0]})
		}
		return runStop(cmd.Context(), env, o, args[0])
	}}
	sessionFlags(cmd, &o)
	cli.DryRunFlag(env, cmd)
	return completes(env, asks(cmd, fault.NotFound), pluginWords)
}

// StopJSON is what stop writes with --json.
type StopJSON struct {
	Plugin string `json:"pluginId"`
}

func runStop(ctx context.Context, env *cli.Env, o clientOptions, plugin string) error {
	_, err := ask(ctx, env, o, "stop", func(session string) any { return control.PluginParams{Session: session, Plugin: plugin} }, nil)
	idle := fault.CodeOf(err) == "not-running"
	if err != nil && !idle {
		return err
	}
	return env.Report(stopReport{plugin, idle})
}

type stopReport struct {
	plugin string
	idle   bool
}

func (r stopReport) JSON() any { return StopJSON{r.plugin} }

func (r stopReport) Text(w *cli.Writer) {
	if r.idle {
		w.Say("stopped-before", r.plugin)
		return
	}
	w.Say("stopped", w.Bold(r.plugin))
}

func newUndefine(env *cli.Env) *cobra.Command {
	var o clientOptions
	cmd := &cobra.Command{Use: "undefine PLUGIN", Args: cli.ArgCount(1, 1), RunE: func(cmd *cobra.Command, args []string) error {
		if env.Flags.DryRun {
			return plan(cmd.Context(), env, o, PlanJSON{Would: "undefine", Plugin: args[0]})
		}
		var u host.Undefined
		raw, err := ask(cmd.Context(), env, o, "undefine", func(session string) any { return control.PluginParams{Session: session, Plugin: args[0]} }, &u)
		if err != nil {
			return err
		}
		return env.Report(answer{raw, func(w *cli.Writer) {
			if u.WasRunning {
				w.Say("undefined-running", w.Bold(string(u.PluginID)))
				return
			}
			w.Say("undefined", w.Bold(string(u.PluginID)))
		}})
	}}
	sessionFlags(cmd, &o)
	cli.DryRunFlag(env, cmd)
	return completes(env, asks(cmd, fault.NotFound), pluginWords)
}

type invokeOptions struct {
	clientOptions
	run string
}

func newInvoke(env *cli.Env) *cobra.Command {
	var o invokeOptions
	cmd := &cobra.Command{Use: "invoke PLUGIN METHOD [JSON]", Args: cli.ArgCount(2, 3), RunE: func(cmd *cobra.Command, args []string) error {
		p := control.InvokeParams{Plugin: args[0], Run: o.run, Method: args[1]}
		if len(args) == 3 {
			v, err := jsonArgument(env, args[2])
			if err != nil {
				return err
			}
			p.Args.Optional = control.Given(v)
		}
		return runInvoke(cmd.Context(), env, o, p)
	}}
	cmd.Flags().StringVar(&o.run, "run", "", "")
	hostFlags(cmd, &o.clientOptions)
	return completes(env, asks(cmd, fault.NotFound, fault.Plugin), allPluginWords)
}

func runInvoke(ctx context.Context, env *cli.Env, o invokeOptions, p control.InvokeParams) error {
	var r control.InvokeResult
	raw, err := ask(ctx, env, o.clientOptions, "invoke", func(string) any { return p }, &r)
	if err != nil {
		return err
	}
	return env.ReportAs(answer{raw, func(w *cli.Writer) {
		if r.OK {
			writeValue(w, r.Value.V)
		}
	}}, invokeError(ctx, env, o, p, r))
}

// invokeError says why a handler did not answer; nil when it did.
func invokeError(ctx context.Context, env *cli.Env, o invokeOptions, p control.InvokeParams, r control.InvokeResult) error {
	if r.OK {
		return nil
	}
	switch r.Code {
	case "plugin-not-running":
		if err := inInventory(ctx, env, o.clientOptions, p.Plugin); err != nil {
			return err // of a plugin that is not there a host says the same
		}
		return fault.New(fault.Conflict, r.Code, r.Message)
	case "stale-run":
		return fault.New(fault.Conflict, r.Code, r.Message)
	case "method-not-found":
		return fault.New(fault.NotFound, r.Code, r.Message)
	}
	return fault.New(fault.Plugin, "handler-error", p.Plugin, p.Method, r.Message)
}

// writeValue shows a JSON value: a text as it is, the rest as indented JSON.
func writeValue(w *cli.Writer, v any) {
	if s, ok := v.(string); ok {
		w.Line(s)
		return
	}
	w.Line(indented(v))
}
