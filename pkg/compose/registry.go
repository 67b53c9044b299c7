package compose

import (
	"context"
	"sync"
)

// registry holds the definitions that are installed. Each change makes a new
// snapshot and tells of it, after the change and without holding the lock: the
// listener may install and remove. Changes of several goroutines may be told of
// in another order than they happened; the revision says which is the latest.
type registry struct {
	notify func(ctx context.Context, s *snapshot)

	mu  sync.Mutex
	now *snapshot
}

func newRegistry(notify func(ctx context.Context, s *snapshot)) *registry {
	return &registry{notify: notify, now: &snapshot{}}
}

func (r *registry) snapshot() *snapshot {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.now
}

// install adds the batch as a whole, or nothing. All definitions are validated
// again, so one that was put together by hand is as good as a defined one.
func (r *registry) install(ctx context.Context, c Contribution, o InstallOptions) (remove func(ctx context.Context), err error) {
	b, next, err := r.add(c, o)
	if err != nil {
		return nil, err
	}
	r.notify(ctx, next)
	return r.removal(b), nil
}

func (r *registry) add(c Contribution, o InstallOptions) (*snapshot, *snapshot, error) {
	p, err := prepare(c, o)
	if err != nil {
		return nil, nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := p.vacant(r.now); err != nil {
		return nil, nil, err
	}
	b, err := p.capture()
	if err != nil {
		return nil, nil, err
	}
	next := r.now.with(b)
	if err := next.check(); err != nil {
		return nil, nil, err
	}
	r.now = next
	return b, next, nil
}

// removal returns the function that takes the batch back, once.
func (r *registry) removal(b *snapshot) func(ctx context.Context) {
	var once sync.Once
	return func(ctx context.Context) {
		once.Do(func() {
			r.mu.Lock()
			r.now = r.now.without(b)
			now := r.now
			r.mu.Unlock()
			r.notify(ctx, now)
		})
	}
}
