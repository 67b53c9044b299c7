package compose_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// answer is a call's result as the recordings print it.
func answer(v any, err error) *jsonvalue.Object {
	if err != nil {
		return jsonvalue.Of("error", jsonvalue.Of("message", err.Error()))
	}
	return jsonvalue.Of("value", v)
}

// TestDefinitionsAsRecorded (MN15, MN123) plays all validators of the extension
// SDK. The answers differ from the recording of 0.5.13 only where the newer rules
// do.
func TestDefinitionsAsRecorded(t *testing.T) {
	differ := playCalls(t, "definitions")
	if got := differ["defineMemoryStrategy/6"]; got == nil || !got.Has("value") {
		t.Errorf("the any-role wildcard alone is refused: %s", jsonvalue.Format(got))
	}
	want := answer(nil, errors.New("memory Strategy extension for any Strategy must use a standard slot: x"))
	if got := differ["defineMemoryStrategyExtension/5"]; !got.Equal(want) {
		t.Errorf("an extension for any Strategy: %s", jsonvalue.Format(got))
	}
	delete(differ, "defineMemoryStrategy/6")
	delete(differ, "defineMemoryStrategyExtension/5")
	for name, got := range differ {
		t.Errorf("%s: %s", name, jsonvalue.Format(got))
	}
}

// TestConfigurationAsRecorded (MN121) plays the declarations. Those that
// published plugins export are declared here, and their factories answer what the
// recording shows.
func TestConfigurationAsRecorded(t *testing.T) {
	for name, got := range playCalls(t, "configuration") {
		t.Errorf("%s: %s", name, jsonvalue.Format(got))
	}
}

// playCalls returns the answers that are not as recorded.
func playCalls(t *testing.T, name string) map[string]*jsonvalue.Object {
	t.Helper()
	differ := map[string]*jsonvalue.Object{}
	played := 0
	for _, s := range readScenario(t, name).steps {
		export, _ := s.call.Text("export")
		module, _ := s.call.Text("module")
		calls, _ := s.call.Array("calls")
		answers, _ := s.answer.Array("ok")
		for i, call := range calls {
			got := answer(callExport(t, module, export, call.([]any), answers[i]))
			played++
			if diff := cmp.Diff(plain(t, answers[i]), plain(t, got)); diff != "" {
				where := export + "/" + jsonvalue.FormatNumber(float64(i))
				differ[where] = got
				t.Logf("%s %s (-recorded +got):\n%s", module, where, diff)
			}
		}
	}
	if played < 30 {
		t.Errorf("%d calls played", played)
	}
	return differ
}

func callExport(t *testing.T, module, export string, args []any, recorded any) (any, error) {
	t.Helper()
	arg := func(i int) any {
		if i < len(args) {
			return args[i]
		}
		return foreign(jsonvalue.Undefined)
	}
	whole := func(i, otherwise int) int {
		if f, ok := arg(i).(float64); ok {
			return int(f)
		}
		return otherwise
	}
	label, _ := arg(1).(string)
	switch export {
	case "defineMemoryPlugin":
		return object(compose.DefinePlugin(arg(0)))
	case "defineMemorySource", "defineMemoryStrategy", "defineMemoryStrategyExtension":
		return define(arg(0).(*jsonvalue.Object), export)
	case "defineMemoryStrategyConfiguration":
		c, err := compose.DefineConfiguration(arg(0))
		if err != nil {
			return nil, err
		}
		return c.Raw.With("create", foreign(jsonvalue.Function)), nil
	case "memoryStrategyConfiguration.create":
		return createDeclared(t, module, arg(0), recorded)
	case "memoryInputText":
		required := arg(3) != any(false)
		s, ok, err := compose.InputText(arg(0), label, whole(2, 0), required)
		return orUndefined(s, ok), err
	case "memoryInputInteger":
		return compose.InputInteger(arg(0), arg(1), whole(2, 0), whole(3, 0))
	case "memoryInputStringArray":
		list, ok, err := compose.InputStringArray(arg(0), label, whole(2, 50))
		return orUndefined(jsonvalue.Texts(list), ok), err
	case "truncateMemoryText":
		return compose.Truncate(arg(0).(string), whole(1, 0)), nil
	case "memoryInputMigrationLineage":
		list, err := compose.MigrationLineage(arg(0))
		return list, err
	}
	t.Fatalf("unknown export %s", export)
	return nil, nil
}

func object(o *jsonvalue.Object, err error) (any, error) { return o, err }

