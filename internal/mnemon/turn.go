package mnemon

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/dshkit/dshkit/internal/mnemon/ledger"
	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/filestore"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// The codes of turns, each with its English sentence.
const (
	codeNoTurn     = "turn-unknown"  // there is no turn %q
	codeNoOpenTurn = "turn-none"     // no turn is open
	codeTurnID     = "turn-bad-id"   // bad turn id %q: want at most 128 letters, digits and . _ -
	codeTurnEnded  = "turn-released" // the turn %q was released
	codeTurnFile   = "turn-damaged"  // the turn %q is damaged
	codeTurnScope  = "turn-bound"    // the turn %q is bound to another scope
)

// The files of a turn, below turns/ID.
const (
	turnFile   = "turn.json" // how it was begun
	viewFile   = "view.json" // the View
	ledgerFile = "ledger.jsonl"
)

// Turn is a View that was begun, and what it was begun with.
type Turn struct {
	ID       string
	Begun    time.Time
	Agent    string
	Session  string
	Scenario string
	Budget   compose.Budget
	View     *compose.View
	Ended    bool

	assembly recorded
	w        *Workspace
	dir      *filestore.Dir
}

// recorded is the assembly of a turn: what later processes start.
type recorded struct {
	entries         []recordedEntry
	strategyTypeID  string
	sourceTimeoutMs *float64
}

// recordedEntry is an Entry with the digest of its code.
type recordedEntry struct {
	id, name, digest string
	config           *jsonvalue.Object
}

// turnIDs are what a harness may name a turn.
var turnIDs = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[a-zA-Z0-9_][a-zA-Z0-9._-]{0,127}$`)
})

// turnDir is the folder of all turns, under the lock of this one. Turns come and
// go, a lock file never goes: they share a fixed number of them.
func (w *Workspace) turnDir(id string) (*filestore.Dir, error) {
	if !turnIDs().MatchString(id) {
		return nil, fault.New(fault.Usage, codeTurnID, id)
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(id))
	return filestore.Open(w.dir.Path(turnFolder), filestore.Options{
		// The lock of a turn is held for a whole operation, which asks plugins:
		// nobody else waits for it but the next operation of the same turn.
		LockName: fmt.Sprintf(".lock-%02x", h.Sum32()%turnLocks), Wait: turnWait,
		Private: []string{"."}, Confined: true, Within: w.Root, DryRun: w.DryRun, Now: w.Now,
	}), nil
}

// turnLocks is how many lock files the turns share.
const turnLocks = 64

// file is the name of a file of the turn in the folder of all.
func (t *Turn) file(name string) string { return t.ID + "/" + name }

// turnWait is how long an operation waits for the one before it.
const turnWait = 30 * time.Second

// Turn returns a turn; "" is the open one that was begun last.
func (w *Workspace) Turn(id string) (*Turn, error) {
	if id == "" {
		return w.currentTurn()
	}
	return w.loadTurn(id)
}

func (w *Workspace) loadTurn(id string) (*Turn, error) {
	t, err := w.loadHead(id)
	if err != nil {
		return nil, err
	}
	if err := t.loadView(); err != nil {
		return nil, err
	}
	return t, nil
}

// loadHead reads a turn without its View, which is most of it.
func (w *Workspace) loadHead(id string) (*Turn, error) {
	dir, err := w.turnDir(id)
	if err != nil {
		return nil, err
	}
	t := &Turn{ID: id, w: w, dir: dir}
	data, err := dir.Read(t.file(turnFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fault.New(fault.NotFound, codeNoTurn, id)
	}
	if err != nil {
		return nil, err
	}
	if err := t.parse(data); err != nil {
		return nil, inFile(dir.Path(t.file(turnFile)), err)
	}
	l, err := t.ledger()
	if err != nil {
		return nil, err
	}
	t.Ended = l.Ended
	return t, nil
}

func (t *Turn) loadView() error {
	data, err := t.dir.Read(t.file(viewFile))
	if errors.Is(err, fs.ErrNotExist) { // it is written before the file that makes a turn
		return fault.New(fault.Damaged, codeTurnFile, t.ID).Because(err)
	}
	if err != nil {
		return inFile(t.dir.Path(t.file(viewFile)), err)
	}
	raw, err := jsonvalue.Parse(data)
	if err == nil {
		t.View, err = compose.ParseView(raw)
	}
	if err != nil {
		return inFile(t.dir.Path(t.file(viewFile)), fault.New(fault.Damaged, codeTurnFile, t.ID).Because(err))
	}
	return nil
}

// ledger reads what happened in the turn so far.
func (t *Turn) ledger() (*ledger.Ledger, error) {
	data, err := readOptional(t.dir, t.file(ledgerFile))
	if err != nil {
		return nil, err
	}
	l, err := ledger.Parse(data)
	if err != nil {
		return nil, inFile(t.dir.Path(t.file(ledgerFile)), err)
	}
	return l, nil
}

// Turns lists the turns, the last begun first. What cannot be read is left out
// and returned as errors.
func (w *Workspace) Turns() ([]*Turn, []error, error) {
	heads, broken, err := w.heads()
	if err != nil {
		return nil, nil, err
	}
	var turns []*Turn
	for _, t := range heads {
		if err := t.loadView(); err != nil {
			broken = append(broken, err)
			continue
		}
		turns = append(turns, t)
	}
	return turns, broken, nil
}

// heads is Turns without their Views.
func (w *Workspace) heads() ([]*Turn, []error, error) {
	names, err := w.dir.List(turnFolder)
	if err != nil {
		return nil, nil, err
	}
	var turns []*Turn
	var broken []error
	for _, name := range names {
		id, isFolder := strings.CutSuffix(name, "/")
		if !isFolder {
			continue
		}
		t, err := w.loadHead(id)
		if isNotFound(err) {
			continue // about to be begun, or gone
		}
		if err != nil {
			broken = append(broken, err)
			continue
		}
		turns = append(turns, t)
	}
	slices.SortStableFunc(turns, func(a, b *Turn) int {
		if c := b.Begun.Compare(a.Begun); c != 0 {
			return c
		}
		return strings.Compare(b.ID, a.ID)
	})
	return turns, broken, nil
}

func (w *Workspace) currentTurn() (*Turn, error) {
	turns, _, err := w.heads()
	if err != nil {
		return nil, err
	}
	for _, t := range turns {
		if !t.Ended && t.loadView() == nil {
			return t, nil
		}
	}
	return nil, fault.New(fault.NotFound, codeNoOpenTurn)
}

// End releases the turn. It reports whether it was open.
func (t *Turn) End(ctx context.Context) (bool, error) {
	open := false
	err := t.dir.With(ctx, func(*filestore.Tx) error {
		l, err := t.ledger()
		if err != nil || l.Ended {
			return err
		}
		open = true
		return t.note(ledger.Event{Kind: ledger.End, At: stamp(t.w.Now())})
	})
	return open, err
}

// note adds an event to the ledger. The caller holds the turn's lock.
func (t *Turn) note(e ledger.Event) error {
	return t.dir.AppendLog(t.file(ledgerFile), e.Format(), filestore.Durable)
}

func stamp(t time.Time) string { return t.Format(time.RFC3339Nano) }

// Wake is what a prompt gets of the turn (spec/mnemon.md 12.2).
func (t *Turn) Wake() *jsonvalue.Object { return compose.Wake(t.View, compose.Bindings{}) }
