package compose

import (
	"context"
	"sync"
)

// Lease keeps a generation alive. What its methods start holds the generation
// until it has ended, also when the lease is released meanwhile.
type Lease struct {
	host     *host
	record   *record
	released sync.Once
}

// ID is the id of the generation.
func (l *Lease) ID() string { return l.record.generation.id }

// Release ends the lease. It is idempotent, and does not wait for the disposal
// that it may start.
func (l *Lease) Release() { l.ReleaseContext(context.Background()) }

// ReleaseContext is Release for a caller who has a ctx that a DisposeStarter
// needs.
func (l *Lease) ReleaseContext(ctx context.Context) {
	l.released.Do(func() { l.host.release(ctx, l.record) })
}

// enter holds the generation for one operation.
func (l *Lease) enter() (leave func(), err error) {
	if err := l.host.hold(l.record); err != nil {
		return nil, err
	}
	return func() { l.host.release(context.Background(), l.record) }, nil
}

// ask calls plugin code for a caller who may stop waiting. The generation is held
// until that code is done, be that later than anybody waits.
func (l *Lease) ask(ctx context.Context, f func() (any, error)) (any, error) {
	leave, err := l.enter()
	if err != nil {
		return nil, err
	}
	return patient(ctx, l.record.generation.limit(), async(func() (any, error) {
		defer leave() // before the answer is heard: who hears it may release the rest
		return f()
	}))
}

// Compose makes a View of the request (3.4).
func (l *Lease) Compose(ctx context.Context, request any) (*View, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	leave, err := l.enter()
	if err != nil {
		return nil, err
	}
	defer leave()
	return l.record.generation.compose(ctx, request)
}
