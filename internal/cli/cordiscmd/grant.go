package cordiscmd

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/cordis"
	"github.com/dshkit/dshkit/internal/cordis/grant"
	"github.com/dshkit/dshkit/pkg/fault"
)

func newGrant(env *cli.Env) *cobra.Command {
	cmd := &cobra.Command{Use: "grant"}
	list := &cobra.Command{Use: "list", Args: cli.ArgCount(0, 0), RunE: func(*cobra.Command, []string) error { return runGrantList(env) }}
	cli.Exits(list, fault.Refused, fault.Damaged)
	cmd.AddCommand(list, newGrantAllow(env), newGrantRevoke(env))
	cmd.Args, cmd.RunE = cli.Subcommands, list.RunE
	return cmd
}

// GrantJSON is one thing that plugins of the workspace may reach.
type GrantJSON struct {
	Kind   string `json:"kind"`   // fs:read, fs:write, shell or web
	Target string `json:"target"` // a folder, a program, or a host
	Text   string `json:"text"`   // as it is typed
}

// GrantListJSON is what grant list writes with --json.
type GrantListJSON struct {
	Grants []GrantJSON `json:"grants"`
}

func runGrantList(env *cli.Env) error {
	w, err := open(env)
	if err != nil {
		return err
	}
	list, err := w.Grants()
	if err != nil {
		return err
	}
	return env.Report(grantsReport{w, list})
}

type grantsReport struct {
	workspace *cordis.Workspace
	list      grant.List
}

func grantJSON(w *cordis.Workspace, g grant.Grant) GrantJSON {
	return GrantJSON{string(g.Kind), g.Target, g.Text(w.Root())}
}

func (r grantsReport) JSON() any {
	list := []GrantJSON{}
	for _, g := range r.list {
		list = append(list, grantJSON(r.workspace, g))
	}
	return GrantListJSON{list}
}

func (r grantsReport) Text(w *cli.Writer) {
	if len(r.list) == 0 {
		w.Say("grants-none")
		return
	}
	for _, g := range r.list {
		w.Line(g.Text(r.workspace.Root()))
	}
}

func newGrantAllow(env *cli.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use: "allow KIND TARGET", Args: cli.ArgCount(2, 2), ValidArgsFunction: cli.ArgWords(grantKinds()),
		RunE: func(cmd *cobra.Command, args []string) error {
			w, err := open(env)
			if err != nil {
				return err
			}
			g, note, added, err := w.Allow(cmd.Context(), strings.Join(args, " "))
			if err != nil {
				return err
			}
			if note != "" {
				env.Note("grant-note", note)
			}
			return env.Report(grantReport{GrantChangeJSON{grantJSON(w, g), added}, "grant-allowed", "grant-there"})
		},
	}
	cli.DryRunFlag(env, cmd)
	return cli.Exits(cmd, fault.Refused, fault.Busy, fault.Damaged)
}

func grantKinds() (kinds []string) {
	for _, k := range grant.Kinds {
		kinds = append(kinds, string(k))
	}
	return kinds
}

// GrantChangeJSON is what grant allow and revoke write with --json.
type GrantChangeJSON struct {
	Grant   GrantJSON `json:"grant"`
	Changed bool      `json:"changed"` // false: it was so before
}

type grantReport struct {
	GrantChangeJSON
	done, before string
}

func (r grantReport) JSON() any { return r.GrantChangeJSON }

func (r grantReport) Text(w *cli.Writer) {
	id := r.done
	if !r.Changed {
		id = r.before
	}
	w.Line(w.Phrase(id, r.Grant.Text))
}

func newGrantRevoke(env *cli.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use: "revoke KIND TARGET", Args: cli.ArgCount(2, 2), ValidArgsFunction: cli.ArgWords(grantKinds()),
		RunE: func(cmd *cobra.Command, args []string) error {
			w, err := open(env)
			if err != nil {
				return err
			}
			g, err := w.Revoke(cmd.Context(), strings.Join(args, " "))
			if err != nil {
				return err
			}
			return env.Report(grantReport{GrantChangeJSON{grantJSON(w, g), true}, "grant-revoked", "grant-revoked"})
		},
	}
	cli.DryRunFlag(env, cmd)
	return cli.Exits(cmd, fault.NotFound, fault.Refused, fault.Busy, fault.Damaged)
}
