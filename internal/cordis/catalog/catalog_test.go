package catalog_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/cordis/catalog"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

func small() catalog.Catalog {
	return catalog.Catalog{
		Services: []catalog.Service{
			{Key: "box", Description: "Holds things.", Methods: []catalog.Method{
				{Name: "put", Signature: "put(thing: Thing, deep?: { a: (x: number) => void }): void", Description: "Puts.", Parameters: []catalog.Parameter{{"thing", "What."}, {"deep", "More."}}},
				{Name: "take", Signature: "take<T = any>(): Thing | undefined", Description: "Takes.", Returns: "It.", Throws: []string{"Error: empty."}},
				{Name: "old", Signature: "old(): void", Description: "Once.", Deprecated: true},
			}},
			{Key: "cordisInspect", Description: "The runner's own.", Methods: []catalog.Method{{Name: "x", Signature: "x(): void", Description: "x."}}},
			{Key: "gone", Description: "Of yesterday.", Deprecated: true, Methods: []catalog.Method{{Name: "x", Signature: "x(): void", Description: "x."}}},
		},
		Events: []catalog.Event{
			{Name: "box/full", Description: "It is full.", Mode: catalog.Waterfall, Signature: "'box/full'(size: Size, next: () => void): void", Parameters: []catalog.Parameter{{"size", "How full."}, {"next", "The rest."}}},
			{Name: "cordis/request-run", Description: "The runner's own.", Mode: catalog.Emit, Signature: "'cordis/request-run'(): void"},
		},
		Builtins: []catalog.Builtin{{Name: "say", Description: "Says.", Signatures: []string{"say(text: string): void"}}},
		Types: []catalog.Type{
			{Name: "Size", Declaration: "type Size = number"},
			{Name: "Thing", Declaration: "interface Thing { label: 'Other'; part: Part }"},
			{Name: "Part", Declaration: "interface Part { whole: Thing; size: Size }"},
			{Name: "Other", Declaration: "type Other = string"},
		},
	}
}

func text(t *testing.T, o *jsonvalue.Object, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return jsonvalue.Format(o)
}

func TestDirectoryOfServices(t *testing.T) {
	o := small().ListServices()
	want := `{"mode":"catalog","services":[{"key":"box","description":"Holds things.","methods":[{"signature":"put(thing: Thing, deep?: { a: (x: number) => void }): void"},{"signature":"take<T = any>(): Thing | undefined"}]}]}`
	if diff := cmp.Diff(want, text(t, o, nil)); diff != "" {
		t.Error(diff)
	}
}

// CR-W14: the types that a signature refers to are there, with those that they
// refer to, and no others: the reference gives none.
func TestReferencedTypes(t *testing.T) {
	o, err := small().ListService("box")
	if err != nil {
		t.Fatal(err)
	}
	types, _ := o.Array("referencedTypes")
	var names []string
	for _, v := range types {
		m, _ := jsonvalue.Map(v)
		name, _ := m.Text("name")
		names = append(names, name)
	}
	if diff := cmp.Diff([]string{"Size", "Thing", "Part"}, names); diff != "" {
		t.Error(diff)
	}
}

func TestOneService(t *testing.T) {
	o, err := small().ListService("box")
	if err != nil {
		t.Fatal(err)
	}
	service, _ := o.Map("service")
	want := `{"key":"box","description":"Holds things.","access":{"optional":{"expression":"ctx.get(\"box\")","requiresUndefinedCheck":true},"hardDependency":{"inject":["box"],"expression":"ctx.box"}},"methods":[{"signature":"put(thing: Thing, deep?: { a: (x: number) => void }): void","description":"Puts.","parameters":[{"name":"thing","description":"What."},{"name":"deep","description":"More."}]},{"signature":"take<T = any>(): Thing | undefined","description":"Takes.","parameters":[],"returns":"It.","throws":["Error: empty."]}]}`
	if diff := cmp.Diff(want, jsonvalue.Format(service)); diff != "" {
		t.Error(diff)
	}
}

