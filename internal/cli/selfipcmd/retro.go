package selfipcmd

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/harness"
	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/pkg/fault"
)

type retroOptions struct {
	session    string
	transcript string
	harness    string

	afterError, detached, worker bool
}

func newRetro(env *cli.Env) *cobra.Command {
	var opts retroOptions
	cmd := &cobra.Command{
		Use:  "retro",
		Args: cli.ArgCount(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := opts.check(); err != nil {
				return err
			}
			switch {
			case opts.detached:
				return redetach(env, []string{"retro", "--after-error", "--session=" + opts.session, "--worker", "-C", env.Flags.Dir})
			case opts.afterError:
				return runErrorRetro(cmd.Context(), env, opts)
			}
			return runRetro(cmd.Context(), env, opts)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&opts.session, "session", "", "")
	flags.StringVar(&opts.transcript, "transcript", "", "")
	flags.StringVar(&opts.harness, "harness", "", "")
	flags.BoolVar(&opts.afterError, "after-error", false, "")
	flags.BoolVar(&opts.detached, "detach", false, "")
	flags.BoolVar(&opts.worker, "worker", false, "")
	for _, hidden := range []string{"after-error", "detach", "worker"} {
		_ = flags.MarkHidden(hidden) // a hook starts these
	}
	_ = cmd.RegisterFlagCompletionFunc("harness", cli.ArgWords(harnessNames()))
	cli.DryRunFlag(env, cmd)
	return cli.Exits(cmd, fault.NotFound, fault.Busy, fault.Refused, fault.Damaged)
}

// check refuses flags that say two things, or half of one.
func (o retroOptions) check() error {
	switch {
	case o.transcript != "" && o.harness == "":
		return fault.New(fault.Usage, "retro-whose", strings.Join(harnessNames(), ", "))
	case o.transcript == "" && o.harness != "":
		return fault.New(fault.Usage, "retro-no-file")
	case o.harness != "" && !harness.Harness(o.harness).Known():
		return unknownHarness(o.harness)
	case o.afterError && o.session == "":
		return fault.New(fault.Usage, "retro-no-session")
	}
	return nil
}

func runRetro(ctx context.Context, env *cli.Env, opts retroOptions) error {
	m, err := openForChange(env)
	if err != nil {
		return err
	}
	var got selfip.Learned
	if opts.transcript != "" {
		got, err = retroOfFile(ctx, env, m, opts)
	} else {
		got, err = m.Retro(ctx, opts.session, transcripts(env))
	}
	if err != nil {
		return err
	}
	return env.Report(retroReport{got, env.Sentence})
}

// retroOfFile looks back on a log that the user names; it may lie anywhere.
func retroOfFile(ctx context.Context, env *cli.Env, m *selfip.Memory, opts retroOptions) (selfip.Learned, error) {
	path := opts.transcript
	if !filepath.IsAbs(path) {
		here, err := env.Getwd()
		if err != nil {
			return selfip.Learned{}, fault.New(fault.Failed, "no-current-folder").Because(err)
		}
		path = filepath.Join(here, path)
	}
	log, err := openLog(env, opts.harness, path)
	if err != nil {
		return selfip.Learned{}, fault.New(kindOfFile(err), "retro-file", opts.transcript).Because(err)
	}
	name := opts.session
	if name == "" {
		name = strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	}
	return m.RetroOf(ctx, selfip.SafeName(name), log)
}

// kindOfFile is NotFound for a file that is not there.
func kindOfFile(err error) fault.Kind {
	if kind := fault.KindOf(err); kind != fault.Failed {
		return kind
	}
	if errors.Is(err, fs.ErrNotExist) {
		return fault.NotFound
	}
	return fault.Failed
}

// runErrorRetro waits for the retro that an error has asked for and does it. Nobody
// reads what it says: what goes wrong is recorded in the workspace.
func runErrorRetro(ctx context.Context, env *cli.Env, opts retroOptions) error {
	m, err := openForChange(env)
	if err != nil {
		return err
	}
	got, done, err := m.ErrorRetro(ctx, opts.session, pass)
	if err != nil && opts.worker {
		return recordWorker(env, m, opts.session, err)
	}
	if err != nil || !done {
		return err
	}
	return env.Report(retroReport{got, env.Sentence})
}

// pass waits until d has passed or ctx ends.
func pass(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}

type retroReport struct {
	selfip.Learned
	say func(error) string
}

// RetroJSON is what retro writes with --json.
type RetroJSON struct {
	OK bool `json:"ok"`
	LearnedJSON
}

func (r retroReport) JSON() any { return RetroJSON{true, learnedJSON(r.say, r.Learned)} }

func (r retroReport) Text(w *cli.Writer) {
	writeLearned(w, r.Learned)
	for _, line := range r.Left {
		w.Say("learned-left", line)
	}
}
