package script

import (
	"context"
	"path/filepath"

	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// sdkHost is what js/sdk.js and js/runner.js ask of Go.
func (k *kit) sdkHost() (jsrun.Value, error) {
	host, err := k.object(
		"defaultBudget", k.vm.Frozen(compose.DefaultBudget.Object()),
		"capabilities", k.vm.Frozen(jsonvalue.Texts(compose.Capabilities())),
		"core", k.function("core", 1, func(args []jsrun.Value) (jsrun.Value, error) { return k.core(args[0]) }),
		"import", k.function("import", 1, k.importModule),
		"lock", k.function("lock", 1, k.lock),
		"readFile", k.function("readFile", 1, k.readFile),
	)
	if err != nil {
		return nil, err
	}
	for name, f := range map[string]func([]any) (any, error){
		"source": sourceRules, "strategy": strategyRules, "extension": extensionRules,
	} {
		if err := host.Set(name, k.ruleOf(manifestShape, name, f, k.vm.Frozen)); err != nil {
			return nil, err
		}
	}
	for name, f := range map[string]func([]any) (any, error){
		"descriptor":          func(args []any) (any, error) { return compose.DefinePlugin(args[0]) },
		"configurationDigest": func(args []any) (any, error) { return compose.ConfigurationDigest(args[0]) },
		"slotValue":           func(args []any) (any, error) { return compose.ViewExtensionValue(textOf(args[0]), args[1]) },
		"slotValues":          slotValues,
	} {
		if err := host.Set(name, k.rule(name, f, k.vm.Frozen)); err != nil {
			return nil, err
		}
	}
	for name, f := range map[string]func([]any) (any, error){
		"inputText":        inputText,
		"inputInteger":     inputInteger,
		"inputStringArray": inputStringArray,
		"inputLineage":     func(args []any) (any, error) { return compose.MigrationLineage(args[0]) },
		"truncate":         func(args []any) (any, error) { return compose.Truncate(textOf(args[0]), int(numberOf(args[1]))), nil },
	} {
		if err := host.Set(name, k.rule(name, f, k.vm.FromJSON)); err != nil {
			return nil, err
		}
	}
	return host, host.Set("declaration", k.function("declaration", 1, k.declaration))
}

// rule is a function of JSON; four arguments are the most that one takes.
func (k *kit) rule(name string, f func(args []any) (any, error), build func(any) jsrun.Value) jsrun.Value {
	return k.ruleOf(nil, name, f, build)
}

// ruleOf is a rule whose first argument has a shape.
func (k *kit) ruleOf(shape *jsrun.Shape, name string, f func(args []any) (any, error), build func(any) jsrun.Value) jsrun.Value {
	return k.function(name, 4, func(args []jsrun.Value) (jsrun.Value, error) {
		first, err := k.vm.ToJSONAs(args[0], shape)
		if err != nil {
			return nil, err
		}
		values := []any{first}
		for _, arg := range args[1:] {
			v, err := k.vm.ToJSON(arg)
			if err != nil {
				return nil, err
			}
			values = append(values, v)
		}
		v, err := f(values)
		if err != nil {
			return nil, err
		}
		return build(v), nil
	})
}

func textOf(v any) string {
	s, _ := v.(string)
	return s
}

func numberOf(v any) float64 {
	f, _ := v.(float64)
	return f
}

// The definitions are checked with stand-ins for their functions, which are
// bound when they are installed.

func sourceRules(args []any) (any, error) {
	var create compose.SourceFactory
	if args[1] == true {
		create = func(context.Context, compose.SourceContext) (compose.Source, error) { return nil, nil }
	}
	d, err := compose.DefineSource(args[0], create)
	if err != nil {
		return nil, err
	}
	return d.Manifest.Raw, nil
}

func strategyRules(args []any) (any, error) {
	var s compose.Strategy
	if args[1] == true {
		s = standIn{turn: args[2] == true}
	}
	d, err := compose.DefineStrategy(args[0], s)
	if err != nil {
		return nil, err
	}
	return d.Manifest.Raw, nil
}

func extensionRules(args []any) (any, error) {
	var e compose.Extension
	if args[1] == true {
		e = standIn{}
	}
	d, err := compose.DefineExtension(args[0], e)
	if err != nil {
		return nil, err
	}
	return d.Manifest.Raw, nil
}

// standIn is a Strategy or extension that is only defined.
type standIn struct{ turn bool }

func (s standIn) Check() error {
	if s.turn {
		return nil
	}
	return errTurn
}

func (standIn) Compose(context.Context, *compose.Request, []any, []any) (any, error) { return nil, nil }

func (standIn) Contribute(context.Context, *compose.Request, []any) (any, error) { return nil, nil }

func slotValues(args []any) (any, error) {
	list, _ := args[0].([]any)
	return compose.ViewExtensionValues(list)
}

func inputText(args []any) (any, error) {
	text, ok, err := compose.InputText(args[0], textOf(args[1]), int(numberOf(args[2])), args[3] == true)
	if err != nil || !ok {
		return undefined, err
	}
	return text, nil
}

func inputInteger(args []any) (any, error) {
	return compose.InputInteger(args[0], args[1], int(numberOf(args[2])), int(numberOf(args[3])))
}

func inputStringArray(args []any) (any, error) {
	texts, ok, err := compose.InputStringArray(args[0], textOf(args[1]), int(numberOf(args[2])))
	if err != nil || !ok {
		return undefined, err
	}
	return jsonvalue.Texts(texts), nil
}

// declaration is a checked declaration of what a Host may set: what is shown of
// it, the check of values and that of what the plugin's factory returned.
func (k *kit) declaration(args []jsrun.Value) (jsrun.Value, error) {
	declared, err := k.vm.ToJSON(args[0])
	if err != nil {
		return nil, err
	}
	c, err := compose.DefineConfiguration(declared)
	if err != nil {
		return nil, err
	}
	return k.object(
		"metadata", k.vm.Frozen(c.Raw),
		"values", k.rule("values", func(args []any) (any, error) { return c.Values(args[0]) }, k.vm.FromJSON),
		"check", k.rule("check", func(args []any) (any, error) { return undefined, c.Check(args[0]) }, k.vm.FromJSON),
	)
}

// importModule is the loader's import for a test: seen from the realm's folder.
func (k *kit) importModule(args []jsrun.Value) (jsrun.Value, error) {
	return k.loader.modules.Import(k.vm, k.base(), args[0].String())
}

// readFile is for a Client artifact under test: a file that could be imported.
func (k *kit) readFile(args []jsrun.Value) (jsrun.Value, error) {
	files := k.loader.settings.Modules.Files
	path, err := files.RealPath(args[0].String()) // which refuses what the realm may not import
	if err != nil {
		return nil, err
	}
	text, err := files.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return k.vm.FromJSON(string(text)), nil
}

// lock gives a promise of the function that releases the directory.
func (k *kit) lock(args []jsrun.Value) (jsrun.Value, error) {
	directory, err := filepath.Abs(args[0].String())
	if err != nil {
		return nil, err
	}
	place := directories.queue(directory)
	k.held[place] = true
	release := func() {
		delete(k.held, place)
		place.release()
	}
	return k.async(func(ctx context.Context) (later, error) {
		jsrun.Detach(ctx)
		if err := place.wait(ctx); err != nil {
			place.release()
			return nil, err
		}
		return func(*jsrun.VM) (jsrun.Value, error) {
			return k.function("release", 0, func([]jsrun.Value) (jsrun.Value, error) {
				release()
				return nil, nil
			}), nil
		}, nil
	}), nil
}

// letGo releases what plugins hold when their runtime ends.
func (k *kit) letGo() {
	for place := range k.held {
		place.release()
	}
}
