package mnemon

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/filestore"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// DefaultScenario is that of a turn which names none.
const DefaultScenario = compose.RootTurn

// BeginOptions say which turn is begun.
type BeginOptions struct {
	ID             string // "" makes one
	Agent, Session string
	Scenario       string
	StrategyTypeID string         // "" is that of the settings
	Budget         map[string]int // by BudgetKeys: members that differ from the settings
}

// Begun is a turn, whether it is new, and what was odd.
type Begun struct {
	*Turn
	New      bool
	Warnings []Warning
}

// Begin composes a View and stores it as a turn. A turn of the same id and scope
// that was begun before is returned as it is.
func (w *Workspace) Begin(ctx context.Context, o BeginOptions) (Begun, error) {
	if o.Scenario == "" {
		o.Scenario = DefaultScenario
	}
	if o.ID == "" {
		o.ID = w.NewID("turn-")
	} else if old, err := w.loadTurn(o.ID); err == nil {
		return old.again(w, o)
	} else if !isNotFound(err) {
		return Begun{}, err
	}
	t, warnings, err := w.compose(ctx, o)
	if err != nil {
		return Begun{}, err
	}
	stored, err := t.store(ctx)
	if err != nil {
		return Begun{}, err
	}
	if !stored { // another process was faster
		old, err := w.loadTurn(o.ID)
		if err != nil {
			return Begun{}, err
		}
		return old.again(w, o)
	}
	w.prune(ctx)
	return Begun{t, true, warnings}, nil
}

func isNotFound(err error) bool {
	var f *fault.Error
	return errors.As(err, &f) && f.Kind == fault.NotFound
}

// again is a turn that is begun a second time: for the same scope it is the same
// turn, for another one a mistake.
func (t *Turn) again(w *Workspace, o BeginOptions) (Begun, error) {
	if t.Ended {
		return Begun{}, fault.New(fault.Refused, codeTurnEnded, t.ID)
	}
	if !jsonvalue.Equal(t.View.Scope(), w.scope(o)) {
		return Begun{}, fault.New(fault.Conflict, codeTurnScope, t.ID)
	}
	return Begun{Turn: t}, nil
}

// scope is what Sources are told of where and for whom a View is composed.
func (w *Workspace) scope(o BeginOptions) *jsonvalue.Object {
	scope := jsonvalue.Of("storage", "workspace", "workspaceId", w.Root)
	for _, m := range [][2]string{{"sessionId", o.Session}, {"agentId", o.Agent}} {
		if m[1] != "" {
			scope.Set(m[0], m[1])
		}
	}
	return scope
}

// compose starts the workspace's plugins, has them composed, and stops them.
func (w *Workspace) compose(ctx context.Context, o BeginOptions) (*Turn, []Warning, error) {
	settings, warnings, err := w.Settings()
	if err != nil {
		return nil, nil, err
	}
	if o.StrategyTypeID != "" {
		settings.StrategyTypeID = o.StrategyTypeID
	}
	for key, place := range budgetPlaces(&settings.Budget) {
		if n, ok := o.Budget[key]; ok {
			*place = n
		}
	}
	now, more, err := w.present(settings)
	warnings = append(warnings, more...)
	if err != nil {
		return nil, nil, err
	}
	r, err := w.start(ctx, now)
	if err != nil {
		return nil, nil, err
	}
	defer r.stop(ctx)
	t := &Turn{ID: o.ID, Begun: w.Now(), Agent: o.Agent, Session: o.Session, Scenario: o.Scenario, Budget: settings.Budget, assembly: now, w: w}
	if t.dir, err = w.turnDir(o.ID); err != nil {
		return nil, nil, err
	}
	lease, err := r.core.Acquire("")
	if err != nil {
		return nil, nil, r.because(fault.New(fault.Refused, codeNoGeneration).Because(err))
	}
	defer lease.Release()
	request := jsonvalue.Of("scope", w.scope(o), "scenario", o.Scenario, "budget", settings.Budget.Object())
	if t.View, err = lease.Compose(ctx, request); err != nil {
		return nil, nil, r.because(operationFault(ctx, codeNoView, err))
	}
	return t, append(warnings, r.warnings()...), nil
}

// store writes a turn; it says no when there is one of this id.
func (t *Turn) store(ctx context.Context) (stored bool, err error) {
	err = t.dir.With(ctx, func(tx *filestore.Tx) error {
		if _, err := tx.Read(t.file(turnFile)); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		// The View first: a turn is there once its turn.json is.
		if err := tx.Replace(t.file(viewFile), []byte(jsonvalue.FormatIndent(t.View.Raw(), " ")+"\n")); err != nil {
			return err
		}
		stored = true
		return tx.Replace(t.file(turnFile), t.format())
	})
	return stored && err == nil, err
}

// keepTurns is how many released turns are kept to be looked at.
const keepTurns = 50

// prune removes the oldest released turns beyond those that are kept. What goes
// wrong is left for the next time.
func (w *Workspace) prune(ctx context.Context) {
	turns, _, err := w.heads()
	if err != nil || len(turns) <= keepTurns {
		return
	}
	released := 0
	for _, t := range turns {
		if !t.Ended {
			continue
		}
		if released++; released > keepTurns {
			_ = t.remove(ctx)
		}
	}
}

// remove takes a turn's files away, the one that makes it a turn first.
func (t *Turn) remove(ctx context.Context) error {
	return t.dir.With(ctx, func(tx *filestore.Tx) error {
		for _, name := range []string{turnFile, viewFile, ledgerFile} {
			if err := tx.Remove(t.file(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		return os.Remove(t.dir.Path(t.ID))
	})
}
