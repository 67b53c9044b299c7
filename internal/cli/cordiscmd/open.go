package cordiscmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/cordis"
	"github.com/dshkit/dshkit/internal/cordis/control"
	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/internal/workspace"
	"github.com/dshkit/dshkit/pkg/fault"
	ptext "github.com/dshkit/dshkit/pkg/text"
)

// open finds the workspace of the current folder, or of the one that -C names.
func open(env *cli.Env) (*cordis.Workspace, error) {
	start, err := env.Folder(env.Flags.Dir)
	if err != nil {
		return nil, err
	}
	found, err := workspace.Resolve(start, workspace.Options{
		Mark: cordis.Folder, Explicit: env.Flags.Dir != "", Home: env.Home(), MainCheckout: true,
	})
	if err != nil {
		return nil, err
	}
	root, err := found.ForWriting()
	if err != nil {
		return nil, err
	}
	env.Debug("workspace", "root", root)
	return cordis.Open(options(env, root)), nil
}

// options are what a workspace takes from this process.
func options(env *cli.Env, root string) cordis.Options {
	version, _ := cli.BuildVersion()
	language := env.Lang()
	state := env.OwnFolder("XDG_STATE_HOME", ".local", "state")
	if state != "" {
		state = filepath.Join(state, "cordis")
	}
	return cordis.Options{
		Root: root, State: state, Program: env.Executable, Version: version, Language: string(language),
		Environ: env.Environ(), Now: env.Now, Random: env.Chance, Explain: env.Sentence, DryRun: env.Flags.DryRun,
	}
}

// clientOptions are what every command that asks the host can be told.
type clientOptions struct {
	session   string
	autostart bool
	timeout   time.Duration
}

// patience is how long a host may take for an answer when nobody says.
const patience = time.Minute

// hostFlags gives cmd the flags of a command that asks the host.
func hostFlags(cmd *cobra.Command, o *clientOptions) {
	cmd.Flags().BoolVar(&o.autostart, "autostart", false, "")
	cmd.Flags().DurationVar(&o.timeout, "timeout", patience, "")
}

// sessionFlags are hostFlags for a command that acts for a Session.
func sessionFlags(cmd *cobra.Command, o *clientOptions) {
	hostFlags(cmd, o)
	cmd.Flags().StringVar(&o.session, "session", "", "")
}

// hostKinds are the kinds of fault that asking a host can give.
var hostKinds = []fault.Kind{fault.Refused, fault.Busy, fault.Timeout, fault.NoHost, fault.Conflict}

// asks says that cmd asks the host: how it can end.
func asks(cmd *cobra.Command, more ...fault.Kind) *cobra.Command {
	return cli.Exits(cli.Exits(cmd, hostKinds...), more...)
}

// sessionOf is the Session that a command acts for.
func sessionOf(env *cli.Env, o clientOptions) string {
	for _, name := range []string{o.session, env.Getenv("CORDIS_SESSION")} {
		if name != "" {
			return name
		}
	}
	return control.DefaultSession
}

// client is a connection with the host, for one command.
type client struct {
	*control.Conn
	env     *cli.Env
	session string
	timeout time.Duration
}

// connect connects with the host of the workspace; with --autostart it starts one
// when there is none.
func connect(ctx context.Context, env *cli.Env, o clientOptions, handlers control.Handlers) (*client, error) {
	if o.timeout <= 0 {
		return nil, fault.New(fault.Usage, "bad-timeout", o.timeout.String())
	}
	if session := sessionOf(env, o); !utf8.ValidString(session) {
		return nil, fault.New(fault.Usage, "bad-text", session)
	}
	w, err := open(env)
	if err != nil {
		return nil, err
	}
	conn, _, err := w.Connect(ctx, control.Client, handlers)
	if control.Absent(err) && o.autostart {
		if _, err = w.Start(ctx, serveArguments(env)); err == nil {
			conn, _, err = w.Connect(ctx, control.Client, handlers)
		}
	}
	if err != nil {
		return nil, err
	}
	return &client{conn, env, sessionOf(env, o), o.timeout}, nil
}

// ask asks the host once. The answer is as it came, and read into result unless
// that is nil.
func (c *client) ask(ctx context.Context, method string, params, result any) (json.RawMessage, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, c.timeout, fault.New(fault.Timeout, "call-late", c.timeout.String()))
	defer cancel()
	var raw json.RawMessage
	if err := c.Call(ctx, method, params, &raw); err != nil {
		return nil, explained(c.env, thrown(err))
	}
	if result == nil {
		return raw, nil
	}
	return raw, json.Unmarshal(raw, result)
}

// explained shows where a text does not parse, to a person: the line and a caret
// below the place. What is left of the error is one line.
func explained(env *cli.Env, err error) error {
	known, ok := errors.AsType[*fault.Error](err)
	if !ok || known.Code != "syntax" || known.Err == nil {
		return err
	}
	if env.Flags.JSON {
		return placeOnce(env, err)
	}
	for line := range strings.SplitSeq(env.Sentence(known.Err), "\n") {
		fmt.Fprintln(env.Err, "  "+ptext.Printable(line))
	}
	return fault.New(known.Kind, known.Code, known.Args...)
}

// placeOnce has the report of a text that does not parse begin with the line of
// the text: the fault itself names the place.
func placeOnce(env *cli.Env, err error) error {
	known, ok := errors.AsType[*fault.Error](err)
	if !ok || known.Code != "syntax" || known.Err == nil {
		return err
	}
	_, rest, found := strings.Cut(env.Sentence(known.Err), "\n")
	if !found {
		return err
	}
	return fault.New(known.Kind, known.Code, known.Args...).Because(errors.New("\n" + rest))
}

// thrown makes a fault of what plugin code threw.
func thrown(err error) error {
	var t *wire.Thrown
	if errors.As(err, &t) {
		return fault.New(fault.Plugin, "plugin-threw", t.Message)
	}
	return err
}

// ask connects, asks once, and ends the connection.
func ask(ctx context.Context, env *cli.Env, o clientOptions, method string, params func(session string) any, result any) (json.RawMessage, error) {
	c, err := connect(ctx, env, o, control.Handlers{})
	if err != nil {
		return nil, err
	}
	defer c.Close()
	return c.ask(ctx, method, params(c.session), result)
}

// answer is the report of what a host answered: as JSON as it came.
type answer struct {
	raw  json.RawMessage
	text func(w *cli.Writer)
}

func (a answer) JSON() any          { return a.raw }
func (a answer) Text(w *cli.Writer) { a.text(w) }

// dash stands in a column for what is not there.
func dash(s string) string { return orElse(s, "-") }

func orElse(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

func nth(args []string, i int) string {
	if i < len(args) {
		return args[i]
	}
	return ""
}
