package mnemoncmd

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/mnemon"
	"github.com/dshkit/dshkit/internal/mnemon/approval"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

func newPlugin(env *cli.Env) *cobra.Command {
	cmd := &cobra.Command{Use: "plugin"}
	list := &cobra.Command{Use: "list", Args: cli.ArgCount(0, 0), RunE: func(*cobra.Command, []string) error { return runPluginList(env) }}
	cli.Exits(list, fault.Damaged)
	cmd.AddCommand(list, newPluginAdd(env), newPluginInstall(env), newPluginShow(env), newPluginAllow(env),
		newPluginSwitch(env, "enable", true), newPluginSwitch(env, "disable", false), newPluginConfigure(env), newPluginRemove(env), newPluginTest(env))
	cmd.Args = cli.Subcommands
	cmd.RunE = list.RunE
	return cmd
}

func runPluginList(env *cli.Env) error {
	w, err := open(env)
	if err != nil {
		return err
	}
	plugins, warnings, err := w.Plugins()
	if err != nil {
		return err
	}
	warn(env, warnings)
	return env.Report(pluginsReport{plugins, env.Sentence})
}

// addOptions is what plugin add was asked.
type addOptions struct {
	spec, id string
	config   []string
	grants   []string
	disabled bool
	follow   bool
}

func newPluginAdd(env *cli.Env) *cobra.Command {
	var o addOptions
	cmd := &cobra.Command{
		Use:  "add SPEC",
		Args: cli.ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.spec = args[0]
			return runPluginAdd(cmd.Context(), env, o)
		},
	}
	cmd.Flags().StringVar(&o.id, "id", "", "")
	cmd.Flags().StringArrayVarP(&o.config, "config", "c", nil, "")
	cmd.Flags().StringArrayVar(&o.grants, "allow", nil, "")
	cmd.Flags().BoolVar(&o.disabled, "disabled", false, "")
	cmd.Flags().BoolVar(&o.follow, "follow", false, "")
	return cli.Exits(cmd, fault.Refused, fault.NotFound, fault.Conflict, fault.Busy, fault.Plugin, fault.Damaged)
}

func runPluginAdd(ctx context.Context, env *cli.Env, o addOptions) error {
	if strings.TrimSpace(o.spec) == "" {
		return fault.New(fault.Usage, "empty-spec")
	}
	if err := checkTexts(o.spec); err != nil { // an Entry names it
		return err
	}
	w, err := open(env)
	if err != nil {
		return err
	}
	members, err := parseMembers(o.config)
	if err != nil {
		return err
	}
	grants, err := parseGrants(env, o.grants)
	if err != nil {
		return err
	}
	p, err := w.AddPlugin(ctx, mnemon.AddOptions{Spec: o.spec, ID: o.id, Config: members, Disabled: o.disabled, Grants: grants, Follow: o.follow})
	if err != nil {
		return err
	}
	return env.Report(pluginReport{p, "plugin-added", env.Sentence})
}

// parseMembers reads KEY=VALUE, where VALUE is JSON or else text; "KEY=" without
// a value takes the member away.
func parseMembers(pairs []string) (*jsonvalue.Object, error) {
	if len(pairs) == 0 {
		return nil, nil
	}
	if err := checkTexts(pairs...); err != nil {
		return nil, err
	}
	o := &jsonvalue.Object{}
	for _, pair := range pairs {
		key, value, found := strings.Cut(pair, "=")
		if !found || key == "" {
			return nil, fault.New(fault.Usage, "bad-member", pair)
		}
		o.Set(key, memberValue(value))
	}
	return o, nil
}

func memberValue(text string) any {
	if text == "" {
		return jsonvalue.Hole{}
	}
	if v, err := jsonvalue.Parse([]byte(text)); err == nil {
		return v
	}
	return text
}

func parseGrants(env *cli.Env, texts []string) ([]approval.Grant, error) {
	if err := checkTexts(texts...); err != nil {
		return nil, err
	}
	var grants []approval.Grant
	for _, text := range texts {
		g, err := approval.ParseGrant(text, func(path string) string {
			if whole, err := env.Folder(path); err == nil {
				return filepath.Clean(whole)
			}
			return path
		})
		if err != nil {
			return nil, err
		}
		grants = append(grants, g)
	}
	return grants, nil
}

