package cordiscmd

import (
	"context"
	"encoding/json"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/cordis"
	"github.com/dshkit/dshkit/internal/cordis/control"
	"github.com/dshkit/dshkit/internal/cordis/host"
	"github.com/dshkit/dshkit/internal/cordis/tool"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

type defineOptions struct {
	clientOptions
	prefix, plugin, name, purpose string
	hostFile, clientFile, from    string
}

func newDefine(env *cli.Env) *cobra.Command {
	var o defineOptions
	cmd := &cobra.Command{Use: "define", Args: cli.ArgCount(0, 0), RunE: func(cmd *cobra.Command, _ []string) error {
		return runDefine(cmd.Context(), env, o)
	}}
	flags := cmd.Flags()
	flags.StringVar(&o.prefix, "new", "", "")
	flags.StringVar(&o.plugin, "plugin", "", "")
	flags.StringVar(&o.name, "name", "", "")
	flags.StringVar(&o.purpose, "purpose", "", "")
	flags.StringVar(&o.hostFile, "host-file", "", "")
	flags.StringVar(&o.clientFile, "client-file", "", "")
	flags.StringVar(&o.from, "from", "", "")
	sessionFlags(cmd, &o.clientOptions)
	cli.DryRunFlag(env, cmd)
	return asks(cmd, fault.NotFound)
}

// params are the arguments of the command as those of the method.
func (o defineOptions) params(env *cli.Env) (p control.DefineParams, err error) {
	if o.from != "" {
		return o.fromDocument(env)
	}
	if (o.prefix == "") == (o.plugin == "") {
		return p, fault.New(fault.Usage, "define-which")
	}
	if o.hostFile == "" && o.clientFile == "" {
		return p, fault.New(fault.Usage, "define-no-code")
	}
	if o.hostFile == "-" && o.clientFile == "-" {
		return p, fault.New(fault.Usage, "define-one-stdin")
	}
	p = control.DefineParams{Prefix: o.prefix, Plugin: o.plugin, Name: o.name, Purpose: o.purpose}
	if p.Host, err = source(env, o.hostFile); err != nil {
		return p, err
	}
	p.Client, err = source(env, o.clientFile)
	return p, err
}

// source reads the text of a half; none for no name.
func source(env *cli.Env, name string) (*string, error) {
	if name == "" {
		return nil, nil
	}
	text, err := readSource(env, name)
	return &text, err
}

// defineDocument is the argument object of the tool cordis_define.
type defineDocument struct {
	Plugin struct {
		IDPrefix string `json:"idPrefix"`
		PluginID string `json:"pluginId"`
	} `json:"plugin"`
	Name    string `json:"name"`
	Purpose string `json:"purpose"`
	Code    struct {
		Host   *string `json:"host"`
		Client *string `json:"client"`
	} `json:"code"`
}

func (o defineOptions) fromDocument(env *cli.Env) (p control.DefineParams, err error) {
	for _, flag := range []string{o.prefix, o.plugin, o.name, o.purpose, o.hostFile, o.clientFile} {
		if flag != "" {
			return p, fault.New(fault.Usage, "define-from-alone")
		}
	}
	v, err := jsonArgument(env, o.from)
	if err != nil {
		return p, err
	}
	if err := tool.Check(string(tool.Define), v); err != nil {
		return p, err
	}
	var d defineDocument
	if err := json.Unmarshal([]byte(jsonvalue.Format(v)), &d); err != nil {
		return p, fault.New(fault.Usage, "bad-input", err.Error())
	}
	return control.DefineParams{Prefix: d.Plugin.IDPrefix, Plugin: d.Plugin.PluginID, Name: d.Name, Purpose: d.Purpose, Host: d.Code.Host, Client: d.Code.Client}, nil
}

func runDefine(ctx context.Context, env *cli.Env, o defineOptions) error {
	p, err := o.params(env)
	if err != nil {
		return err
	}
	if env.Flags.DryRun {
		return planDefine(ctx, env, o, p)
	}
	var d host.Defined
	raw, err := ask(ctx, env, o.clientOptions, "define", func(session string) any { p.Session = session; return p }, &d)
	if err != nil {
		return err
	}
	return env.Report(answer{raw, func(w *cli.Writer) {
		w.Say("defined", w.Bold(string(d.PluginID)+"/"+string(d.PackageID)), d.Name, halves(w, d.HasHostHalf, d.HasClientHalf))
		w.Line(w.Dim(w.Phrase("defined-next", string(d.PluginID), string(d.PackageID))))
	}})
}

// planDefine checks what would be defined, and changes nothing.
func planDefine(ctx context.Context, env *cli.Env, o defineOptions, p control.DefineParams) error {
	for _, half := range []struct {
		name string
		code *string
	}{{"host", p.Host}, {"client", p.Client}} {
		if half.code == nil {
			continue
		}
		if err := cordis.Check(half.name, *half.code); err != nil {
			return explained(env, err)
		}
	}
	if p.Plugin != "" {
		if err := exists(ctx, env, o.clientOptions, p.Plugin, ""); err != nil {
			return err
		}
	}
	return env.Report(planReport{PlanJSON{Would: "define", Plugin: orElse(p.Plugin, p.Prefix+"-*"), Name: p.Name}})
}

func halves(w *cli.Writer, host, client bool) string {
	switch {
	case host && client:
		return w.Phrase("halves-both")
	case host:
		return w.Phrase("halves-host")
	}
	return w.Phrase("halves-client")
}
