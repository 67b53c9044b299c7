package selfipcmd

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/config"
	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/internal/selfip/scope"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/filestore"
)

func newConfig(env *cli.Env) *cobra.Command {
	cmd := &cobra.Command{Use: "config"}
	cmd.AddCommand(newConfigShow(env), newConfigSet(env), newConfigUnset(env))
	cmd.Args = cli.Subcommands
	cmd.RunE = func(*cobra.Command, []string) error { return runConfigShow(env, false) }
	return cmd
}

func newConfigShow(env *cli.Env) *cobra.Command {
	var origin bool
	cmd := &cobra.Command{
		Use:     "show",
		Aliases: []string{"list"},
		Args:    cli.ArgCount(0, 0),
		RunE:    func(*cobra.Command, []string) error { return runConfigShow(env, origin) },
	}
	cmd.Flags().BoolVar(&origin, "origin", false, "")
	return cmd
}

func runConfigShow(env *cli.Env, origin bool) error {
	o, err := open(env, env.Flags.Dir)
	if err != nil {
		return err
	}
	o.warn(env)
	return env.Report(configReport{o, origin})
}

func newConfigSet(env *cli.Env) *cobra.Command {
	var global bool
	cmd := &cobra.Command{
		Use:               "set KEY VALUE",
		ValidArgsFunction: cli.ArgWords(config.Keys()),
		Args:              cli.ArgCount(2, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runConfigSet(cmd.Context(), env, args[0], args[1], global)
		},
	}
	cmd.Flags().BoolVarP(&global, "global", "g", false, "")
	cli.DryRunFlag(env, cmd)
	return cli.Exits(cmd, fault.Refused, fault.Busy, fault.Damaged)
}

func newConfigUnset(env *cli.Env) *cobra.Command {
	var global bool
	cmd := &cobra.Command{
		Use:               "unset KEY",
		ValidArgsFunction: cli.ArgWords(config.Keys()),
		Args:              cli.ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runConfigUnset(cmd.Context(), env, args[0], global)
		},
	}
	cmd.Flags().BoolVarP(&global, "global", "g", false, "")
	cli.DryRunFlag(env, cmd)
	return cli.Exits(cmd, fault.Refused, fault.Busy, fault.Damaged)
}

func runConfigSet(ctx context.Context, env *cli.Env, key, value string, global bool) error {
	before, err := open(env, env.Flags.Dir)
	if err != nil {
		return err
	}
	key, err = settingKey(key)
	if err != nil {
		return err
	}
	if err := agentMayChange(env, key); err != nil {
		return err
	}
	after, err := change(ctx, env, before, key, value, global)
	if err != nil {
		return err
	}
	after.warn(env)
	return env.Report(settingReport{opened: after, key: key, echo: echo(before, after), overridden: overridden(after, key, global)})
}

// change sets one setting in its file and opens the workspace again.
func change(ctx context.Context, env *cli.Env, o *opened, key, value string, global bool) (*opened, error) {
	name, parsed, err := config.ParseSetting(key, value)
	if err != nil {
		return nil, err
	}
	if err := config.SettingFor(name, global); err != nil {
		return nil, err
	}
	if name == "globalDir" {
		if err := checkGlobalDir(o, value); err != nil {
			return nil, err
		}
	}
	return editSetting(ctx, env, o, name, global, func(old []byte) ([]byte, error) { return config.Set(old, name, parsed) })
}

// checkGlobalDir refuses a global folder that is the workspace itself
// (spec/selfip.md 6.6).
func checkGlobalDir(o *opened, value string) error {
	return scope.ValidateGlobalDir(config.ExpandFolder(o.inputs, value), o.workspace.Root, runtime.GOOS == "windows")
}

func runConfigUnset(ctx context.Context, env *cli.Env, key string, global bool) error {
	before, err := open(env, env.Flags.Dir)
	if err != nil {
		return err
	}
	name, err := settingKey(key)
	if err != nil {
		return err
	}
	if err := agentMayChange(env, name); err != nil {
		return err
	}
	after, err := editSetting(ctx, env, before, name, global, func(old []byte) ([]byte, error) { return config.Unset(old, name) })
	if err != nil {
		return err
	}
	after.warn(env)
	return env.Report(settingReport{opened: after, key: name, echo: echo(before, after)})
}

