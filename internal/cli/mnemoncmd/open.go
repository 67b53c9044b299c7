package mnemoncmd

import (
	"context"
	"os/exec"
	"path/filepath"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/mnemon"
	"github.com/dshkit/dshkit/internal/workspace"
	"github.com/dshkit/dshkit/pkg/fault"
)

// open finds the workspace of the current folder, or of the one that -C names.
func open(env *cli.Env) (*mnemon.Workspace, error) {
	start, err := env.Folder(env.Flags.Dir)
	if err != nil {
		return nil, err
	}
	found, err := workspace.Resolve(start, workspace.Options{
		Mark: mnemon.Folder, Explicit: env.Flags.Dir != "", Home: env.Home(), MainCheckout: true,
	})
	if err != nil {
		return nil, err
	}
	root, err := found.ForWriting()
	if err != nil {
		return nil, err
	}
	env.Debug("workspace", "root", root)
	env.PostponeCollection()
	return mnemon.Open(options(env, root)), nil
}

// patience is how long a command that runs plugins may take when nobody says.
const patience = 2 * time.Minute

// timeoutFlag gives cmd a flag that bounds how long its plugins may take.
func timeoutFlag(cmd *cobra.Command, limit *time.Duration) {
	cmd.Flags().DurationVar(limit, "timeout", patience, "")
}

// checkTimeout refuses a time in which nothing can be done.
func checkTimeout(limit time.Duration) error {
	if limit <= 0 {
		return fault.New(fault.Usage, "bad-timeout", limit.String())
	}
	return nil
}

// within opens the workspace for something that starts plugins and may take limit
// at the most.
func within(ctx context.Context, env *cli.Env, limit time.Duration, f func(context.Context, *mnemon.Workspace) error) error {
	if err := checkTimeout(limit); err != nil {
		return err
	}
	w, err := open(env)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return f(ctx, w)
}

// checkTexts refuses what cannot be kept in a file as it was written.
func checkTexts(texts ...string) error {
	for _, text := range texts {
		if !utf8.ValidString(text) {
			return fault.New(fault.Usage, "bad-text", text)
		}
	}
	return nil
}

// options are what the workspace takes from this process.
func options(env *cli.Env, root string) mnemon.Options {
	current, _ := env.Folder("")
	return mnemon.Options{
		Root: root, Current: current, Home: env.Home(), Memory: env.Getenv("MNEMON_DATA_DIR"),
		State:  filepath.Join(env.OwnFolder("XDG_STATE_HOME", ".local", "state"), "mnemon"),
		Cache:  cacheFolder(env),
		Getenv: env.Getenv, Now: env.Now, NewID: env.NewID, Random: env.Chance, RandomBytes: env.RandomBytes, NPM: npm(env), DryRun: env.Flags.DryRun,
		Log: func(text string) { env.Debug("plugin", "says", text) },
	}
}

func cacheFolder(env *cli.Env) string {
	folder := env.OwnFolder("XDG_CACHE_HOME", ".cache")
	if folder == "" {
		return ""
	}
	return filepath.Join(folder, "js")
}

// npm runs the npm client of the user.
func npm(env *cli.Env) func(context.Context, ...string) error {
	return func(ctx context.Context, arguments ...string) error {
		path, err := exec.LookPath("npm")
		if err != nil {
			return fault.New(fault.Failed, "no-npm")
		}
		cmd := exec.CommandContext(ctx, path, arguments...)
		cmd.Env = env.Environ()
		out, err := cmd.CombinedOutput()
		if err != nil {
			return fault.New(fault.Failed, "npm-failed", firstLines(string(out)))
		}
		return nil
	}
}

func warn(env *cli.Env, warnings []mnemon.Warning) {
	for _, w := range warnings {
		env.Warn(w.Code, w.Args...)
	}
}