func orUndefined(v any, ok bool) any {
	if !ok {
		return foreign(jsonvalue.Undefined)
	}
	return v
}

// define plays a definition as an adapter of scripts would: the parts that are
// functions are there, the others are not.
func define(definition *jsonvalue.Object, export string) (any, error) {
	manifest, _ := definition.Get("manifest")
	has := func(name string) bool {
		v, _ := definition.Get(name)
		f, ok := v.(jsonvalue.Foreign)
		return ok && f.Kind == jsonvalue.Function
	}
	out := definition
	switch export {
	case "defineMemorySource":
		var create compose.SourceFactory
		if has("create") {
			create = noSource
		}
		d, err := compose.DefineSource(manifest, create)
		if err != nil {
			return nil, err
		}
		return out.With("manifest", d.Manifest.Raw), nil
	case "defineMemoryStrategy":
		var s compose.Strategy
		if has("compose") {
			s = fixedStrategy{badTurn: definition.Has("createTurn") && !has("createTurn")}
		}
		d, err := compose.DefineStrategy(manifest, s)
		if err != nil {
			return nil, err
		}
		return out.With("manifest", d.Manifest.Raw), nil
	}
	var e compose.Extension
	if has("contribute") {
		e = fixedExtension{}
	}
	d, err := compose.DefineExtension(manifest, e)
	if err != nil {
		return nil, err
	}
	return out.With("manifest", d.Manifest.Raw), nil
}

func noSource(context.Context, compose.SourceContext) (compose.Source, error) { return nil, nil }

type fixedStrategy struct{ badTurn bool }

func (fixedStrategy) Compose(context.Context, *compose.Request, []any, []any) (any, error) {
	return nil, nil
}

func (s fixedStrategy) Check() error {
	if s.badTurn {
		return errors.New("memory Strategy createTurn must be a function")
	}
	return nil
}

type fixedExtension struct{}

func (fixedExtension) Contribute(context.Context, *compose.Request, []any) (any, error) {
	return nil, nil
}

// createDeclared plays create() of a published plugin. Its own factory does not
// run: it answers what the recording shows, or refuses as it did there.
func createDeclared(t *testing.T, module string, input, recorded any) (any, error) {
	t.Helper()
	fields := map[string][]any{
		"dsh-mnemon-strategy-light-context": {field("maxProjectionCharacters", "number", "minimum", 1.0, "maximum", 1e7, "defaultValue", 4096.0)},
		"dsh-mnemon-strategy-scoped":        {field("sourceKeys", "source-list"), field("writableSourceKeys", "source-list")},
		"dsh-mnemon-strategy-auto-capture": {
			field("instruction", "textarea", "maximum", 4000.0), field("actionIds", "string-list"), field("sourceKeys", "source-list"),
		},
		"dsh-mnemon-strategy-default-three-tier": {},
	}
	types := map[string][2]string{
		"dsh-mnemon-strategy-light-context":      {"strategy-extension", "light-context"},
		"dsh-mnemon-strategy-scoped":             {"strategy-extension", "scoped"},
		"dsh-mnemon-strategy-auto-capture":       {"strategy-extension", "auto-capture"},
		"dsh-mnemon-strategy-default-three-tier": {"strategy", "default-three-tier"},
	}
	c, err := compose.DefineConfiguration(declaration("kind", types[module][0], "typeId", types[module][1], "fields", fields[module]))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Values(input); err != nil {
		return nil, err
	}
	if made, ok := recorded.(*jsonvalue.Object).Get("value"); ok {
		return made, c.Check(made)
	}
	refused, _ := recorded.(*jsonvalue.Object).Map("error")
	message, _ := refused.Text("message")
	// Values passed and the factory refused: only what the factory says can follow.
	if strings.HasPrefix(message, "Invalid plugin") || strings.HasPrefix(message, "Plugin") {
		t.Errorf("%s %s: values pass, want %q", module, jsonvalue.Format(input), message)
	}
	return nil, errors.New(message)
}

// declaration is a valid declaration with some members of its own.
func declaration(pairs ...any) *jsonvalue.Object {
	return jsonvalue.Of("kind", "strategy", "typeId", "t",
		"label", both("a", "b"), "description", both("a", "b"),
		"fields", []any{}, "create", foreign(jsonvalue.Function)).With(pairs...)
}

func field(key, input string, pairs ...any) *jsonvalue.Object {
	return jsonvalue.Of("key", key, "input", input, "label", both("a", "b")).With(pairs...)
}

func both(en, zh any) *jsonvalue.Object { return jsonvalue.Of("en", en, "zh-CN", zh) }
