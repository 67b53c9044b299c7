package cordiscmd

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/cordis/control"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// completeTime bounds how long a shell waits for words.
const completeTime = 2 * time.Second

// lister gives the words for one place among the arguments; args are those before
// it.
type lister func(ctx context.Context, c completer, args []string) []string

// completer asks the host that runs for what can be named.
type completer struct {
	*control.Conn
	session string
}

// completes gives cmd the words of a host for its arguments, place by place; nil is
// a place for any word. There is no file among them. Without a host there are no
// words: none is started, and one that does not answer at once is not waited for.
func completes(env *cli.Env, cmd *cobra.Command, places ...lister) *cobra.Command {
	cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) >= len(places) || places[len(args)] == nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return words(cmd.Context(), env, cmd, places[len(args)], args), cobra.ShellCompDirectiveNoFileComp
	}
	return cmd
}

func words(ctx context.Context, env *cli.Env, cmd *cobra.Command, list lister, args []string) []string {
	ctx, cancel := context.WithTimeout(ctx, completeTime)
	defer cancel()
	w, err := open(env)
	if err != nil {
		return nil
	}
	conn, _, err := w.Connect(ctx, control.Client, control.Handlers{})
	if err != nil {
		return nil
	}
	defer conn.Close()
	session := ""
	if flag := cmd.Flags().Lookup("session"); flag != nil {
		session = flag.Value.String()
	}
	return list(ctx, completer{conn, sessionOf(env, clientOptions{session: session})}, args)
}

// ask asks the host; what it does not answer is nothing.
func (c completer) ask(ctx context.Context, method string, params any) *jsonvalue.Object {
	var raw json.RawMessage
	if c.Call(ctx, method, params, &raw) != nil {
		return nil
	}
	v, _ := jsonvalue.Parse(raw)
	o, _ := jsonvalue.Map(v)
	return o
}

// members are the texts that the objects of a list have by one name.
func members(o *jsonvalue.Object, list, key string) (found []string) {
	items, _ := o.Array(list)
	for item := range objects(items) {
		if s := text(item, key); s != "" {
			found = append(found, s)
		}
	}
	return found
}

// pluginWords are the plugins of the Session.
func pluginWords(ctx context.Context, c completer, _ []string) []string {
	return members(c.ask(ctx, "inspectSelf", control.SelfParams{Session: c.session}), "plugins", "pluginId")
}

// allPluginWords are the plugins of all Sessions.
func allPluginWords(ctx context.Context, c completer, _ []string) []string {
	return members(c.ask(ctx, "inventory", nil), "rows", "pluginId")
}

// packageWords are the packages of the plugin that is named before.
func packageWords(ctx context.Context, c completer, args []string) []string {
	return members(c.ask(ctx, "inspectSelf", control.SelfParams{Session: c.session, Plugin: args[len(args)-1]}), "packages", "packageId")
}

// requestWords are the requests that wait for a person.
func requestWords(ctx context.Context, c completer, _ []string) []string {
	return members(c.ask(ctx, "approvals", nil), "requests", "requestId")
}

// toolWords are the tools of the Session.
func toolWords(ctx context.Context, c completer, _ []string) []string {
	return members(c.ask(ctx, "tools", control.SessionParams{Session: c.session}), "tools", "name")
}

// withoutFiles has shells offer no files for the arguments of commands whose usage
// names no FILE: files are what a shell offers unless it is told otherwise.
func withoutFiles(cmd *cobra.Command) {
	if cmd.ValidArgsFunction == nil && cmd.Runnable() && !strings.Contains(cmd.Use, "FILE") {
		cmd.ValidArgsFunction = cli.ArgWords()
	}
	for _, sub := range cmd.Commands() {
		withoutFiles(sub)
	}
}
