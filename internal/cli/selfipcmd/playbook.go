package selfipcmd

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/internal/selfip/playbook"
	"github.com/dshkit/dshkit/pkg/fault"
)

func newPlaybook(env *cli.Env) *cobra.Command {
	cmd := &cobra.Command{Use: "playbook"}
	list := &cobra.Command{Use: "list", Args: cli.ArgCount(0, 0), RunE: func(*cobra.Command, []string) error { return runPlaybooks(env) }}
	cmd.AddCommand(list, newPlaybookShow(env), newPlaybookUse(env), newPlaybookExport(env))
	cmd.Args = cli.Subcommands
	cmd.RunE = list.RunE
	return cmd
}

func runPlaybooks(env *cli.Env) error {
	m, err := openMemory(env)
	if err != nil {
		return err
	}
	all, err := m.Playbooks()
	if err != nil {
		return err
	}
	return env.Report(playbooksReport{all, m})
}

type playbooksReport struct {
	all []playbook.Playbook
	m   *selfip.Memory
}

// PlaybookJSON is what playbook use writes with --json: a playbook with the record
// of its uses.
type PlaybookJSON struct {
	Slug       string `json:"slug"`
	File       string `json:"file"` // in the folder playbooks
	Uses       int    `json:"uses"`
	Successes  int    `json:"successes"`
	Fails      int    `json:"fails"`
	VerifiedAt string `json:"verified_at"`
	Due        bool   `json:"due"` // to be verified again
}

func (r playbooksReport) row(p playbook.Playbook) PlaybookJSON {
	return PlaybookJSON{p.Name(), p.File, p.Uses, p.Successes, p.Fails, p.VerifiedAt, p.Due(r.m.Now())}
}

// PlaybookListJSON is what playbook list writes with --json.
type PlaybookListJSON struct {
	Playbooks []PlaybookJSON `json:"playbooks"`
}

func (r playbooksReport) JSON() any {
	out := []PlaybookJSON{}
	for _, p := range r.all {
		out = append(out, r.row(p))
	}
	return PlaybookListJSON{out}
}

func (r playbooksReport) Text(w *cli.Writer) {
	if len(r.all) == 0 {
		w.Say("no-playbooks")
	}
	for _, p := range r.all {
		writePlaybook(w, r.row(p))
	}
}

func writePlaybook(w *cli.Writer, p PlaybookJSON) {
	id := "playbook-row"
	if p.Due {
		id = "playbook-row-due"
	}
	w.Say(id, p.Slug, p.Uses, p.Successes, p.Fails)
}

func newPlaybookShow(env *cli.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:  "show SLUG",
		Args: cli.ArgCount(1, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			m, err := openMemory(env)
			if err != nil {
				return err
			}
			p, steps, err := m.Playbook(args[0])
			if err != nil {
				return err
			}
			return env.Report(playbookReport{playbooksReport{m: m}.row(p), steps})
		},
	}
	return cli.Exits(cmd, fault.NotFound)
}

type playbookReport struct {
	PlaybookJSON
	steps string
}

// PlaybookTextJSON is what playbook show writes with --json: a playbook with its
// steps.
type PlaybookTextJSON struct {
	PlaybookJSON
	Text string `json:"text"` // without the record of uses
}

func (r playbookReport) JSON() any { return PlaybookTextJSON{r.PlaybookJSON, r.steps} }

func (r playbookReport) Text(w *cli.Writer) {
	writePlaybook(w, r.PlaybookJSON)
	w.Line(r.steps)
}

func newPlaybookUse(env *cli.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:               "use SLUG success|fail",
		Args:              cli.ArgCount(2, 2),
		ValidArgsFunction: cli.ArgWords(nil, []string{"success", "fail"}),
		RunE: func(cmd *cobra.Command, args []string) error {
			if args[1] != "success" && args[1] != "fail" {
				return fault.New(fault.Usage, "unknown-outcome", args[1])
			}
			return runPlaybookUse(cmd.Context(), env, args[0], args[1] == "success")
		},
	}
	cli.DryRunFlag(env, cmd)
	return cli.Exits(cmd, fault.Refused, fault.NotFound, fault.Busy)
}

func runPlaybookUse(ctx context.Context, env *cli.Env, name string, well bool) error {
	m, err := openMemory(env)
	if err != nil {
		return err
	}
	p, err := m.UsePlaybook(ctx, name, well)
	if err != nil {
		return err
	}
	return env.Report(usedReport{playbooksReport{m: m}.row(p)})
}

type usedReport struct{ PlaybookJSON }

func (r usedReport) JSON() any { return r.PlaybookJSON }

func (r usedReport) Text(w *cli.Writer) { writePlaybook(w, r.PlaybookJSON) }
