package compose

import (
	"errors"
	"fmt"
	"slices"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

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
	if !isNullish(p.Plugin) && slices.ContainsFunc(s.plugins, func(i *installedPlugin) bool { return i.key == key }) {
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
	if isNullish(p.Plugin) {
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
