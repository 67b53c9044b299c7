package compose

import (
	"context"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// What the tests of the rules see beyond the public face.

var (
	NormalizeRequest = normalizeRequest
	Trim             = trim
)

// Registry is the registry with a listener that counts.
type Registry struct {
	r    *registry
	Told []int // the revisions it was told of
}

func NewRegistry() *Registry {
	out := &Registry{}
	out.r = newRegistry(func(_ context.Context, s *snapshot) { out.Told = append(out.Told, s.revision) })
	return out
}

// NewQuietRegistry is for many goroutines.
func NewQuietRegistry() *Registry {
	return &Registry{r: newRegistry(func(context.Context, *snapshot) {})}
}

func NewListenedRegistry(listen func(Snapshot)) *Registry {
	return &Registry{r: newRegistry(func(_ context.Context, s *snapshot) { listen(seen(s)) })}
}

func (r *Registry) Install(c Contribution, o InstallOptions) (remove func(), err error) {
	f, err := r.r.install(context.Background(), c, o)
	if err != nil {
		return nil, err
	}
	return func() { f(context.Background()) }, nil
}

// Snapshot is what is installed, by keys.
type Snapshot struct {
	Revision                                   int
	Sources, Strategies, Extensions, Plugins   []string
	EffectiveDigests, ArtifactDigests, Entries []string
}

func (r *Registry) Snapshot() Snapshot { return seen(r.r.snapshot()) }

func seen(s *snapshot) Snapshot {
	out := Snapshot{Revision: s.revision}
	for _, i := range s.sources {
		out.Sources = append(out.Sources, i.key)
		digest := "none"
		if i.effectiveDigest != "" {
			digest = i.effectiveDigest
		}
		out.EffectiveDigests = append(out.EffectiveDigests, digest)
		out.ArtifactDigests = append(out.ArtifactDigests, i.provenance.ArtifactDigest)
		out.Entries = append(out.Entries, i.provenance.EntryID)
	}
	for _, i := range s.strategies {
		out.Strategies = append(out.Strategies, i.key)
	}
	for _, i := range s.extensions {
		out.Extensions = append(out.Extensions, i.key)
	}
	for _, i := range s.plugins {
		out.Plugins = append(out.Plugins, i.key)
	}
	return out
}

// Evaluation is what a candidate of the present snapshot would come to.
type Evaluation struct {
	Strategy    string
	Extensions  []string
	Diagnostics []any
}

func (r *Registry) Evaluate(set Settings) (Evaluation, error) {
	var out Evaluation
	s := r.r.snapshot()
	if err := checkGraph(s); err != nil {
		return out, err
	}
	st, fallback, err := selectStrategy(s, set)
	if err != nil {
		return out, err
	}
	active, inactive, err := admitExtensions(s, st)
	if err != nil {
		return out, err
	}
	out.Strategy = st.key
	for _, e := range active {
		out.Extensions = append(out.Extensions, e.key)
	}
	for _, d := range append(fallback, inactive...) {
		out.Diagnostics = append(out.Diagnostics, d.value())
	}
	return out, nil
}

// Facts normalises facts of a Source of that manifest, under the key source:x,
// limits them if ceiling is not nil, and returns what a Strategy sees.
func Facts(def *SourceDefinition, raw any, ceiling []string) (*jsonvalue.Object, error) {
	src := &installedSource{key: "source:x", def: def}
	f, err := normalizeFacts(src, raw)
	if err != nil {
		return nil, err
	}
	if ceiling != nil {
		f.limit(ceiling)
	}
	return f.available(src), nil
}

// NoFacts is what a Strategy sees of a Source that gave none.
func NoFacts(def *SourceDefinition) *jsonvalue.Object {
	src := &installedSource{key: "source:x", def: def}
	return unavailableFacts(src).available(src)
}
