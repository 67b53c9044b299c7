package cordiscmd

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/cordis/control"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

type eventsOptions struct {
	clientOptions
	since  uint64
	follow bool
}

func newEvents(env *cli.Env) *cobra.Command {
	var o eventsOptions
	cmd := &cobra.Command{Use: "events", Args: cli.ArgCount(0, 0), RunE: func(cmd *cobra.Command, _ []string) error {
		return runEvents(cmd.Context(), env, o)
	}}
	cmd.Flags().Uint64Var(&o.since, "since", 0, "")
	cmd.Flags().BoolVarP(&o.follow, "follow", "f", false, "")
	hostFlags(cmd, &o.clientOptions)
	return asks(cmd)
}

// runEvents writes a line for each event. A reader that went away ends it.
func runEvents(ctx context.Context, env *cli.Env, o eventsOptions) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	c, err := connect(ctx, env, o.clientOptions, control.Handlers{Notify: func(method string, params json.RawMessage) {
		if method != "event" {
			return
		}
		if err := writeEvent(env, params); err != nil {
			stop(err)
		}
	}})
	if err != nil {
		return err
	}
	defer c.Close()
	if !o.follow {
		_, err = c.ask(ctx, "events", control.EventsParams{Since: o.since}, nil)
		return err
	}
	return c.Call(ctx, "events", control.EventsParams{Since: o.since, Follow: true}, nil)
}

func writeEvent(env *cli.Env, params json.RawMessage) error {
	if env.Flags.JSON {
		return env.Document(params)
	}
	var e control.EventParams
	if err := json.Unmarshal(params, &e); err != nil {
		return err
	}
	at, _ := time.Parse(time.RFC3339Nano, e.At)
	o, _ := jsonvalue.Map(e.Payload.V)
	subject := text(o, "pluginId")
	if pkg := text(o, "packageId"); pkg != "" {
		subject += "/" + pkg
	}
	for _, key := range []string{"requestId", "pluginRunId", "outcome", "mode"} {
		if s := text(o, key); s != "" {
			subject += " " + s
		}
	}
	w := env.Writer()
	w.Line(fmt.Sprintf("%s  %4d  %s  %s", w.Dim(at.Local().Format(time.TimeOnly)), e.Seq, w.Bold(e.Name), subject))
	return w.Flush()
}
