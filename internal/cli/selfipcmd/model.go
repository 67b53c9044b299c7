package selfipcmd

import (
	"context"
	"errors"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/config"
	"github.com/dshkit/dshkit/internal/model"
	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/gate"
)

// noModel is the provider of who uses none.
const noModel = "none"

// usesModel reports whether the settings let a model be called at all.
func usesModel(s config.Settings) bool { return s.ModelProvider != noModel && len(s.Uses()) > 0 }

// modelSettings are the settings as the room of models knows them.
func modelSettings(s config.Settings) model.Settings {
	return model.Settings{
		Provider: s.ModelProvider, URL: s.ModelURL, Name: s.ModelName, KeyEnv: s.ModelKeyEnv, KeyFile: s.ModelKeyFile,
		Command: s.CommandWords(), Effort: s.ModelEffort, Timeout: s.ModelTimeout,
	}
}

// modelWorld is what a call may use of our process.
func modelWorld(env *cli.Env) model.World {
	chance := env.Chance
	if chance == nil {
		chance = func() float64 { return 0.5 }
	}
	return model.World{
		Getenv: env.Getenv, Environ: env.Environ, Now: env.Now, Chance: chance,
		Redact: func(s string) string { return gate.Note(s).Text },
	}
}

// giveModel gives a memory the model that the settings name. One that cannot be
// used answers every question with the reason, and the built-in engine does the
// work. A dry run calls none: it would cost money and book nothing.
func (o *opened) giveModel(env *cli.Env, m *selfip.Memory) {
	s := o.settings
	m.Settings.DailyTokens, m.Settings.ModelUse = s.DailyTokens, s.Uses()
	if s.DailyTokens == 0 {
		m.Settings.DailyTokens = -1 // nothing may be spent; 0 would be the default
	}
	if !usesModel(s) || env.Flags.DryRun {
		return
	}
	made, err := model.New(modelSettings(s), modelWorld(env))
	if err != nil {
		m.Model = func(context.Context, selfip.Question) (selfip.Answer, error) { return selfip.Answer{Unsent: true}, err }
		return
	}
	m.Route.Provider = s.ModelProvider
	m.Route.Model, m.Route.Effort = made.Route()
	m.Model = func(ctx context.Context, q selfip.Question) (selfip.Answer, error) {
		r, err := made.Call(ctx, model.Request{System: q.System, User: q.User, MaxTokens: q.MaxTokens})
		return answerOf(r), paused(err)
	}
}

func answerOf(r model.Reply) selfip.Answer {
	return selfip.Answer{
		Text: r.Text, Cut: r.Cut, Input: r.Input, Output: r.Output, Unsent: r.Unsent,
		Provider: r.Provider, Model: r.Model, Effort: r.Effort, Routed: r.Routed,
	}
}

// paused hands on how long a service wants to be left alone.
func paused(err error) error {
	var p *model.Pause
	if errors.As(err, &p) {
		return &selfip.Pause{For: p.For, Err: p.Err}
	}
	return err
}

// networkVariables are what a call needs of the environment beyond its key, and
// commandVariables what an agent needs that is called as one.
var (
	networkVariables = [...]string{
		"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR",
	}
	commandVariables = [...]string{
		"USER", "LOGNAME", "SHELL", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_DATA_HOME", "NODE_EXTRA_CA_CERTS",
		"APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PATHEXT", "COMSPEC",
	}
)

// modelVariables names the variables that a worker needs for its model: the one
// that holds the key, and no other key.
func (o *opened) modelVariables() []string {
	s := o.settings
	if !usesModel(s) {
		return nil
	}
	names := networkVariables[:]
	if key := modelSettings(s).KeyVariable(); key != "" {
		names = append(names[:len(names):len(names)], key)
	}
	if s.ModelProvider == model.Command {
		names = append(names[:len(names):len(names)], commandVariables[:]...)
		if s.ModelKeyEnv != "" {
			names = append(names, s.ModelKeyEnv)
		}
	}
	return names
}

// model looks at what a call would need, and makes none.
func (d *doctor) model(o *opened) {
	s := o.settings
	switch {
	case s.ModelProvider == noModel:
		d.add(levelOK, "model", "doctor-no-model")
		return
	case !usesModel(s):
		d.add(levelOK, "model", "doctor-model-off")
		return
	}
	made, err := model.New(modelSettings(s), modelWorld(d.env))
	if err == nil {
		err = made.Ready()
	}
	if err != nil {
		d.add(levelTrouble, "model", "doctor-error", err)
		return
	}
	name, _ := made.Route()
	if name == "" {
		name = d.env.Say("model-first")
	}
	d.add(levelOK, "model", "doctor-model", s.ModelProvider, name, s.ModelUse)
	if o.memory.Workspace == nil {
		return
	}
	st, _ := o.memory.Workspace.State() // what is wrong with the file is told of the library
	if until := o.memory.Spending(st).PausedUntil; !until.IsZero() {
		d.add(levelNote, "model", "model-paused", entry.Stamp(until))
	}
}
