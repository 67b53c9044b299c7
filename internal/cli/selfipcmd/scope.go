package selfipcmd

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/config"
	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/internal/selfip/scope"
	"github.com/dshkit/dshkit/pkg/fault"
)

type scopeOptions struct {
	set    scope.Scope // empty: show
	global bool        // the file for all workspaces
}

func newScope(env *cli.Env) *cobra.Command {
	var opts scopeOptions
	cmd := &cobra.Command{
		Use:               "scope [workspace|global|both]",
		Args:              cli.ArgCount(0, 1),
		ValidArgsFunction: cli.ArgWords([]string{string(scope.Workspace), string(scope.Global), string(scope.Both)}),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if len(args) == 1 {
				if opts.set, err = scope.Parse(args[0]); err != nil {
					return err
				}
			}
			return runScope(cmd.Context(), env, opts)
		},
	}
	cmd.Flags().BoolVarP(&opts.global, "global", "g", false, "")
	cli.DryRunFlag(env, cmd)
	return cli.Exits(cmd, fault.Refused, fault.Busy, fault.Damaged)
}

func runScope(ctx context.Context, env *cli.Env, opts scopeOptions) error {
	before, err := open(env, env.Flags.Dir)
	if err != nil {
		return err
	}
	if opts.set == "" {
		before.warn(env)
		return env.Report(scopeReport{opened: before})
	}
	after, err := change(ctx, env, before, "scope", string(opts.set), opts.global)
	if err != nil {
		return err
	}
	after.warn(env)
	return env.Report(scopeReport{opened: after, echo: echo(before, after), overridden: overridden(after, "scope", opts.global)})
}

// echo tells what a change of scope hides.
func echo(before, after *opened) []scope.Line {
	m := before.memory
	counts := scope.Counts{Workspace: m.Count(m.Workspace).Live, Global: m.Count(m.Global).Live}
	counts.NewGlobal = after.memory.Count(after.memory.Global).Live
	if m.Workspace != nil {
		counts.WorkspaceDir = m.Workspace.MemoryDir()
	}
	if after.memory.Global != nil {
		counts.GlobalDir = after.memory.Global.MemoryDir()
	}
	return scope.Echo(scope.Scope(before.settings.Scope), scope.Scope(after.settings.Scope), counts)
}

// overridden returns where the effective value comes from when that is not the
// file in which it was just set.
func overridden(o *opened, key string, global bool) *config.Origin {
	origin := o.settings.Origin(key)
	if path, err := o.settings.FileOf(key, global); err != nil || origin.Where == path {
		return nil
	}
	return &origin
}

type scopeReport struct {
	*opened
	echo       []scope.Line
	overridden *config.Origin
}

// ScopeJSON is what scope --json writes.
type ScopeJSON struct {
	Scope         string         `json:"scope"`
	ReadWorkspace bool           `json:"readWorkspace"`
	ReadGlobal    bool           `json:"readGlobal"`
	WriteGlobal   bool           `json:"writeGlobal"`
	Promote       bool           `json:"promote"`
	Origin        config.Origin  `json:"origin"`
	Workspace     string         `json:"workspace,omitempty"` // library
	Global        string         `json:"global,omitempty"`    // library
	Notes         []NoteJSON     `json:"notes"`               // what the change hides
	Overridden    *config.Origin `json:"overridden,omitempty"`
}

// NoteJSON is a sentence with its code and what it names.
type NoteJSON struct {
	Code string `json:"code"`
	Args []any  `json:"args"`
}

func (r scopeReport) JSON() any {
	s := r.memory.Scope
	out := ScopeJSON{
		Scope: r.settings.Scope, ReadWorkspace: s.ReadWorkspace, ReadGlobal: s.ReadGlobal, WriteGlobal: s.WriteGlobal,
		Promote: s.Promote, Origin: r.settings.Origin("scope"), Workspace: root(r.memory.Workspace), Global: root(r.memory.Global),
		Notes: []NoteJSON{}, Overridden: r.overridden,
	}
	for _, line := range r.echo {
		out.Notes = append(out.Notes, NoteJSON(line))
	}
	return out
}

func root(lib *selfip.Library) string {
	if lib == nil {
		return ""
	}
	return lib.Root
}

func (r scopeReport) Text(w *cli.Writer) {
	s := r.memory.Scope
	w.Say("scope-is", r.settings.Scope)
	w.Say("scope-switches", s.ReadWorkspace, s.ReadGlobal, !s.WriteGlobal, s.WriteGlobal)
	w.Say("scope-meaning-" + r.settings.Scope)
	w.Say("scope-origin", originPhrase(w, r.settings.Origin("scope")))
	for _, line := range r.echo {
		w.Say(line.Code, line.Args...)
	}
	if r.overridden != nil {
		w.Say("overridden", originPhrase(w, *r.overridden))
	}
}

// originPhrase says where a value came from.
func originPhrase(w *cli.Writer, o config.Origin) string {
	if o.Where == "" {
		return w.Phrase("layer-" + string(o.Layer))
	}
	return w.Phrase("layer-"+string(o.Layer)) + " (" + o.Where + ")"
}
