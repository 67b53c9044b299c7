package cordiscmd

import (
	"context"
	"strings"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/cordis/control"
)

// PlanJSON is what --dry-run writes with --json, of a command that would ask the
// host for a change.
type PlanJSON struct {
	Would   string `json:"would"` // the command
	Plugin  string `json:"pluginId,omitempty"`
	Package string `json:"packageId,omitempty"`
	Request string `json:"requestId,omitempty"`
	Name    string `json:"name,omitempty"`
}

type planReport struct{ plan PlanJSON }

func (r planReport) JSON() any { return r.plan }

func (r planReport) Text(w *cli.Writer) {
	what := r.plan.Plugin
	if r.plan.Package != "" {
		what += "/" + r.plan.Package
	}
	w.Say("would", strings.TrimSpace(r.plan.Would+" "+orElse(what, r.plan.Request)))
}

// exists fails unless the Session has the plugin, and the package if one is named.
func exists(ctx context.Context, env *cli.Env, o clientOptions, plugin, pkg string) error {
	_, err := ask(ctx, env, o, "inspectSelf", func(session string) any {
		return control.SelfParams{Session: session, Plugin: plugin, Package: pkg}
	}, nil)
	return err
}

// plan reports what a command would do with a plugin that is there.
func plan(ctx context.Context, env *cli.Env, o clientOptions, p PlanJSON) error {
	if err := exists(ctx, env, o, p.Plugin, p.Package); err != nil {
		return err
	}
	return env.Report(planReport{p})
}
