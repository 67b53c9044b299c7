package compose

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

type installedSource struct {
	key             string
	provenance      Provenance
	def             *SourceDefinition
	effectiveDigest string
	hasEffective    bool
}

type installedStrategy struct {
	key        string
	provenance Provenance
	def        *StrategyDefinition
}

type installedExtension struct {
	key        string
	provenance Provenance
	def        *ExtensionDefinition
}

type installedPlugin struct {
	key        string
	provenance Provenance
	def        *descriptor
}

// A snapshot is everything that is installed at one revision. It is never
// changed. Sources and Strategies stand in the order of their installation,
// extensions and plugins in that of their keys.
type snapshot struct {
	revision   int
	sources    []*installedSource
	strategies []*installedStrategy
	extensions []*installedExtension
	plugins    []*installedPlugin
}

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

func (s *snapshot) with(b *snapshot) *snapshot {
	next := &snapshot{
		revision:   s.revision + 1,
		sources:    slices.Concat(s.sources, b.sources),
		strategies: slices.Concat(s.strategies, b.strategies),
		extensions: slices.Concat(s.extensions, b.extensions),
		plugins:    slices.Concat(s.plugins, b.plugins),
	}
	slices.SortStableFunc(next.extensions, func(a, b *installedExtension) int {
		return jsonvalue.CompareKeys(a.key, b.key)
	})
	slices.SortStableFunc(next.plugins, func(a, b *installedPlugin) int {
		return jsonvalue.CompareKeys(a.key, b.key)
	})
	return next
}

func (s *snapshot) without(b *snapshot) *snapshot {
	return &snapshot{
		revision:   s.revision + 1,
		sources:    less(s.sources, b.sources),
		strategies: less(s.strategies, b.strategies),
		extensions: less(s.extensions, b.extensions),
		plugins:    less(s.plugins, b.plugins),
	}
}

// less returns the items without those taken; the same pointers, not the same keys.
func less[T any](items, taken []*T) []*T {
	return slices.DeleteFunc(slices.Clone(items), func(item *T) bool { return slices.Contains(taken, item) })
}

// check looks at what concerns several contributions at once.
func (s *snapshot) check() error {
	if err := s.checkSlots(); err != nil {
		return err
	}
	if err := s.checkKeys(); err != nil {
		return err
	}
	return s.checkPlugins()
}

// checkSlots gives each slot of a Strategy one owner. An extension for any
// Strategy owns its slot in all of them, also in those that are not installed.
func (s *snapshot) checkSlots() error {
	for i, e := range s.extensions {
		m := e.def.Manifest
		for _, earlier := range s.extensions[:i] {
			o := earlier.def.Manifest
			if o.Slot != m.Slot || o.StrategyTypeID != m.StrategyTypeID && o.StrategyTypeID != anyOne && m.StrategyTypeID != anyOne {
				continue
			}
			return fmt.Errorf("memory Strategy extension slot conflict: %s/%s (%s, %s)",
				m.StrategyTypeID, m.Slot, earlier.key, e.key)
		}
	}
	return nil
}

// checkKeys finds two of a kind with one type in one batch.
func (s *snapshot) checkKeys() error {
	seen := map[string]bool{}
	for _, key := range s.keys() {
		if seen[key] {
			return fmt.Errorf("memory contribution instanceKey is duplicated: %s", key)
		}
		seen[key] = true
	}
	return nil
}

func (s *snapshot) keys() []string {
	var keys []string
	for _, i := range s.sources {
		keys = append(keys, i.key)
	}
	for _, i := range s.strategies {
		keys = append(keys, i.key)
	}
	for _, i := range s.extensions {
		keys = append(keys, i.key)
	}
	return keys
}