func newPluginInstall(env *cli.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:  "install",
		Args: cli.ArgCount(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error { return runPluginInstall(cmd.Context(), env) },
	}
	cli.DryRunFlag(env, cmd)
	return cli.Exits(cmd, fault.Damaged)
}

func runPluginInstall(ctx context.Context, env *cli.Env) error {
	w, err := open(env)
	if err != nil {
		return err
	}
	names, err := w.InstallPlugins(ctx)
	if err != nil {
		return err
	}
	plugins, warnings, err := w.Plugins()
	if err != nil {
		return err
	}
	warn(env, warnings)
	return env.Report(installReport{names, pluginsReport{plugins, env.Sentence}})
}

func newPluginShow(env *cli.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:  "show ID",
		Args: cli.ArgCount(1, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			w, err := open(env)
			if err != nil {
				return err
			}
			p, err := w.Plugin(args[0])
			if err != nil {
				return err
			}
			return env.Report(pluginReport{p, "", env.Sentence})
		},
	}
	return cli.Exits(cmd, fault.NotFound, fault.Damaged)
}

func newPluginAllow(env *cli.Env) *cobra.Command {
	var texts []string
	var nothing, follow bool
	cmd := &cobra.Command{
		Use:  "allow ID",
		Args: cli.ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			w, err := open(env)
			if err != nil {
				return err
			}
			grants, err := parseGrants(env, texts)
			if err != nil {
				return err
			}
			if nothing {
				grants = []approval.Grant{}
			}
			p, err := w.AllowPlugin(cmd.Context(), args[0], mnemon.Permit{Grants: grants, Follow: follow})
			if err != nil {
				return err
			}
			return env.Report(pluginReport{p, "plugin-allowed", env.Sentence})
		},
	}
	cmd.Flags().StringArrayVar(&texts, "allow", nil, "")
	cmd.Flags().BoolVar(&nothing, "nothing-more", false, "")
	cmd.Flags().BoolVar(&follow, "follow", false, "")
	cmd.MarkFlagsMutuallyExclusive("allow", "nothing-more")
	return cli.Exits(cmd, fault.NotFound, fault.Busy, fault.Plugin, fault.Damaged)
}

func newPluginSwitch(env *cli.Env, verb string, enabled bool) *cobra.Command {
	cmd := &cobra.Command{
		Use:  verb + " ID",
		Args: cli.ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			w, err := open(env)
			if err != nil {
				return err
			}
			changed, err := w.SwitchPlugin(cmd.Context(), args[0], enabled)
			if err != nil {
				return err
			}
			return env.Report(switchReport{args[0], enabled, changed})
		},
	}
	cli.DryRunFlag(env, cmd)
	return cli.Exits(cmd, fault.Refused, fault.NotFound, fault.Busy, fault.Damaged)
}

func newPluginConfigure(env *cli.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:  "configure ID KEY=VALUE...",
		Args: cli.ArgCount(2, -1),
		RunE: func(cmd *cobra.Command, args []string) error {
			w, err := open(env)
			if err != nil {
				return err
			}
			members, err := parseMembers(args[1:])
			if err != nil {
				return err
			}
			p, err := w.ConfigurePlugin(cmd.Context(), args[0], members)
			if err != nil {
				return err
			}
			return env.Report(pluginReport{p, "plugin-configured", env.Sentence})
		},
	}
	cli.DryRunFlag(env, cmd)
	return cli.Exits(cmd, fault.Refused, fault.NotFound, fault.Busy, fault.Damaged)
}

func newPluginRemove(env *cli.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:  "rm ID",
		Args: cli.ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			w, err := open(env)
			if err != nil {
				return err
			}
			if err := w.RemovePlugin(cmd.Context(), args[0]); err != nil {
				return err
			}
			return env.Report(removedReport{args[0]})
		},
	}
	cli.DryRunFlag(env, cmd)
	return cli.Exits(cmd, fault.Refused, fault.NotFound, fault.Busy, fault.Damaged)
}
