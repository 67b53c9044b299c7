package compose

import (
	"context"
	"time"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// Settings are what a Host decides for a Core.
type Settings struct {
	Now                 func() time.Time
	SourceTimeoutMs     *float64 // nil: 10000; checked when a generation is built
	StrategyInstanceKey string
	StrategyTypeID      string
	StrategyFallback    string // "sole-strategy" or empty
	// SourceConfiguration and SourceCapabilities are asked for each Source of a
	// candidate; both may be nil. No ceiling is said by ok == false.
	SourceConfiguration func(ctx context.Context, s SourceInfo) (any, error)
	SourceCapabilities  func(ctx context.Context, s SourceInfo) (capabilities []string, ok bool, err error)
}

// SourceInfo is what a Host is told of an installed Source.
type SourceInfo struct {
	InstanceKey string
	Manifest    *jsonvalue.Object
	Provenance  Provenance
}

// Contribution is what one plugin installs as one batch.
type Contribution struct {
	Plugin     any // the descriptor as JSON, nil: none
	Sources    []*SourceDefinition
	Strategies []*StrategyDefinition
	Extensions []*ExtensionDefinition
}

// InstallOptions name the Entry. Nil digests are absent.
type InstallOptions struct {
	InstanceID                      string
	ArtifactDigest, EffectiveDigest any
}

// Core compiles Views. Its methods may be called from any goroutine.
type Core struct{}

// New returns an empty Core.
func New(settings Settings) *Core { panic("not built") }

// Install adds a batch or, on an error, nothing. The returned function takes it
// back; it is idempotent. Generations are rebuilt before either returns, on the
// caller's goroutine, unless a rebuild is under way or inside Batch: then the
// rebuild under way, or the end of the outermost Batch, does it.
func (c *Core) Install(ctx context.Context, contribution Contribution, o InstallOptions) (remove func(ctx context.Context), err error) {
	panic("not built")
}

// Batch postpones the rebuild of generations to its end.
func (c *Core) Batch(ctx context.Context, f func() error) error { panic("not built") }

// Inspect is the report of spec/mnemon.md 3.17.
func (c *Core) Inspect() *jsonvalue.Object { panic("not built") }

// Acquire leases the serving generation (id empty), or a serving or draining one.
func (c *Core) Acquire(id string) (*Lease, error) { panic("not built") }

// Close drains all generations and waits for their disposal.
func (c *Core) Close(ctx context.Context) error { panic("not built") }

// Lease keeps a generation alive. Release is idempotent.
type Lease struct{}

func (l *Lease) ID() string { panic("not built") }
func (l *Lease) Release()   { panic("not built") }

// Compose makes a View of the request (3.4).
func (l *Lease) Compose(ctx context.Context, request any) (*View, error) { panic("not built") }

// Execution is what the reads of one turn share: counters of calls and the
// Strategy's policy. Equal Views in two executions share nothing.
type Execution struct{}

// NewExecution returns a fresh execution with the budget of its turn.
func NewExecution(budget Budget) *Execution { panic("not built") }

// Route reads. bound says that the caller handed in a signal, which ctx stands for.
func (l *Lease) Route(ctx context.Context, view *View, e *Execution, id string, input any, bound bool) (any, error) {
	panic("not built")
}

// Authorize is asked for each write with the exact offer.
type Authorize func(ctx context.Context, offer *jsonvalue.Object) (bool, error)

// Action writes and returns the Receipt.
func (l *Lease) Action(ctx context.Context, view *View, id string, input any, authorize Authorize, bound bool) (any, error) {
	panic("not built")
}

// Catalog and Manage are the management channel.
func (l *Lease) Catalog(ctx context.Context, scope any) (any, error) { panic("not built") }
func (l *Lease) Manage(ctx context.Context, request any, bound bool) (any, error) {
	panic("not built")
}

// View is the immutable result of one composition.
type View struct{ raw *jsonvalue.Object }

// Raw is the View as JSON (3.12).
func (v *View) Raw() *jsonvalue.Object { return v.raw }
