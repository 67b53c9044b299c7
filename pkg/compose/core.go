package compose

import (
	"context"
	"errors"
	"sync"
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
	// Outage is told what a Source itself said when its factory, its facts or its
	// projection failed (phase create, facts or project); nil tells nobody. It is for the logs of whoever runs the Source: it
	// may hold paths and secrets, which is why no View has it.
	Outage func(sourceInstanceKey, phase string, err error)
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

// Core compiles Views. Its methods may be called from any goroutine, and none
// holds a lock while code of a plugin runs.
type Core struct {
	registry *registry
	host     *host

	mu       sync.Mutex
	latest   *snapshot // not reconciled yet; nil: nothing to do
	batches  int       // how many Batch are open
	building bool
	closed   bool
}

// New returns an empty Core. Settings must have a clock.
func New(settings Settings) *Core {
	if settings.Now == nil {
		panic("compose: settings without a clock")
	}
	c := &Core{host: newHost(settings)}
	c.registry = newRegistry(c.changed)
	c.host.reconcile(context.Background(), c.registry.snapshot())
	return c
}

// Install adds a batch or, on an error, nothing. The returned function takes it
// back; it is idempotent. Generations are rebuilt before either returns, on the
// caller's goroutine, unless a rebuild is under way or inside Batch: then the
// rebuild under way, or the end of the outermost Batch, does it.
func (c *Core) Install(ctx context.Context, contribution Contribution, o InstallOptions) (remove func(ctx context.Context), err error) {
	c.mu.Lock()
	closed := c.closed
	c.mu.Unlock()
	if closed {
		return nil, errRuntimeDisposed()
	}
	return c.registry.install(ctx, contribution, o)
}

func errRuntimeDisposed() error { return errors.New("Memory Runtime is disposed") }

// changed is told of every snapshot of the registry.
func (c *Core) changed(ctx context.Context, s *snapshot) {
	c.mu.Lock()
	if c.latest == nil || c.latest.revision < s.revision {
		c.latest = s
	}
	c.mu.Unlock()
	c.rebuild(ctx)
}

// rebuild reconciles until nothing is left to do. Who comes while somebody else
// is at it leaves the work to them, be it another goroutine or a factory that
// installs something.
func (c *Core) rebuild(ctx context.Context) {
	ctx = context.WithoutCancel(ctx) // a half built assembly helps nobody
	for {
		s := c.begin()
		if s == nil {
			return
		}
		func() {
			defer c.end()
			c.host.reconcile(ctx, s)
		}()
	}
}

func (c *Core) begin() *snapshot {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.building || c.batches > 0 || c.latest == nil {
		return nil
	}
	s := c.latest
	c.latest = nil
	c.building = true
	return s
}

func (c *Core) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.building = false
}

// Batch postpones the rebuild of generations to its end. Batches may nest and
// overlap; the last to end rebuilds.
func (c *Core) Batch(ctx context.Context, f func() error) error {
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return errRuntimeDisposed()
	}
	c.batches++
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		c.batches--
		c.mu.Unlock()
		c.rebuild(ctx)
	}()
	return f()
}

// Inspect is the report of spec/mnemon.md 3.17.
func (c *Core) Inspect() *jsonvalue.Object { return c.host.inspect() }

// Acquire leases the serving generation (id empty), or a serving or draining one.
func (c *Core) Acquire(id string) (*Lease, error) {
	r, err := c.host.acquire(id)
	if err != nil {
		return nil, err
	}
	return &Lease{host: c.host, record: r}, nil
}

// Idle waits until no rebuild and no disposal is under way.
func (c *Core) Idle(ctx context.Context) error { return c.host.idle(ctx) }

// Close refuses what comes next, drains all generations and waits for their
// disposal. What failed there is an AggregateError. Close may be called again,
// also when ctx had ended first.
func (c *Core) Close(ctx context.Context) error {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	return c.host.close(ctx)
}
