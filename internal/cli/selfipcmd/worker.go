package selfipcmd

import (
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/config"
	"github.com/dshkit/dshkit/internal/model"
)

// startWorker starts `selfip queue run` apart from us: a process that starts
// the worker and ends at once, so that the worker is nobody's child and survives
// a harness that kills the hook with all its children (spec/harness-hooks.md
// 1.6). The work is in the queue already; if the worker cannot be started, the
// next start or a scheduled run does it. also names variables that its model
// needs.
func startWorker(env *cli.Env, dir string, also ...string) {
	startApart(env, dir, also, "queue", "run", "--detach")
}

// startApart starts a command of ours for a workspace apart from us.
func startApart(env *cli.Env, dir string, also []string, args ...string) {
	program, err := env.Executable()
	if err != nil {
		return
	}
	if !filepath.IsAbs(dir) {
		here, err := env.Getwd()
		if err != nil {
			return
		}
		dir = filepath.Join(here, dir)
	}
	cmd := exec.Command(program, append(args, "-C", dir)...)
	cmd.Dir = string(filepath.Separator)
	cmd.Env = append(workerEnv(env, also), model.GuardVariable+"=1")
	detach(cmd)
	if cmd.Start() == nil {
		_ = cmd.Process.Release()
	}
}

// workerEnv is what a worker needs of our environment: what says where things
// are and how we are set, not the keys that a harness puts there
// (spec/harness-hooks.md 1.12), but for what a model needs that is set up.
func workerEnv(env *cli.Env, also []string) []string {
	names := slices.Concat(also, []string{
		"PATH", "HOME", "USERPROFILE", "TMPDIR", "TEMP", "TMP", "SystemRoot", "TZ", "LANG", "LC_ALL", "LC_MESSAGES", "LANGUAGE",
		"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "DSH_HOME",
	}, config.Variables())
	var out []string
	for _, name := range names {
		if value := env.Getenv(name); value != "" {
			out = append(out, name+"="+value)
		}
	}
	return out
}

// redetach starts the worker proper from the process in between.
func redetach(env *cli.Env, args []string) error {
	program, err := env.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(program, args...)
	cmd.Dir = string(filepath.Separator)
	cmd.Env = append(env.Environ(), model.GuardVariable+"=1")
	detach(cmd)
	return cmd.Start()
}
