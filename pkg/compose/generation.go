package compose

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// generation is one assembly: the selected Strategy, a runtime of every Source
// and the extensions that take part.
type generation struct {
	id         string
	report     *jsonvalue.Object
	strategy   *installedStrategy
	extensions []*installedExtension // in the order of their keys
	sources    []*mounted            // in the order of installation
	now        func() time.Time
	outage     func(key, phase string, err error) // nil: nobody asks
	timeoutMs  int
}

// build makes the generation of a snapshot. When it fails, sources holds what
// was made until then.
func (g *generation) build(ctx context.Context, s *snapshot, settings Settings) error {
	if err := checkGraph(s); err != nil {
		return err
	}
	diagnostics, err := g.choose(s, settings)
	if err != nil {
		return err
	}
	g.now, g.outage = settings.Now, settings.Outage
	if g.timeoutMs, err = sourceTimeout(settings); err != nil {
		return err
	}
	for _, installed := range s.sources {
		if err := g.mount(ctx, installed, settings); err != nil {
			return err
		}
	}
	digest, err := jsonvalue.Digest(g.identity(s))
	if err != nil {
		return err
	}
	g.id = "generation:" + digest
	g.report = g.ready(s, diagnostics)
	return nil
}

func sourceTimeout(settings Settings) (int, error) {
	if settings.SourceTimeoutMs == nil {
		return 10_000, nil
	}
	return positiveInteger(*settings.SourceTimeoutMs, "memory Source timeoutMs", 300_000)
}

func (g *generation) limit() time.Duration { return time.Duration(g.timeoutMs) * time.Millisecond }

// mount makes the runtime of one Source.
func (g *generation) mount(ctx context.Context, installed *installedSource, settings Settings) error {
	m := &mounted{installed: installed}
	if err := m.ask(ctx, settings); err != nil {
		return err
	}
	tooLate := late(CodeCreateTimeout, "Source", installed.key)
	source, err := bounded(ctx, g.limit(), tooLate, func(ctx context.Context) (Source, error) {
		return installed.def.Create(ctx, SourceContext{installed.key, installed.provenance, m.configuration})
	})
	if err != nil {
		if tell := g.telling(installed.key, createPhase); tell != nil {
			tell(err) // its sentence does not say whose it is
		}
		return err
	}
	if !complete(source) {
		return fmt.Errorf("memory Source factory returned an invalid runtime: %s", installed.key)
	}
	m.source = source
	g.sources = append(g.sources, m)
	return nil
}

// ask asks the Host for the configuration and the ceiling of a Source.
func (m *mounted) ask(ctx context.Context, settings Settings) (err error) {
	info := SourceInfo{m.key(), m.manifest().Raw, m.installed.provenance}
	var configuration any
	if settings.SourceConfiguration != nil {
		if configuration, err = settings.SourceConfiguration(ctx, info); err != nil {
			return err
		}
	}
	if isNullish(configuration) {
		configuration = jsonvalue.Of()
	}
	if m.configuration, err = jsonvalue.Clone(configuration, "Source configuration"); err != nil {
		return err
	}
	if settings.SourceCapabilities != nil {
		m.ceiling, m.capped, err = settings.SourceCapabilities(ctx, info)
		m.ceiling = slices.Clone(m.ceiling)
	}
	return err
}

// choose selects the Strategy and the extensions of it. What it notes goes into
// the report.
func (g *generation) choose(s *snapshot, settings Settings) ([]diagnostic, error) {
	strategy, fallback, err := selectStrategy(s, settings)
	if err != nil {
		return nil, err
	}
	extensions, inactive, err := admitExtensions(s, strategy)
	g.strategy, g.extensions = strategy, extensions
	return append(fallback, inactive...), err
}

// identity is what the id of a generation is the digest of.
func (g *generation) identity(s *snapshot) *jsonvalue.Object {
	out := jsonvalue.Of(
		"contributionRevision", float64(s.revision),
		"sourceTimeoutMs", float64(g.timeoutMs),
		"strategy", part(g.strategy.key, g.strategy.def.Manifest.Raw, g.strategy.provenance),
	)
	if len(g.extensions) > 0 {
		extensions := make([]any, len(g.extensions))
		for i, e := range g.extensions {
			extensions[i] = part(e.key, e.def.Manifest.Raw, e.provenance)
		}
		out.Set("strategyExtensions", extensions)
	}
	sources := make([]any, len(g.sources))
	for i, m := range g.sources {
		sources[i] = m.identity()
	}
	out.Set("sources", sources)
	return out
}

