package script

import (
	"context"
	"errors"
	"strconv"

	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

var undefined = jsonvalue.Foreign{Kind: jsonvalue.Undefined, Text: "undefined"}

// memory is the service mnemonMemory: one frozen object for each Core, with
// installContributions and nothing else.
func (k *kit) memory(core *compose.Core) (jsrun.Value, error) {
	if v, ok := k.cores[core]; ok {
		return v, nil
	}
	v, err := k.frozen("installContributions", k.function("installContributions", 2, func(args []jsrun.Value) (jsrun.Value, error) {
		return k.install(core, args[0], args[1])
	}))
	if err != nil {
		return nil, err
	}
	k.cores[core] = v
	return v, nil
}

// install runs on the runtime's own goroutine, so that factories of this
// runtime run at once while those of others are handed to theirs.
func (k *kit) install(core *compose.Core, contribution, options jsrun.Value) (jsrun.Value, error) {
	batch, err := k.contribution(contribution)
	if err != nil {
		return nil, err
	}
	o, err := k.options(options)
	if err != nil {
		return nil, err
	}
	remove, err := core.Install(k.vm.Context(), batch, o)
	if err != nil {
		return nil, err
	}
	k.installed = append(k.installed, remove)
	return k.function("remove", 0, func([]jsrun.Value) (jsrun.Value, error) {
		remove(k.vm.Context())
		return nil, nil
	}), nil
}

func (k *kit) options(v jsrun.Value) (o compose.InstallOptions, err error) {
	j, err := k.vm.ToJSON(v)
	if err != nil {
		return o, err
	}
	fields, _ := j.(*jsonvalue.Object)
	o.InstanceID, _ = fields.Text("instanceId")
	o.ArtifactDigest = present(fields, "artifactDigest")
	o.EffectiveDigest = present(fields, "effectiveDigest")
	return o, nil
}

// present is the member, or nil for one that is absent or undefined. Core takes
// nil for absent, so that false stands for null, which it is to refuse.
func present(o *jsonvalue.Object, key string) any {
	v, ok := o.Get(key)
	switch {
	case !ok || v == undefined:
		return nil
	case v == nil:
		return false
	}
	return v
}

// contribution reads what a plugin installs.
func (k *kit) contribution(v jsrun.Value) (out compose.Contribution, err error) {
	plugin, err := k.vm.Get(v, "plugin")
	if err != nil {
		return out, err
	}
	if !isUndefined(plugin) {
		if out.Plugin, err = k.vm.ToJSON(plugin); err != nil {
			return out, err
		}
	}
	if out.Sources, err = each(k, v, "sources", k.sourceDefinition); err != nil {
		return out, err
	}
	if out.Strategies, err = each(k, v, "strategies", k.strategyDefinition); err != nil {
		return out, err
	}
	out.Extensions, err = each(k, v, "strategyExtensions", k.extensionDefinition)
	return out, err
}

// each reads the definitions of a list, or those that Go made itself.
func each[D any](k *kit, v jsrun.Value, key string, read func(jsrun.Value) (*D, error)) ([]*D, error) {
	list, err := k.vm.Get(v, key)
	if err != nil {
		return nil, err
	}
	items, err := k.items(list)
	if err != nil {
		return nil, err
	}
	out := make([]*D, len(items))
	for i, item := range items {
		if o, ok := item.(*jsrun.Object); ok {
			if d, ok := k.native[o].(*D); ok {
				out[i] = d
				continue
			}
		}
		if out[i], err = read(item); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// items are the elements of an array; anything else has none.
func (k *kit) items(v jsrun.Value) ([]jsrun.Value, error) {
	o, ok := v.(*jsrun.Object)
	if !ok {
		return nil, nil
	}
	length, err := k.vm.Get(o, "length")
	if err != nil {
		return nil, err
	}
	out := make([]jsrun.Value, 0, length.ToInteger())
	for i := range cap(out) {
		item := o.Get(strconv.Itoa(i))
		if item == nil {
			item = k.undefined()
		}
		out = append(out, item)
	}
	return out, nil
}

// parts are a definition's manifest and the members that should be functions.
func (k *kit) parts(v jsrun.Value, names ...string) (manifest *jsonvalue.Object, functions []jsrun.Value, err error) {
	raw, err := k.vm.Get(v, "manifest")
	if err != nil {
		return nil, nil, err
	}
	j, err := k.vm.ToJSONAs(raw, manifestShape)
	if err != nil {
		return nil, nil, err
	}
	manifest, _ = j.(*jsonvalue.Object)
	for _, name := range names {
		f, err := k.vm.Get(v, name)
		if err != nil {
			return nil, nil, err
		}
		functions = append(functions, f)
	}
	return manifest, functions, nil
}

// What follows is not validated: Core does it, in its place among the checks of
// an installation.

func (k *kit) sourceDefinition(v jsrun.Value) (*compose.SourceDefinition, error) {
	manifest, f, err := k.parts(v, "create")
	if err != nil {
		return nil, err
	}
	d := &compose.SourceDefinition{Manifest: &compose.SourceManifest{Raw: manifest}}
	if k.vm.IsFunc(f[0]) {
		d.Create = k.factory(v, f[0])
	}
	return d, nil
}

func (k *kit) strategyDefinition(v jsrun.Value) (*compose.StrategyDefinition, error) {
	manifest, f, err := k.parts(v, "compose", "createTurn")
	if err != nil {
		return nil, err
	}
	d := &compose.StrategyDefinition{Manifest: &compose.StrategyManifest{Raw: manifest}}
	s := strategy{kit: k, definition: v, compose: f[0], turn: f[1]}
	switch {
	case !k.vm.IsFunc(f[0]):
	case isUndefined(f[1]):
		d.Strategy = s
	default:
		d.Strategy = turnStrategy{s}
	}
	return d, nil
}

func (k *kit) extensionDefinition(v jsrun.Value) (*compose.ExtensionDefinition, error) {
	manifest, f, err := k.parts(v, "contribute")
	if err != nil {
		return nil, err
	}
	d := &compose.ExtensionDefinition{Manifest: &compose.ExtensionManifest{Raw: manifest}}
	if k.vm.IsFunc(f[0]) {
		d.Extension = extension{kit: k, definition: v, contribute: f[0]}
	}
	return d, nil
}

// factory makes instances of a Source by the plugin's create.
func (k *kit) factory(definition, create jsrun.Value) compose.SourceFactory {
	return func(ctx context.Context, c compose.SourceContext) (compose.Source, error) {
		s := &source{kit: k, key: c.InstanceKey}
		err := k.run.Do(jsrun.WithPhase(ctx, c.InstanceKey+" create"), func(vm *jsrun.VM) (err error) {
			told, err := vm.Apply(k.freeze, nil, vm.Frozen(sourceContext(c)))
			if err != nil {
				return err
			}
			if s.runtime, err = vm.Apply(create, definition, told); err != nil {
				return err
			}
			return s.look()
		})
		if err != nil {
			return nil, err
		}
		return s, nil
	}
}

func sourceContext(c compose.SourceContext) *jsonvalue.Object {
	return jsonvalue.Of("sourceInstanceKey", c.InstanceKey, "provenance", c.Provenance.Object(), "configuration", c.Configuration)
}

// errTurn is what Check says of a createTurn that cannot be called.
var errTurn = errors.New("memory Strategy createTurn must be a function")
