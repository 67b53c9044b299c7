package mnemon

import (
	"context"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/dshkit/dshkit/internal/mnemon/approval"
	"github.com/dshkit/dshkit/internal/mnemon/assembly"
	"github.com/dshkit/dshkit/internal/mnemon/script"
	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/fiber"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// CodeMissing is: the package %[2]s of the plugin %[1]q is not installed.
const CodeMissing = "plugin-missing"

// The codes of starting, each with its English sentence.
const (
	codeLoad      = "plugin-load"          // the plugin %q cannot be loaded
	codeNoStart   = "plugin-start-late"    // it had not started after %v
	codeUnmade    = "source-unmade"        // the Source %q could not be made
	codeEnded     = "plugin-ended"         // the plugin %q was ended (%s)
	codeStartLack = "plugin-start-lack"    // the plugin %q did not start (%s)
	codeStartLate = "plugin-start-timeout" // the plugin %q did not start in time
	warnStart     = "plugin-start-warning" // the plugin %q did not start: %s
	warnUnhandled = "plugin-unhandled"     // the plugin %q left an error to nobody: %s
)

// present is the assembly as the workspace has it now, for a turn that is about
// to be begun. An Entry that may not run refuses the whole: a turn that silently
// lacks a policy would show what the policy hides.
func (w *Workspace) present(s Settings) (recorded, []Warning, error) {
	plugins, warnings, err := w.Plugins()
	if err != nil {
		return recorded{}, warnings, err
	}
	now := recorded{strategyTypeID: s.StrategyTypeID, sourceTimeoutMs: s.SourceTimeoutMs}
	for _, p := range plugins {
		if p.Disabled {
			continue
		}
		if p.Why != nil {
			return recorded{}, warnings, p.Why
		}
		now.entries = append(now.entries, recordedEntry{id: p.ID, name: p.Name, digest: p.Digest, config: p.Config})
	}
	return now, warnings, nil
}

// running is an assembly that was started in this process.
type running struct {
	w      *Workspace
	core   *compose.Core
	mounts []*mount

	patience time.Duration // with a plugin that starts

	mu     sync.Mutex
	oddity []Warning
	unmade string // the Source whose factory failed last
}

// mount is one Entry of it, in a realm of its own.
type mount struct {
	id     string
	realm  *script.Realm
	root   *fiber.Context
	fiber  *fiber.Fiber
	failed error // why it did not start
}

// start mounts the Entries of an assembly. A plugin that does not start leaves
// the others alone; what Core makes of its absence, Core says.
func (w *Workspace) start(ctx context.Context, a recorded) (*running, error) {
	allowed, err := w.approvals()
	if err != nil {
		return nil, err
	}
	r := &running{w: w, patience: a.patience()}
	r.core = compose.New(compose.Settings{
		Now: w.Now, SourceTimeoutMs: a.sourceTimeoutMs, StrategyTypeID: a.strategyTypeID, StrategyFallback: "sole-strategy",
		Outage: r.outage,
	})
	err = r.core.Batch(ctx, func() error {
		for _, e := range a.entries {
			if err := r.mountEntry(ctx, e, allowed); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		r.stop(ctx)
		return nil, err
	}
	return r, nil
}

// patience is how long a plugin may take to start.
func (a recorded) patience() time.Duration {
	if a.sourceTimeoutMs == nil || *a.sourceTimeoutMs < 1 {
		return 10 * time.Second
	}
	return time.Duration(*a.sourceTimeoutMs) * time.Millisecond
}

// outage hears what a Source said. It is for the log, unless nothing can be
// composed for it.
func (r *running) outage(key, phase string, err error) {
	r.w.Log(key + " " + phase + ": " + err.Error())
	if phase == "create" {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.unmade = key
	}
}

// mountEntry checks that the code is what was allowed and what the turn was
// begun with, and starts it.
func (r *running) mountEntry(ctx context.Context, e recordedEntry, allowed *approval.Approvals) error {
	digest, err := r.w.digest(assembly.Entry{ID: e.id, Name: e.name, Config: e.config})
	if err != nil {
		return err
	}
	word, err := allowed.Check(r.w.Root, e.id, e.name, digest)
	if err != nil {
		return err
	}
	if digest != e.digest {
		return fault.New(fault.Conflict, codeCodeChanged, e.id)
	}
	grants, err := word.Granted()
	if err != nil {
		return err
	}
	m := &mount{id: e.id}
	r.mounts = append(r.mounts, m)
	if m.failed = r.inTime(ctx, m, e, grants); m.failed != nil {
		if ctx.Err() != nil {
			return tooLate(ctx, codeStartLate, e.id)
		}
		r.remark(Warning{Code: warnStart, Args: []any{e.id, m.failed}})
	}
	return nil
}

// inTime is open for a plugin that may never say that it has started: it has as
// long as a Source has to answer.
func (r *running) inTime(ctx context.Context, m *mount, e recordedEntry, grants []approval.Grant) error {
	ctx, cancel := context.WithTimeoutCause(ctx, r.patience, fault.New(fault.Timeout, codeNoStart, r.patience))
	defer cancel()
	return r.open(ctx, m, e, grants)
}

func (r *running) open(ctx context.Context, m *mount, e recordedEntry, grants []approval.Grant) (err error) {
	mounted := script.Entry{ID: e.id}
	base, specifier := r.w.module(e.name)
	mounted.Specifier = specifier
	config, _ := r.w.expand(e.config).(*jsonvalue.Object)
	if config != nil {
		mounted.Config = config
	}
	_ = os.MkdirAll(r.w.dir.Path(tempFolder), 0o700) // without it, a plugin that wants it says so
	loader := r.w.loader(reach{r.w.codeFolder(e.name), config, grants}, r.w.modules(), func(text string) {
		r.remark(Warning{Code: warnUnhandled, Args: []any{e.id, text}})
	})
	if m.realm, err = loader.Open(ctx, base); err != nil {
		return err
	}
	m.root = fiber.New(fiber.Config{})
	for _, s := range []struct {
		name  string
		value any
	}{{"mnemonMemory", r.core}, {"loader", loader}} {
		if _, err := m.root.Provide(s.name, s.value); err != nil {
			return err
		}
	}
	if m.fiber, err = m.realm.Mount(ctx, m.root, mounted); err != nil {
		return err
	}
	return m.fiber.Await(ctx)
}

func (r *running) remark(w Warning) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.oddity = append(r.oddity, w)
}

func (r *running) warnings() []Warning {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.oddity)
}

// because is why Core refuses: when a plugin did not start, passed a limit since,
// or has a Source that could not be made, that comes first, and what Core says
// may follow from it.
func (r *running) because(err error) error {
	if fault.KindOf(err) == fault.Timeout {
		return err
	}
	for _, m := range r.mounts {
		if m.failed != nil {
			return fault.New(fault.Plugin, codeStartLack, m.id, m.failed).Because(err)
		}
		if ended := m.realm.Err(); ended != nil {
			return fault.New(fault.Plugin, codeEnded, m.id, ended).Because(err)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.unmade != "" {
		return fault.New(fault.Plugin, codeUnmade, r.unmade).Because(err)
	}
	return err
}

// stopTime bounds how long each plugin may take to stop; what it holds ends with
// the process. One that does not stop takes nothing of the others' time.
const stopTime = 2 * time.Second

func (r *running) stop(ctx context.Context) {
	limit := stopTime
	if ctx.Err() != nil {
		limit = grace // whoever called has waited long enough
	}
	for _, m := range slices.Backward(r.mounts) {
		m.stop(limit)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	defer cancel()
	_ = r.core.Close(ctx)
}

func (m *mount) stop(limit time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	if m.root != nil {
		_ = m.root.Fiber().Dispose(ctx)
	}
	if m.realm != nil {
		_ = m.realm.Close()
	}
}

// expand fills in ${workspace} and ${home} in the texts of a configuration.
func (w *Workspace) expand(v any) any {
	switch v := v.(type) {
	case string:
		return strings.NewReplacer("${workspace}", w.Root, "${home}", w.Home).Replace(v)
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = w.expand(item)
		}
		return out
	case *jsonvalue.Object:
		if v == nil {
			return nil
		}
		out := &jsonvalue.Object{}
		for key, item := range v.All() {
			out.Set(key, w.expand(item))
		}
		return out
	}
	return v
}
