package script

import (
	"context"

	"github.com/dshkit/dshkit/internal/mnemon/strategy/general"
	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// Native is a Strategy in Go that plugins and Entries name as a package.
type Native struct {
	Package     string
	Descriptor  *jsonvalue.Object // memoryPlugin
	Declaration *jsonvalue.Object // memoryStrategyConfiguration, without create
	Define      func(config any) (*compose.StrategyDefinition, error)
}

// Natives are the Strategies in Go that are known under a package's name.
func Natives() []Native {
	return []Native{{
		Package:     general.Package,
		Descriptor:  general.Descriptor(),
		Declaration: general.Declaration(),
		Define: func(config any) (*compose.StrategyDefinition, error) {
			s, err := general.New(config)
			if err != nil {
				return nil, err
			}
			return s.Definition()
		},
	}}
}

// nativeModule is the package as its JavaScript form would be: what it exports
// mounts the Strategy in Go.
func (k *kit) nativeModule(n Native) (jsrun.Value, error) {
	build, err := k.vm.Get(k.sdk, "native")
	if err != nil {
		return nil, err
	}
	define := k.function("define", 1, func(args []jsrun.Value) (jsrun.Value, error) {
		config, err := k.optional(args[0])
		if err != nil {
			return nil, err
		}
		d, err := n.Define(config)
		if err != nil {
			return nil, err
		}
		return k.nativeDefinition(d)
	})
	return k.vm.Apply(build, nil, k.vm.FromJSON(n.Package), k.vm.FromJSON(n.Descriptor), k.vm.FromJSON(n.Declaration), define)
}

// nativeDefinition is a definition as the SDK gives it. Core gets the one in Go.
func (k *kit) nativeDefinition(d *compose.StrategyDefinition) (jsrun.Value, error) {
	v, err := k.frozen("manifest", k.vm.Frozen(d.Manifest.Raw), "compose", k.rule("compose", func(args []any) (any, error) {
		return composeJSON(k.vm.Context(), d.Strategy, args)
	}, k.vm.FromJSON))
	if err != nil {
		return nil, err
	}
	if o, ok := v.(*jsrun.Object); ok {
		k.native[o] = d
	}
	return v, nil
}

// composeJSON composes for a caller who has the request as JSON alone.
func composeJSON(ctx context.Context, s compose.Strategy, args []any) (any, error) {
	raw, _ := args[0].(*jsonvalue.Object)
	sources, _ := args[1].([]any)
	contributions, _ := args[2].([]any)
	r := &compose.Request{Raw: raw, Budget: budgetOf(raw)}
	r.Scope, _ = raw.Map("scope")
	r.Scenario, _ = raw.Text("scenario")
	return s.Compose(ctx, r, sources, contributions)
}
