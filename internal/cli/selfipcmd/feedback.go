package selfipcmd

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/pkg/fault"
)

func newFeedback(env *cli.Env) *cobra.Command {
	cmd := &cobra.Command{Use: "feedback"}
	list := &cobra.Command{Use: "list", Args: cli.ArgCount(0, 0), RunE: func(*cobra.Command, []string) error { return runFeedbackList(env) }}
	cmd.AddCommand(list, newFeedbackAdd(env))
	cmd.Args = cli.Subcommands
	cmd.RunE = list.RunE
	return cmd
}

func runFeedbackList(env *cli.Env) error {
	m, err := openForChange(env)
	if err != nil {
		return err
	}
	all, err := m.Feedback()
	if err != nil {
		return err
	}
	return env.Report(feedbackReport{all})
}

type feedbackReport struct{ all []selfip.Feedback }

// FeedbackJSON is what the user thought of a reply.
type FeedbackJSON struct {
	Session string `json:"sid"`
	At      string `json:"at,omitempty"`
	Good    bool   `json:"good"`
	Text    string `json:"text"`
	Reply   string `json:"reply,omitempty"` // what it is about, the beginning
	Learned bool   `json:"learned"`         // the session has been learned from; its log is left
}

func feedbackJSON(f selfip.Feedback) FeedbackJSON {
	return FeedbackJSON{f.Session, f.Time, f.Good, f.Text, f.Reply, f.Learned}
}

// FeedbackListJSON is what feedback list writes with --json.
type FeedbackListJSON struct {
	Feedback []FeedbackJSON `json:"feedback"`
}

func (r feedbackReport) JSON() any {
	out := []FeedbackJSON{}
	for _, f := range r.all {
		out = append(out, feedbackJSON(f))
	}
	return FeedbackListJSON{out}
}

func (r feedbackReport) Text(w *cli.Writer) {
	if len(r.all) == 0 {
		w.Say("feedback-none")
	}
	for _, f := range r.all {
		writeFeedback(w, f)
	}
}

func writeFeedback(w *cli.Writer, f selfip.Feedback) {
	id := "feedback-bad"
	if f.Good {
		id = "feedback-good"
	}
	w.Say(id, f.Session, f.Text)
	if f.Reply != "" {
		w.Say("feedback-about", f.Reply)
	}
}

func newFeedbackAdd(env *cli.Env) *cobra.Command {
	var session string
	var good bool
	cmd := &cobra.Command{
		Use:  "add TEXT...",
		Args: cli.ArgCount(1, -1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runFeedbackAdd(cmd.Context(), env, session, strings.Join(args, " "), good)
		},
	}
	cmd.Flags().StringVarP(&session, "session", "s", "", "")
	cmd.Flags().BoolVarP(&good, "good", "g", false, "")
	cli.DryRunFlag(env, cmd)
	return cli.Exits(cmd, fault.Refused, fault.NotFound, fault.Busy)
}

func runFeedbackAdd(ctx context.Context, env *cli.Env, session, said string, good bool) error {
	m, err := openForChange(env)
	if err != nil {
		return err
	}
	f, err := m.AddFeedback(ctx, session, said, good, author(env))
	if err != nil {
		return err
	}
	return env.Report(feedbackAdded{f})
}

type feedbackAdded struct{ selfip.Feedback }

// FeedbackAddedJSON is what feedback add writes with --json.
type FeedbackAddedJSON struct {
	OK bool `json:"ok"`
	FeedbackJSON
}

func (r feedbackAdded) JSON() any {
	return FeedbackAddedJSON{true, feedbackJSON(r.Feedback)}
}

func (r feedbackAdded) Text(w *cli.Writer) { writeFeedback(w, r.Feedback) }