// checkPlugins holds each descriptor against what its Entry contributes.
func (s *snapshot) checkPlugins() error {
	owned := s.byEntry()
	for _, p := range s.plugins {
		items := owned[p.provenance.EntryID]
		if len(items) == 0 {
			return fmt.Errorf("memory plugin descriptor has no contribution: %s", p.key)
		}
		if slices.ContainsFunc(items, func(o ownedItem) bool { return o.packageName != p.def.packageName }) {
			return fmt.Errorf("memory plugin descriptor package does not match an owned contribution: %s", p.key)
		}
		for _, o := range items {
			if !slices.Contains(p.def.roles, o.role) {
				return fmt.Errorf("memory plugin descriptor does not declare active role: %s (%s)", o.role, p.key)
			}
		}
	}
	return nil
}

// ownedItem is what a descriptor has to agree with.
type ownedItem struct{ role, packageName string }

func (s *snapshot) byEntry() map[string][]ownedItem {
	owned := map[string][]ownedItem{}
	add := func(role string, p Provenance) {
		owned[p.EntryID] = append(owned[p.EntryID], ownedItem{role, p.PackageName})
	}
	for _, i := range s.sources {
		add("source", i.provenance)
	}
	for _, i := range s.strategies {
		add("strategy", i.provenance)
	}
	for _, i := range s.extensions {
		add("strategy-extension", i.provenance)
	}
	return owned
}

// prepared is a batch with its keys, before it is validated.
type prepared struct {
	Contribution
	options    InstallOptions
	entryID    string
	sources    []string
	strategies []string
	extensions []string
}

func prepare(c Contribution, o InstallOptions) (*prepared, error) {
	p := &prepared{Contribution: c, options: o, entryID: trim(o.InstanceID)}
	if p.entryID == "" {
		return nil, errors.New("installMemory requires a stable Loader Entry id")
	}
	for _, d := range c.Sources {
		p.sources = append(p.sources, p.keyOf("source", rawSource(d), len(c.Sources)))
	}
	for _, d := range c.Strategies {
		p.strategies = append(p.strategies, p.keyOf("strategy", rawStrategy(d), len(c.Strategies)))
	}
	for _, d := range c.Extensions {
		p.extensions = append(p.extensions, p.keyOf("strategy-extension", rawExtension(d), len(c.Extensions)))
	}
	if len(c.Sources)+len(c.Strategies)+len(c.Extensions) == 0 {
		return nil, errors.New("installMemory requires one Source, Strategy or Strategy extension contribution")
	}
	return p, nil
}

// keyOf returns the key of a contribution. Its type is part of it only if the
// batch has several of the kind.
func (p *prepared) keyOf(kind string, raw *jsonvalue.Object, count int) string {
	key := kind + ":" + p.entryID
	if count > 1 {
		key += "/" + printed(member(raw, "typeId"))
	}
	return key
}

func rawSource(d *SourceDefinition) *jsonvalue.Object {
	if d == nil || d.Manifest == nil {
		return nil
	}
	return d.Manifest.Raw
}

func rawStrategy(d *StrategyDefinition) *jsonvalue.Object {
	if d == nil || d.Manifest == nil {
		return nil
	}
	return d.Manifest.Raw
}

func rawExtension(d *ExtensionDefinition) *jsonvalue.Object {
	if d == nil || d.Manifest == nil {
		return nil
	}
	return d.Manifest.Raw
}

// vacant says whether none of the keys is taken.
func (p *prepared) vacant(s *snapshot) error {
	for _, key := range p.sources {
		if slices.ContainsFunc(s.sources, func(i *installedSource) bool { return i.key == key }) {
			return fmt.Errorf("memory Source instance is already installed: %s", key)
		}
	}
	for _, key := range p.strategies {
		if slices.ContainsFunc(s.strategies, func(i *installedStrategy) bool { return i.key == key }) {
			return fmt.Errorf("memory Strategy instance is already installed: %s", key)
		}
	}
	for _, key := range p.extensions {
		if slices.ContainsFunc(s.extensions, func(i *installedExtension) bool { return i.key == key }) {
			return fmt.Errorf("memory Strategy extension instance is already installed: %s", key)
		}
	}
	key := "plugin:" + p.entryID
	if p.Plugin != nil && slices.ContainsFunc(s.plugins, func(i *installedPlugin) bool { return i.key == key }) {
		return fmt.Errorf("memory plugin instance is already installed: %s", key)
	}
	return nil
}

