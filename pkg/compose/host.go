package compose

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// record is a generation that serves, or that drains until its last lease ends.
type record struct {
	generation *generation
	leases     int
	draining   bool
	gone       bool // handed to disposal
}

// disposal is the end of one generation.
type disposal struct{ err error }

// host leads generations from candidate over serving and draining to disposal.
// Its lock is never held while plugin code runs.
type host struct {
	settings Settings

	mu         sync.Mutex
	records    []*record // in the order they began to serve
	serving    *record
	evaluation *jsonvalue.Object
	closed     bool
	busy       int           // builds and disposals under way
	disposals  []*disposal   // under way or failed, in the order they began
	changed    chan struct{} // closed when any of the above changes
}

func newHost(settings Settings) *host {
	return &host{settings: settings, changed: make(chan struct{})}
}

// change runs f under the lock and wakes whoever waits.
func (h *host) change(f func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	f()
	close(h.changed)
	h.changed = make(chan struct{})
}

// await waits until the condition holds, which is asked under the lock.
func (h *host) await(ctx context.Context, condition func() bool) error {
	for {
		h.mu.Lock()
		done, changed := condition(), h.changed
		h.mu.Unlock()
		if done {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// reconcile builds a generation of the snapshot and lets it serve. If it cannot
// be built the present one goes on, unless the snapshot lacks a part of it: what
// was removed is never used again.
func (h *host) reconcile(ctx context.Context, s *snapshot) {
	closed := false
	h.change(func() {
		closed = h.closed
		h.busy++
	})
	defer h.change(func() { h.busy-- })
	if closed {
		return
	}
	if missing := missingParts(s); len(missing) > 0 {
		h.refuse(ctx, s, report("incomplete", s, missing))
		return
	}
	g := &generation{}
	if err := g.build(ctx, s, h.settings); err != nil {
		h.discard(ctx, g)
		h.refuse(ctx, s, report("rejected", s, []diagnostic{{code: "composition-rejected", message: err.Error()}}))
		return
	}
	h.serve(ctx, g)
}

func missingParts(s *snapshot) []diagnostic {
	var missing []diagnostic
	if len(s.sources) == 0 {
		missing = append(missing, diagnostic{code: "missing-source", message: "No Memory Source contribution is installed."})
	}
	if len(s.strategies) == 0 {
		missing = append(missing, diagnostic{code: "missing-strategy", message: "No Memory Strategy contribution is installed."})
	}
	return missing
}

func (h *host) refuse(ctx context.Context, s *snapshot, evaluation *jsonvalue.Object) {
	var retired *record
	h.change(func() {
		h.evaluation = evaluation
		if h.serving != nil && h.serving.generation.lacks(s) {
			retired = h.retire(h.serving)
			h.serving = nil
		}
	})
	h.dispose(ctx, retired)
}

// serve puts the candidate in place of what serves. The same generation built
// again is thrown away in favour of the one there is.
func (h *host) serve(ctx context.Context, g *generation) {
	var retired *record
	superfluous := false
	h.change(func() {
		if superfluous = h.closed; superfluous {
			return
		}
		previous := h.serving
		i := slices.IndexFunc(h.records, func(r *record) bool { return r.generation.id == g.id })
		if superfluous = i >= 0; !superfluous {
			i = len(h.records)
			h.records = append(h.records, &record{generation: g})
		}
		h.serving = h.records[i]
		h.serving.draining = false
		h.evaluation = h.serving.generation.report
		if previous != nil && previous != h.serving {
			retired = h.retire(previous)
		}
	})
	if superfluous {
		h.discard(ctx, g)
	}
	h.dispose(ctx, retired)
}

// retire lets a record drain. It returns the record if it is to be disposed now.
func (h *host) retire(r *record) *record {
	r.draining = true
	return h.collect(r)
}

// collect takes out a drained record that nobody leases, and returns it.
func (h *host) collect(r *record) *record {
	if !r.draining || r.leases > 0 || r.gone {
		return nil
	}
	r.gone = true
	h.busy++
	h.records = slices.DeleteFunc(h.records, func(other *record) bool { return other == r })
	return r
}

// acquire leases the serving generation, or the one with the id.
func (h *host) acquire(id string) (*record, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, errors.New("memory generation host is disposed")
	}
	r := h.serving
	if id != "" {
		r = nil
		if i := slices.IndexFunc(h.records, func(r *record) bool { return r.generation.id == id }); i >= 0 {
			r = h.records[i]
		}
	}
	if r == nil {
		return nil, h.unavailable()
	}
	r.leases++
	return r, nil
}

func (h *host) unavailable() error {
	message := "no Serving memory generation is available"
	var reasons []string
	diagnostics, _ := h.evaluation.Array("diagnostics")
	for _, d := range diagnostics {
		o, _ := jsonvalue.Map(d)
		reason, _ := o.Text("message")
		reasons = append(reasons, reason)
	}
	if reason := strings.Join(reasons, "; "); reason != "" {
		message += ": " + reason
	}
	return &Error{Code: CodeUnavailable, Message: message}
}

// hold adds a lease to a record that somebody holds. It fails once the record
// is disposed.
func (h *host) hold(r *record) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if r.gone {
		return r.generation.closed()
	}
	r.leases++
	return nil
}

// release takes a lease back.
func (h *host) release(ctx context.Context, r *record) {
	var drained *record
	h.change(func() {
		r.leases--
		drained = h.collect(r)
	})
	h.dispose(ctx, drained)
}

// dispose ends what collect returned.
func (h *host) dispose(ctx context.Context, r *record) {
	if r != nil {
		h.end(ctx, r.generation)
	}
}

// discard ends the runtimes of a candidate that never served.
func (h *host) discard(ctx context.Context, g *generation) {
	h.change(func() { h.busy++ })
	h.end(ctx, g)
}

// end disposes the runtimes of a generation that counts as busy. What fails has
// its place among the failures by when it began.
func (h *host) end(ctx context.Context, g *generation) {
	d := &disposal{}
	h.change(func() { h.disposals = append(h.disposals, d) })
	g.dispose(ctx, func(err error) {
		h.change(func() {
			h.busy--
			if d.err = err; err == nil {
				h.disposals = slices.DeleteFunc(h.disposals, func(other *disposal) bool { return other == d })
			}
		})
	})
}

func (h *host) inspect() *jsonvalue.Object {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := jsonvalue.Of()
	if h.serving != nil {
		out.Set("servingGenerationId", h.serving.generation.id)
	}
	draining := []any{}
	for _, r := range h.records {
		if r.draining {
			draining = append(draining, r.generation.id)
		}
	}
	out.Set("drainingGenerationIds", draining)
	out.Set("evaluation", h.evaluation)
	return out
}

// idle waits until no build and no disposal is under way.
func (h *host) idle(ctx context.Context) error {
	return h.await(ctx, func() bool { return h.busy == 0 })
}

// close lets everything drain and waits for it. Called again it waits as well,
// and says the same.
func (h *host) close(ctx context.Context) error {
	var drained []*record
	h.change(func() {
		if h.closed {
			return
		}
		h.closed = true
		h.serving = nil
		for _, r := range slices.Clone(h.records) {
			if r = h.retire(r); r != nil {
				drained = append(drained, r)
			}
		}
	})
	for _, r := range drained {
		h.dispose(ctx, r)
	}
	if err := h.await(ctx, func() bool { return h.busy == 0 && len(h.records) == 0 }); err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	var failed []error
	for _, d := range h.disposals {
		failed = append(failed, d.err)
	}
	if len(failed) == 0 {
		return nil
	}
	return &AggregateError{"memory generation host disposal failed", failed}
}

// report is an evaluation without a generation.
func report(state string, s *snapshot, diagnostics []diagnostic) *jsonvalue.Object {
	keys := []any{}
	for _, source := range s.sources {
		keys = append(keys, source.key)
	}
	return jsonvalue.Of("state", state, "contributionRevision", float64(s.revision),
		"sourceInstanceKeys", keys, "diagnostics", diagnosticsRaw(diagnostics))
}