func part(key string, manifest *jsonvalue.Object, p Provenance) *jsonvalue.Object {
	return jsonvalue.Of("instanceKey", key, "manifest", manifest, "provenance", p.Object())
}

func (m *mounted) identity() *jsonvalue.Object {
	out := part(m.key(), m.manifest().Raw, m.installed.provenance)
	var effective, permissions any
	if m.installed.effectiveDigest != "" {
		effective = m.installed.effectiveDigest
	}
	if m.capped {
		permissions = jsonvalue.Texts(m.ceiling)
	}
	out.Set("effectiveDigest", effective)
	out.Set("configuration", m.configuration)
	out.Set("permissions", permissions)
	return out
}

// ready is the evaluation of a generation that was built.
func (g *generation) ready(s *snapshot, diagnostics []diagnostic) *jsonvalue.Object {
	out := jsonvalue.Of(
		"state", "ready",
		"contributionRevision", float64(s.revision),
		"generationId", g.id,
		"strategyInstanceKey", g.strategy.key,
	)
	if len(g.extensions) > 0 {
		out.Set("strategyExtensionInstanceKeys", jsonvalue.Texts(g.extensionKeys()))
	}
	keys := []any{}
	for _, m := range g.sources {
		keys = append(keys, m.key())
	}
	out.Set("sourceInstanceKeys", keys)
	out.Set("diagnostics", diagnosticsRaw(diagnostics))
	return out
}

func (g *generation) extensionKeys() []string {
	keys := make([]string, len(g.extensions))
	for i, e := range g.extensions {
		keys[i] = e.key
	}
	return keys
}

// lacks says whether the snapshot misses a part that the generation uses.
func (g *generation) lacks(s *snapshot) bool {
	there := map[string]bool{}
	for _, source := range s.sources {
		there[source.key] = true
	}
	for _, strategy := range s.strategies {
		there[strategy.key] = true
	}
	for _, extension := range s.extensions {
		there[extension.key] = true
	}
	uses := append(g.extensionKeys(), g.strategy.key)
	for _, m := range g.sources {
		uses = append(uses, m.key())
	}
	return slices.ContainsFunc(uses, func(key string) bool { return !there[key] })
}

func (g *generation) source(key string) *mounted {
	i := slices.IndexFunc(g.sources, func(m *mounted) bool { return m.key() == key })
	if i < 0 {
		return nil
	}
	return g.sources[i]
}

func (g *generation) closed() error {
	return errors.New("memory runtime generation is disposed: " + g.id)
}

// dispose ends the runtimes, last made first and one after the other, and then
// calls done. It starts on the caller's goroutine; when a runtime takes its
// time, the rest happens on another.
func (g *generation) dispose(ctx context.Context, done func(error)) {
	g.disposeRest(ctx, g.sources, nil, done)
}

func (g *generation) disposeRest(ctx context.Context, rest []*mounted, failures []error, done func(error)) {
	for len(rest) > 0 {
		last := rest[len(rest)-1]
		rest = rest[:len(rest)-1]
		ended := last.startDispose(ctx)
		if ended == nil {
			continue
		}
		select {
		case err := <-ended:
			failures = appendError(failures, err)
		default:
			go func() {
				err := <-ended
				g.disposeRest(context.Background(), rest, appendError(failures, err), done)
			}()
			return
		}
	}
	done(g.disposalError(failures))
}

func appendError(list []error, err error) []error {
	if err == nil {
		return list
	}
	return append(list, err)
}

// disposalError says which generation failed to end. A candidate that was not
// built has no name.
func (g *generation) disposalError(failures []error) error {
	if len(failures) == 0 {
		return nil
	}
	message := "memory generation disposal failed"
	if g.id != "" {
		message += ": " + g.id
	}
	return &AggregateError{message, failures}
}