// capture validates the batch. What it returns shares nothing that its author
// could still change.
func (p *prepared) capture() (*snapshot, error) {
	b := &snapshot{}
	for i, d := range p.Contribution.Sources {
		s, err := p.captureSource(d, p.sources[i])
		if err != nil {
			return nil, err
		}
		b.sources = append(b.sources, s)
	}
	for i, d := range p.Contribution.Strategies {
		s, err := p.captureStrategy(d, p.strategies[i])
		if err != nil {
			return nil, err
		}
		b.strategies = append(b.strategies, s)
	}
	for i, d := range p.Contribution.Extensions {
		e, err := p.captureExtension(d, p.extensions[i])
		if err != nil {
			return nil, err
		}
		b.extensions = append(b.extensions, e)
	}
	if p.Plugin == nil || isUndefined(p.Plugin) {
		return b, nil
	}
	d, err := p.capturePlugin()
	if err != nil {
		return nil, err
	}
	b.plugins = append(b.plugins, d)
	return b, nil
}

func (p *prepared) captureSource(d *SourceDefinition, key string) (*installedSource, error) {
	if d == nil {
		return nil, errors.New("memory Source definition must be an object")
	}
	def, err := DefineSource(orNil(rawSource(d)), d.Create)
	if err != nil {
		return nil, err
	}
	s := &installedSource{def: def}
	if s.key, err = instanceKey(key, "source"); err != nil {
		return nil, err
	}
	if digest := p.options.EffectiveDigest; !isNullish(digest) {
		if s.effectiveDigest, err = requiredText(digest, "memory Source effective digest", 500); err != nil {
			return nil, err
		}
		s.hasEffective = true
	}
	s.provenance, err = p.provenance(def.Manifest.PackageName)
	return s, err
}

func (p *prepared) captureStrategy(d *StrategyDefinition, key string) (*installedStrategy, error) {
	if d == nil {
		return nil, errors.New("memory Strategy definition must be an object")
	}
	def, err := DefineStrategy(orNil(rawStrategy(d)), d.Strategy)
	if err != nil {
		return nil, err
	}
	s := &installedStrategy{def: def}
	if s.key, err = instanceKey(key, "strategy"); err != nil {
		return nil, err
	}
	s.provenance, err = p.provenance(def.Manifest.PackageName)
	return s, err
}

func (p *prepared) captureExtension(d *ExtensionDefinition, key string) (*installedExtension, error) {
	if d == nil {
		return nil, errors.New("memory Strategy extension definition must be an object")
	}
	def, err := DefineExtension(orNil(rawExtension(d)), d.Extension)
	if err != nil {
		return nil, err
	}
	e := &installedExtension{def: def}
	if e.key, err = instanceKey(key, "strategy-extension"); err != nil {
		return nil, err
	}
	e.provenance, err = p.provenance(def.Manifest.PackageName)
	return e, err
}

func (p *prepared) capturePlugin() (*installedPlugin, error) {
	def, err := definePlugin(p.Plugin)
	if err != nil {
		return nil, err
	}
	i := &installedPlugin{def: def}
	if i.key, err = pluginKey("plugin:" + p.entryID); err != nil {
		return nil, err
	}
	i.provenance, err = p.provenance(def.packageName)
	return i, err
}

func (p *prepared) provenance(packageName string) (Provenance, error) {
	out := Provenance{PackageName: packageName, EntryID: p.entryID}
	var err error
	if digest := p.options.ArtifactDigest; !isNullish(digest) {
		out.ArtifactDigest, err = requiredText(digest, "memory artifact digest", 500)
	}
	return out, err
}

// orNil keeps a missing manifest from being an object that is nil.
func orNil(o *jsonvalue.Object) any {
	if o == nil {
		return nil
	}
	return o
}
