package host

import (
	"context"

	"github.com/dshkit/dshkit/internal/cordis/inspect"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// The events of queries to the Client (spec/cordis.md 5.3).
const (
	eventQuery    = "cordis/inspect-query"
	eventAnswered = "cordis/inspect-query-resolved"
)

// InspectList is the providers of cordis_inspect_list, as JSON.
func (s *Session) InspectList() []any {
	s.host.mu.Lock()
	defer s.host.mu.Unlock()
	return s.host.inspect.List()
}

// InspectQuery asks a provider and returns its data. One of the Client is waited
// for until ctx ends.
func (s *Session) InspectQuery(ctx context.Context, q inspect.Question) (any, error) {
	if err := context.Cause(ctx); err != nil {
		return nil, cancelled(err)
	}
	if q.Platform == inspect.Client {
		return s.askPages(ctx, q)
	}
	h := s.host
	h.mu.Lock()
	err := h.inspect.Check(q)
	h.mu.Unlock()
	if err != nil {
		return nil, err
	}
	data, err := q.Answer(h.catalog, h.listTools())
	if err != nil {
		return nil, err
	}
	if err := context.Cause(ctx); err != nil {
		return nil, cancelled(err)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return data, h.inspect.CheckAnswer(q, data)
}

// cancelled has the code that a run has which was given up.
func cancelled(why error) error {
	return fault.New(fault.Timeout, "cancelled", "the query was cancelled").Because(why)
}

// askPages broadcasts a query and waits for the answer that counts.
func (s *Session) askPages(ctx context.Context, q inspect.Question) (any, error) {
	h := s.host
	h.mu.Lock()
	query, err := h.inspect.Ask(string(s.id), q)
	if err != nil {
		h.mu.Unlock()
		return nil, err
	}
	answer := make(chan any, 1)
	h.queries[query.ID] = answer
	h.tell(eventQuery, query.Show())
	h.mu.Unlock()
	select {
	case data := <-answer:
		return data, nil
	case <-ctx.Done():
		h.dropQuery(query.ID)
		return nil, cancelled(context.Cause(ctx))
	case <-h.ctx.Done():
		h.dropQuery(query.ID)
		return nil, context.Cause(h.ctx)
	}
}

// dropQuery closes a query that nobody waits for any more.
func (h *Host) dropQuery(id string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.queries, id)
	if h.inspect.Cancel(id) {
		h.tell(eventAnswered, jsonvalue.Of("requestId", id))
	}
}

// SyncManifest says which providers the page has.
func (p *Page) SyncManifest(manifests []inspect.Manifest) error {
	p.host.mu.Lock()
	defer p.host.mu.Unlock()
	return p.host.inspect.Sync(manifests)
}

// ResolveQuery answers a query of a Session to the Client.
func (p *Page) ResolveQuery(agent SessionID, id string, a inspect.Answer) (accepted bool) {
	h := p.host
	h.mu.Lock()
	defer h.mu.Unlock()
	if !p.serves(agent) || !h.inspect.Answer(string(agent), id, a) {
		return false
	}
	if answer := h.queries[id]; answer != nil {
		delete(h.queries, id)
		answer <- a.Data
	}
	h.tell(eventAnswered, jsonvalue.Of("requestId", id))
	return true
}
