package selfipcmd

import (
	"os"
	"path/filepath"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/config"
	"github.com/dshkit/dshkit/internal/model"
	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/internal/selfip/scope"
	"github.com/dshkit/dshkit/internal/workspace"
	"github.com/dshkit/dshkit/pkg/filestore"
)

// variables are environment variables of ours that are no settings.
var variables = []string{model.GuardVariable}

// mark is the folder that makes its parent a workspace.
const mark = "self-improvement"

// opened is what a command works on, and how it was found.
type opened struct {
	memory    *selfip.Memory
	inputs    config.Inputs
	settings  config.Settings
	warnings  []config.Warning
	damage    error // a settings file that could not be read
	workspace workspace.Workspace
}

// openMemory finds the workspace and its settings. What is odd about the
// settings is told as warnings.
func openMemory(env *cli.Env) (*selfip.Memory, error) {
	o, err := open(env, env.Flags.Dir)
	if err != nil {
		return nil, err
	}
	o.warn(env)
	return o.memory, nil
}

// openForChange is openMemory for commands that refuse to work where there is no
// workspace: the refusal says all that a note would.
func openForChange(env *cli.Env) (*selfip.Memory, error) {
	o, err := openedForChange(env)
	if err != nil {
		return nil, err
	}
	return o.memory, nil
}

// openedForChange is openForChange for who needs the settings too.
func openedForChange(env *cli.Env) (*opened, error) {
	o, err := open(env, env.Flags.Dir)
	if err != nil {
		return nil, err
	}
	o.warnOfSettings(env)
	return o, nil
}

func (o *opened) warn(env *cli.Env) {
	o.warnOfSettings(env)
	if o.workspace.Note != "" {
		env.Note(o.workspace.Note, o.workspace.Start)
	}
}

func (o *opened) warnOfSettings(env *cli.Env) {
	for _, w := range o.warnings {
		env.Warn(w.Code, w.Args...)
	}
	if o.damage != nil {
		env.Warn("settings-ignored", o.damage)
	}
}

// open resolves a folder that the user has named to its workspace; an empty one
// is the current folder, which nobody has named.
func open(env *cli.Env, dir string) (*opened, error) { return openAt(env, dir, dir != "") }

// openAt is open for a folder that a user has named, or not: what a harness
// reports as its folder may be the user's home, which is no workspace then.
func openAt(env *cli.Env, dir string, named bool) (*opened, error) {
	return openReading(env, dir, named, readSettings)
}

// maxSettings is the size, in bytes, up to which a file of settings is read at
// all: somebody's repository may bring one of any size and any kind.
const maxSettings = 16 << 20

func readSettings(path string) ([]byte, error) { return filestore.ReadFile(path, maxSettings) }

// openReading is openAt with settings files read by read.
func openReading(env *cli.Env, dir string, named bool, read func(string) ([]byte, error)) (*opened, error) {
	start, err := env.Folder(dir)
	if err != nil {
		return nil, err
	}
	o := &opened{inputs: config.Inputs{Read: read}}
	if err := o.resolve(env, start, named, true); err != nil {
		return nil, err
	}
	if !o.settings.MainCheckout { // the settings say otherwise: look again
		if err := o.resolve(env, start, named, false); err != nil {
			return nil, err
		}
	}
	env.Language = func() string { return o.settings.Language }
	o.build(env)
	env.Debug("workspace", "root", o.workspace.Root, "scope", o.settings.Scope, "note", o.workspace.Note)
	return o, nil
}

func (o *opened) resolve(env *cli.Env, start string, explicit, mainCheckout bool) (err error) {
	home := env.Home()
	o.workspace, err = workspace.Resolve(start, workspace.Options{Mark: mark, Explicit: explicit, Home: home, MainCheckout: mainCheckout})
	if err != nil {
		return err
	}
	o.inputs = config.Inputs{
		Read: o.inputs.Read, IsDir: isDir, Getenv: env.Getenv, Environ: env.Environ(), Variables: variables,
		Home: home, Workspace: o.workspace.Root,
	}
	o.settings, o.warnings, o.damage = config.Load(o.inputs)
	return nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func (o *opened) build(env *cli.Env) {
	s := o.settings
	m := &selfip.Memory{
		ScopeName: scope.Scope(s.Scope), Scope: scope.Scope(s.Scope).Switches(), Now: env.Now, NewID: env.NewID, Alive: env.Alive, Self: env.Self, Say: env.Sentence,
		Settings: selfip.Settings{
			Language: string(env.Lang()), InjectChars: s.InjectChars, HookBytes: s.HookBytes,
			PromptChars: s.PromptChars, SearchChars: s.SearchChars, FileChars: s.FileChars,
			Writes: selfip.Writes(s.Writes), KeepDays: s.KeepDays,
		},
	}
	if o.workspace.Root != "" {
		m.Workspace = selfip.OpenLibrary(selfip.WorkspaceLabel, o.workspace.Root, s.LockWait, env.Flags.DryRun)
	} else {
		_, m.NoWorkspace = o.workspace.ForWriting()
	}
	if s.GlobalDir != "" {
		m.Global = selfip.OpenLibrary(selfip.GlobalLabel, s.GlobalDir, s.LockWait, env.Flags.DryRun)
	}
	if dir := configDir(env); dir != "" {
		m.Heed(selfip.OpenReleases(filestore.Open(dir, filestore.Options{
			LockName: selfip.ReleasesLock, Wait: s.LockWait, DryRun: env.Flags.DryRun,
		})))
	}
	o.giveModel(env, m)
	m.Skills = openSkills(env)
	m.Here = o.here(env.Home())
	o.memory = m
}

// openSkills is the record of playbooks that are offered as skills, nil when the
// user's folder is not known.
func openSkills(env *cli.Env) *selfip.Skills {
	dir := configDir(env)
	if dir == "" {
		return nil
	}
	return selfip.OpenSkills(filestore.Open(dir, filestore.Options{LockName: selfip.SkillsLock, DryRun: env.Flags.DryRun, Now: env.Now}), env.Flags.DryRun)
}

// maxFolders bounds what is remembered of folders that a session log names.
const maxFolders = 256

// here tells whether a folder belongs to the workspace. One that is not there any
// more is judged by its name, and one that is no whole path is believed.
func (o *opened) here(home string) func(dir string) bool {
	known := map[string]bool{}
	return func(dir string) bool {
		if answer, ok := known[dir]; ok || !filepath.IsAbs(dir) {
			return answer || !ok
		}
		w, err := workspace.Resolve(dir, workspace.Options{Mark: mark, Home: home, MainCheckout: o.settings.MainCheckout})
		answer := w.Root == o.workspace.Root || w.Start == o.workspace.Root
		if err != nil {
			answer = below(dir, o.workspace.Root)
		}
		if len(known) < maxFolders {
			known[dir] = answer
		}
		return answer
	}
}