func TestEvents(t *testing.T) {
	o := small().ListEvents()
	want := `{"mode":"catalog","events":[{"name":"box/full","description":"It is full.","mode":"waterfall","signature":"'box/full'(size: Size, next: () => void): void"}]}`
	if diff := cmp.Diff(want, text(t, o, nil)); diff != "" {
		t.Error(diff)
	}
	o, err := small().ListEvent("box/full")
	want = `{"mode":"event","event":{"name":"box/full","description":"It is full.","mode":"waterfall","signature":"'box/full'(size: Size, next: () => void): void","parameters":[{"name":"size","description":"How full."},{"name":"next","description":"The rest."}]},"referencedTypes":[{"name":"Size","declaration":"type Size = number"}]}`
	if diff := cmp.Diff(want, text(t, o, err)); diff != "" {
		t.Error(diff)
	}
}

// CR-A12: what belongs to the runner, or is deprecated, is in no catalogue.
func TestHidden(t *testing.T) {
	for _, key := range []string{"cordisInspect", "dynamicCordisRunner", "gone", "nothing"} {
		_, err := small().ListService(key)
		if fault.CodeOf(err) != "inspect-no-service" || fault.KindOf(err) != fault.NotFound {
			t.Errorf("service %s: %v", key, err)
		}
	}
	for _, name := range []string{"cordis/request-run", "nothing"} {
		if _, err := small().ListEvent(name); fault.CodeOf(err) != "inspect-no-event" {
			t.Errorf("event %s: %v", name, err)
		}
	}
}

func TestBuiltins(t *testing.T) {
	want := `{"builtins":[{"name":"say","description":"Says.","signatures":["say(text: string): void"]}],"referencedTypes":[]}`
	if diff := cmp.Diff(want, jsonvalue.Format(small().ListBuiltins())); diff != "" {
		t.Error(diff)
	}
	var names []string
	for _, b := range catalog.HostBuiltins() {
		names = append(names, b.Name)
	}
	if diff := cmp.Diff([]string{"ctx", "harness", "console", "btoa", "atob", "TextEncoder", "TextDecoder"}, names); diff != "" {
		t.Error(diff)
	}
}

// CR-Z7: all that is wrong is reported together.
func TestCheck(t *testing.T) {
	good := small()
	good.Types = good.Types[:3]
	if problems := good.Check(); problems != nil {
		t.Fatalf("a good catalogue: %q", problems)
	}
	bad := small()
	bad.Services[0].Methods[0].Parameters = bad.Services[0].Methods[0].Parameters[:1]
	bad.Services[0].Methods[1].Returns = ""
	bad.Services = append(bad.Services, catalog.Service{Key: "empty"})
	bad.Events[0].Mode = catalog.Emit
	bad.Events[1].Mode = "shout"
	bad.Builtins[0].Signatures = nil
	bad.Types = append(bad.Types, catalog.Type{Name: "Size", Declaration: "type Length = number"})
	want := []string{
		"service box: put: parameters [thing] are explained, the signature has [thing deep]",
		"service box: take: the result is not explained",
		"service empty: no description",
		"service empty: no methods",
		"event box/full: the last parameter is next in a waterfall, and in nothing else",
		`event cordis/request-run: no mode "shout"`,
		"builtin say: no signature",
		"type Other: nothing refers to it",
		"type Size: the declaration does not name it",
	}
	if diff := cmp.Diff(want, bad.Check()); diff != "" {
		t.Error(diff)
	}
}

func FuzzCheck(f *testing.F) {
	for _, m := range small().Services[0].Methods {
		f.Add(m.Signature)
	}
	f.Add("a<b>(c: 'x")
	f.Add("a)(")
	f.Add("<(")
	f.Fuzz(func(t *testing.T, signature string) {
		c := catalog.Catalog{Services: []catalog.Service{{Key: "s", Description: "d", Methods: []catalog.Method{{Name: "a", Signature: signature}}}}}
		if problems := c.Check(); !slices.ContainsFunc(problems, func(p string) bool { return strings.HasSuffix(p, "no description") }) {
			t.Errorf("%q: %q", signature, problems)
		}
		if _, err := c.ListService("s"); err != nil {
			t.Error(err)
		}
	})
}
