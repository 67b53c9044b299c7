package compose

import (
	"context"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// mounted is one runtime of a generation.
type mounted struct {
	installed *installedSource
	source    Source
	// ceiling is what the Host lets the Source do; capped says that there is one.
	ceiling       []string
	capped        bool
	configuration any
}

func (m *mounted) key() string               { return m.installed.key }
func (m *mounted) manifest() *SourceManifest { return m.installed.def.Manifest }

// offers asks a runtime for one of its optional faces.
func offers[T any](s Source, method string) (face T, ok bool) {
	if p, partial := s.(Partial); partial && !p.Offers(method) {
		return face, false
	}
	face, ok = s.(T)
	return face, ok
}

// complete says whether a factory's result can take part at all.
func complete(s Source) bool {
	if s == nil {
		return false
	}
	p, partial := s.(Partial)
	return !partial || p.Offers("facts") && p.Offers("project")
}

func (m *mounted) startFacts(ctx context.Context, r *Request) <-chan Answer {
	if s, ok := m.source.(Starter); ok {
		return s.StartFacts(ctx, r)
	}
	return async(func() (any, error) { return m.source.Facts(ctx, r) })
}

func (m *mounted) startProject(ctx context.Context, r *ProjectionRequest) <-chan Answer {
	if s, ok := m.source.(Starter); ok {
		return s.StartProject(ctx, r)
	}
	return async(func() (any, error) { return m.source.Project(ctx, r) })
}

// querying returns how to start a query, or nil if the Source has none.
func (m *mounted) querying() func(context.Context, *QueryRequest) <-chan Answer {
	if s, ok := offers[QueryStarter](m.source, "query"); ok {
		return s.StartQuery
	}
	s, ok := offers[Querier](m.source, "query")
	if !ok {
		return nil
	}
	return func(ctx context.Context, r *QueryRequest) <-chan Answer {
		return async(func() (any, error) { return s.Query(ctx, r) })
	}
}

// startDispose returns nil if there is nothing to dispose.
func (m *mounted) startDispose(ctx context.Context) <-chan error {
	if s, ok := offers[DisposeStarter](m.source, "dispose"); ok {
		return s.StartDispose(ctx)
	}
	s, ok := offers[Disposer](m.source, "dispose")
	if !ok {
		return nil
	}
	done := make(chan error, 1)
	answer := async(func() (any, error) { return nil, s.Dispose(context.Background()) })
	go func() { done <- (<-answer).Err }()
	return done
}

// Object is the provenance as Views and factories have it.
func (p Provenance) Object() *jsonvalue.Object {
	o := jsonvalue.Of("packageName", p.PackageName, "entryId", p.EntryID)
	if p.ArtifactDigest != "" {
		o.Set("artifactDigest", p.ArtifactDigest)
	}
	return o
}