// agentMayChange returns the fault of an agent that would change a setting which is
// the user's: what an agent runs may come from a page that it has read.
func agentMayChange(env *cli.Env, key string) error {
	if isAgent(env) && config.IsUsers(key) {
		return fault.New(fault.Refused, "users-word")
	}
	return nil
}

// settingKey returns a key as files spell it.
func settingKey(key string) (string, error) {
	for _, known := range config.Keys() {
		if strings.EqualFold(known, strings.TrimSpace(key)) {
			return known, nil
		}
	}
	_, _, err := config.ParseSetting(key, "")
	return "", err
}

// editSetting changes the file that holds a setting, under the lock of its
// folder, and opens the workspace as it is then. A dry run opens it as it would
// be.
func editSetting(ctx context.Context, env *cli.Env, o *opened, key string, global bool, edit func([]byte) ([]byte, error)) (*opened, error) {
	if !global && o.workspace.Root == "" {
		_, err := o.workspace.ForWriting()
		return nil, err
	}
	path, err := o.settings.FileOf(key, global)
	if err != nil {
		return nil, err
	}
	dir := filestore.Open(filepath.Dir(path), filestore.Options{
		LockName: selfip.LockFile, Wait: o.settings.LockWait, DryRun: env.Flags.DryRun, Now: env.Now,
		Confined: !global, Within: o.workspace.Root, // a repository must not have us write to files of its reader
	})
	base := filepath.Base(path)
	err = dir.Update(ctx, base, func(old []byte) ([]byte, error) {
		out, err := edit(old)
		if err != nil {
			return nil, config.Damaged(path, err)
		}
		return out, nil
	})
	if err != nil {
		return nil, err
	}
	return openReading(env, env.Flags.Dir, env.Flags.Dir != "", func(name string) ([]byte, error) {
		if name == path {
			return dir.Read(base) // in a dry run: what it would hold
		}
		return readSettings(name)
	})
}

type configReport struct {
	*opened
	origin bool
}

// ConfigJSON is what config show --json writes.
type ConfigJSON struct {
	Settings        []config.Item   `json:"settings"`
	Sources         []config.Source `json:"sources"`
	Workspace       string          `json:"workspace,omitempty"`
	HomeConfig      string          `json:"homeConfigPath"`
	HomeExists      bool            `json:"globalConfigExists"`
	WorkspaceConfig string          `json:"workspaceConfigPath"`
	WorkspaceExists bool            `json:"workspaceConfigExists"`
}

func (r configReport) JSON() any {
	s := r.settings
	sources := s.Sources
	if sources == nil {
		sources = []config.Source{}
	}
	return ConfigJSON{
		Settings: s.Items(), Sources: sources, Workspace: r.workspace.Root,
		HomeConfig: s.HomeConfig, HomeExists: s.HomeExists, WorkspaceConfig: s.WorkspaceConfig, WorkspaceExists: s.WorkspaceExists,
	}
}

func (r configReport) Text(w *cli.Writer) {
	var rows [][]string
	for _, item := range r.settings.Items() {
		row := []string{item.Key, fmt.Sprint(item.Value)}
		if r.origin {
			row = append(row, originPhrase(w, item.Origin))
		}
		rows = append(rows, row)
	}
	w.Columns(false, rows)
}

type settingReport struct {
	*opened
	key        string
	echo       []scope.Line
	overridden *config.Origin
}

// SettingJSON is what config set and unset write with --json: the setting as it
// is in effect now.
type SettingJSON struct {
	config.Item
	Notes      []NoteJSON     `json:"notes"`
	Overridden *config.Origin `json:"overridden,omitempty"`
}

func (r settingReport) item() config.Item {
	for _, item := range r.settings.Items() {
		if item.Key == r.key {
			return item
		}
	}
	return config.Item{Key: r.key}
}

func (r settingReport) JSON() any {
	out := SettingJSON{Item: r.item(), Notes: []NoteJSON{}, Overridden: r.overridden}
	for _, line := range r.echo {
		out.Notes = append(out.Notes, NoteJSON(line))
	}
	return out
}

func (r settingReport) Text(w *cli.Writer) {
	item := r.item()
	w.Say("setting-is", item.Key, fmt.Sprint(item.Value), originPhrase(w, item.Origin))
	for _, line := range r.echo {
		w.Say(line.Code, line.Args...)
	}
	if r.overridden != nil {
		w.Say("overridden", originPhrase(w, *r.overridden))
	}
}
