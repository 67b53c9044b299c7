package selfipcmd

import (
	"context"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/text"
)

func newQuarantine(env *cli.Env) *cobra.Command {
	cmd := &cobra.Command{Use: "quarantine"}
	list := &cobra.Command{Use: "list", Args: cli.ArgCount(0, 0), RunE: func(*cobra.Command, []string) error { return runQuarantineList(env) }}
	cmd.AddCommand(list, newQuarantineShow(env), newQuarantineRelease(env), newQuarantinePurge(env))
	cmd.Args = cli.Subcommands
	cmd.RunE = list.RunE
	return cmd
}

func runQuarantineList(env *cli.Env) error {
	m, err := openForChange(env)
	if err != nil {
		return err
	}
	all, err := m.Quarantine()
	if err != nil {
		return err
	}
	return env.Report(quarantineReport{all, env.Sentence})
}

// quarantineReport lists texts without showing them: an agent may read the list.
type quarantineReport struct {
	all []selfip.Quarantined
	say func(error) string
}

// QuarantinedJSON is a text in quarantine, without the text.
type QuarantinedJSON struct {
	ID      string `json:"id"`
	Library string `json:"library"`
	File    string `json:"file"`
	At      string `json:"at"`
	Pattern string `json:"pattern"` // what the detector found
	Source  string `json:"source"`  // that the text claimed
	Chars   int    `json:"chars"`
	Error   string `json:"error,omitempty"` // why the file cannot be read
}

func quarantinedJSON(say func(error) string, q selfip.Quarantined) QuarantinedJSON {
	out := QuarantinedJSON{q.ID, string(q.Library), q.Path, q.Stamp, q.Pattern, q.Source, text.Len(q.Text), ""}
	if q.Err != nil {
		out.Error = say(q.Err)
	}
	return out
}

// QuarantineListJSON is what quarantine list writes with --json.
type QuarantineListJSON struct {
	Quarantine []QuarantinedJSON `json:"quarantine"`
}

func (r quarantineReport) JSON() any {
	out := []QuarantinedJSON{}
	for _, q := range r.all {
		out = append(out, quarantinedJSON(r.say, q))
	}
	return QuarantineListJSON{out}
}

func (r quarantineReport) Text(w *cli.Writer) {
	if len(r.all) == 0 {
		w.Say("quarantine-empty")
	}
	for _, q := range r.all {
		if q.Err != nil {
			w.Say("quarantine-unreadable", q.ID)
			continue
		}
		w.Say("quarantine-row", q.ID, w.Word("source-", q.Source), q.Pattern, text.Len(q.Text))
	}
}

func newQuarantineShow(env *cli.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:  "show ID",
		Args: cli.ArgCount(1, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			m, err := openForChange(env)
			if err != nil {
				return err
			}
			q, err := m.Sighted(args[0], author(env))
			if err != nil {
				return err
			}
			return env.Report(sightReport{q, env.Sentence})
		},
	}
	return cli.Exits(cmd, fault.Refused, fault.NotFound, fault.Damaged)
}

// sightReport shows a text in quarantine.
type sightReport struct {
	selfip.Quarantined
	say func(error) string
}

// SightJSON is what quarantine show writes with --json: a text in quarantine.
type SightJSON struct {
	QuarantinedJSON
	Text string `json:"text"`
}

func (r sightReport) JSON() any {
	return SightJSON{quarantinedJSON(r.say, r.Quarantined), r.Quarantined.Text}
}

func (r sightReport) Text(w *cli.Writer) {
	w.Say("quarantine-head", r.ID, r.Stamp, w.Word("source-", r.Source), r.Pattern)
	w.Line(r.Quarantined.Text)
}

func newQuarantineRelease(env *cli.Env) *cobra.Command {
	var kind string
	var yes bool
	cmd := &cobra.Command{
		Use:  "release ID",
		Args: cli.ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			k, ok := entry.ParseKind(kind)
			if !ok {
				return unknownKind(kind)
			}
			return runRelease(cmd.Context(), env, args[0], k, yes)
		},
	}
	cmd.Flags().StringVarP(&kind, "kind", "k", string(entry.Fact), "")
	cli.FlagWords(cmd, "kind", kindNames()...)
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "")
	cli.DryRunFlag(env, cmd)
	return cli.Exits(cmd, fault.Refused, fault.NotFound, fault.Busy, fault.Pending, fault.Damaged)
}

