package cordiscmd

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/cordis/control"
	"github.com/dshkit/dshkit/internal/cordis/host"
	"github.com/dshkit/dshkit/pkg/fault"
)

func newApprovals(env *cli.Env) *cobra.Command {
	var o clientOptions
	cmd := &cobra.Command{Use: "approvals", Args: cli.ArgCount(0, 0), RunE: func(cmd *cobra.Command, _ []string) error {
		var r control.RequestsResult
		raw, err := ask(cmd.Context(), env, o, "approvals", func(string) any { return nil }, &r)
		if err != nil {
			return err
		}
		return env.Report(answer{raw, func(w *cli.Writer) { writeRequests(w, r.Requests) }})
	}}
	hostFlags(cmd, &o)
	return asks(cmd)
}

func writeRequests(w *cli.Writer, list []host.Request) {
	if len(list) == 0 {
		w.Say("approvals-none")
		return
	}
	rows := [][]string{{w.Phrase("col-request"), w.Phrase("col-plugin"), w.Phrase("col-mode"), w.Phrase("col-session"), w.Phrase("col-state"), w.Phrase("col-name"), w.Phrase("col-purpose")}}
	for _, r := range list {
		rows = append(rows, []string{string(r.RequestID), string(r.PluginID) + "/" + string(r.PackageID), r.Mode, string(r.AgentID), w.Phrase(requestState(r)), r.Name, r.Purpose})
	}
	w.Columns(true, rows)
	if i := slices.IndexFunc(list, func(r host.Request) bool { return requestState(r) == "request-person" }); i >= 0 {
		w.Line(w.Dim(w.Phrase("approvals-next", string(list[i].RequestID))))
	}
}

// requestState is whom a request waits for.
func requestState(r host.Request) string {
	switch {
	case r.Page != "":
		return "request-carried"
	case !r.RequiresApproval:
		return "request-page"
	}
	return "request-person"
}

type approveOptions struct {
	clientOptions
	future bool
}

func newApprove(env *cli.Env) *cobra.Command {
	var o approveOptions
	cmd := &cobra.Command{Use: "approve REQUEST", Args: cli.ArgCount(1, 1), RunE: func(cmd *cobra.Command, args []string) error {
		if env.Flags.DryRun {
			return planRequest(cmd.Context(), env, o.clientOptions, "approve", args[0])
		}
		return runApprove(cmd.Context(), env, o, args[0])
	}}
	cmd.Flags().BoolVar(&o.future, "future", false, "")
	hostFlags(cmd, &o.clientOptions)
	cli.DryRunFlag(env, cmd)
	return completes(env, asks(cmd, fault.NotFound, fault.Pending), requestWords)
}

func runApprove(ctx context.Context, env *cli.Env, o approveOptions, id string) error {
	var r host.Request
	raw, err := ask(ctx, env, o.clientOptions, "approve", func(string) any { return control.ApproveParams{Request: id, Future: o.future} }, &r)
	if err != nil {
		return pending(err, id)
	}
	return env.Report(answer{raw, func(w *cli.Writer) {
		w.Say("approved", w.Bold(id), string(r.PluginID)+"/"+string(r.PackageID))
		if r.Page != "" {
			w.Say("approved-page", r.Page)
		}
	}})
}

// pending is the fault no-page as the outcome that it is for who has allowed a run:
// the first page that connects carries it out.
func pending(err error, what string) error {
	if fault.CodeOf(err) == "no-page" {
		return fault.New(fault.Pending, "no-page", what)
	}
	return err
}

func newDecline(env *cli.Env) *cobra.Command {
	var o clientOptions
	cmd := &cobra.Command{Use: "decline REQUEST", Args: cli.ArgCount(1, 1), RunE: func(cmd *cobra.Command, args []string) error {
		if env.Flags.DryRun {
			return planRequest(cmd.Context(), env, o, "decline", args[0])
		}
		_, err := ask(cmd.Context(), env, o, "decline", func(string) any { return control.DeclineParams{Request: args[0]} }, nil)
		if err != nil {
			return err
		}
		return env.Report(declineReport{DeclineJSON{args[0]}})
	}}
	hostFlags(cmd, &o)
	cli.DryRunFlag(env, cmd)
	return completes(env, asks(cmd, fault.NotFound), requestWords)
}

// DeclineJSON is what decline writes with --json.
type DeclineJSON struct {
	Request string `json:"requestId"`
}

type declineReport struct{ DeclineJSON }

func (r declineReport) JSON() any          { return r.DeclineJSON }
func (r declineReport) Text(w *cli.Writer) { w.Say("declined", w.Bold(r.Request)) }

// planRequest reports what would be done with a request that is there.
func planRequest(ctx context.Context, env *cli.Env, o clientOptions, would, id string) error {
	var r control.RequestsResult
	if _, err := ask(ctx, env, o, "approvals", func(string) any { return nil }, &r); err != nil {
		return err
	}
	for _, request := range r.Requests {
		if string(request.RequestID) == id {
			return env.Report(planReport{PlanJSON{Would: would, Request: id}})
		}
	}
	return fault.New(fault.NotFound, "request-missing", env.Say("no-request", id))
}
