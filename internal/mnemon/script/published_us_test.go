package script_test

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/dshkit/dshkit/internal/jscache"
	"github.com/dshkit/dshkit/internal/mnemon/machine"
	"github.com/dshkit/dshkit/internal/mnemon/script"
	"github.com/dshkit/dshkit/internal/testkit"
	"github.com/dshkit/dshkit/pkg/jsrun"
	"github.com/dshkit/dshkit/pkg/jsrun/node"
)

// byUs plays the scenario in a realm: run.mjs is the same, dsh-mnemon's modules
// are ours.
func (s *stage) byUs(t *testing.T) string {
	t.Helper()
	ctx, cancel := context.WithTimeoutCause(t.Context(), 2*time.Minute, errors.New("the scenario takes too long"))
	defer cancel()
	realm, err := s.loader(t).Open(ctx, oracle(t))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := realm.Close(); err != nil {
			t.Error(err)
		}
	}()
	out, err := realm.Call(ctx, "./run.mjs", "runScenario", s.file)
	if err != nil {
		t.Fatal(told(err))
	}
	text, ok := out.(string)
	if !ok {
		t.Fatalf("run.mjs gave %T", out)
	}
	return s.told(text)
}

func (s *stage) loader(t *testing.T) *script.Loader {
	t.Helper()
	host := s.host(t)
	return script.NewLoader(script.Settings{
		Modules: jsrun.ModuleConfig{Host: node.Modules(host), Files: jscache.Disk{}, Fallback: []string{testkit.Plugins(t)}},
		Run: jsrun.Config{
			Now: time.Now, Globals: node.Globals(host),
			Limits:    jsrun.Limits{Busy: time.Minute, Heap: 4 << 30}, // all scenarios at once, with the race detector
			Unhandled: func(e *jsrun.Error) { t.Errorf("left to nobody: %s\n%s", e.Message, e.Stack) },
		},
		Log: func(plugin, what string, err error) { t.Logf("%s: %s: %v", plugin, what, err) },
	})
}

// host grants the stage, the packages to read, every program and the network.
func (s *stage) host(t *testing.T) *node.Host {
	t.Helper()
	env := s.env()
	environ := func() []string {
		var list []string
		for name, value := range env {
			list = append(list, name+"="+value)
		}
		return list
	}
	return &node.Host{
		Files:       machine.NewFiles(machine.Grant{Path: s.dir}, machine.Grant{Path: oracle(t), ReadOnly: true}),
		Processes:   &machine.Processes{Environ: environ},
		Network:     &machine.Network{},
		Env:         func(name string) (string, bool) { value, ok := env[name]; return value, ok },
		Environ:     func() []string { return slices.Sorted(maps.Keys(env)) },
		Cwd:         s.home,
		Home:        s.home(),
		Temp:        s.temp(),
		Platform:    "linux",
		Now:         time.Now,
		RandomBytes: func(b []byte) { _, _ = io.ReadFull(rand.Reader, b) },
		Log:         func(level, text string) { t.Log(level, text) },
	}
}