// runRelease shows the text first, and stores it when the user has said so.
func runRelease(ctx context.Context, env *cli.Env, id string, kind entry.Kind, yes bool) error {
	m, err := openForChange(env)
	if err != nil {
		return err
	}
	by := author(env)
	q, err := m.Sighted(id, by)
	if err != nil {
		return err
	}
	if !yes {
		if !env.Flags.JSON {
			if err := env.Report(sightReport{q, env.Sentence}); err != nil {
				return err
			}
		}
		return fault.New(fault.Pending, "release-awaits", q.ID)
	}
	got, err := m.Release(ctx, q.ID, kind, by)
	if err != nil {
		return err
	}
	return env.Report(rememberReport{got})
}

func newQuarantinePurge(env *cli.Env) *cobra.Command {
	var opts purgeOptions
	var older string
	cmd := &cobra.Command{
		Use:  "purge [ID...]",
		Args: cli.ArgCount(0, -1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			opts.ids = args
			named := 0
			for _, said := range []bool{len(args) > 0, opts.all, older != ""} {
				if said {
					named++
				}
			}
			if named != 1 {
				return fault.New(fault.Usage, "purge-what")
			}
			if older != "" {
				if opts.age, err = parseAge(older); err != nil {
					return err
				}
			}
			return runPurge(cmd.Context(), env, opts)
		},
	}
	cmd.Flags().BoolVarP(&opts.all, "all", "a", false, "")
	cmd.Flags().StringVar(&older, "older-than", "", "")
	cli.DryRunFlag(env, cmd)
	return cli.Exits(cmd, fault.Refused, fault.NotFound, fault.Busy)
}

type purgeOptions struct {
	ids []string
	all bool
	age time.Duration
}

// longestAge bounds an age, so that no time runs over: more than a lifetime.
const longestAge = 100 * 365 * 24 * time.Hour

// parseAge reads "30d", "2w", or what time.ParseDuration reads.
func parseAge(s string) (time.Duration, error) {
	bad := fault.New(fault.Usage, "bad-age", s)
	for unit, length := range map[string]time.Duration{"d": 24 * time.Hour, "w": 7 * 24 * time.Hour} {
		if number, ok := strings.CutSuffix(s, unit); ok {
			n, err := strconv.ParseFloat(number, 64)
			if err != nil || math.IsNaN(n) || n < 0 || n*float64(length) > float64(longestAge) {
				return 0, bad
			}
			return time.Duration(n * float64(length)), nil
		}
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 || d > longestAge {
		return 0, bad
	}
	return d, nil
}

func runPurge(ctx context.Context, env *cli.Env, opts purgeOptions) error {
	m, err := openForChange(env)
	if err != nil {
		return err
	}
	before := m.Now().Add(-opts.age)
	if opts.all {
		if opts.ids, err = allAsides(m); err != nil {
			return err
		}
	}
	var gone []selfip.Quarantined
	if !opts.all || len(opts.ids) > 0 {
		if gone, err = m.Purge(ctx, opts.ids, before, author(env)); err != nil {
			return err
		}
	}
	return env.Report(purgeReport{gone, env.Sentence})
}

func allAsides(m *selfip.Memory) (ids []string, err error) {
	all, err := m.Quarantine()
	for _, q := range all {
		ids = append(ids, q.ID)
	}
	return ids, err
}

type purgeReport struct {
	gone []selfip.Quarantined
	say  func(error) string
}

// PurgedJSON is what quarantine purge writes with --json.
type PurgedJSON struct {
	OK     bool              `json:"ok"`
	Purged []QuarantinedJSON `json:"purged"`
}

func (r purgeReport) JSON() any {
	out := []QuarantinedJSON{}
	for _, q := range r.gone {
		out = append(out, quarantinedJSON(r.say, q))
	}
	return PurgedJSON{true, out}
}

func (r purgeReport) Text(w *cli.Writer) {
	if len(r.gone) == 0 {
		w.Say("purged-nothing")
	}
	for _, q := range r.gone {
		w.Say("purged", q.ID)
	}
}
