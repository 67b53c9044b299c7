package registry_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/dshkit/dshkit/internal/cordis/registry"
)

func definition(change func(*registry.Definition)) registry.Definition {
	d := registry.Definition{Session: me, New: true, Prefix: "clock", Name: "first", Purpose: "do a thing", Code: code(true, false)}
	change(&d)
	return d
}

// CR-R4, CR-A1: ids are minted by the host, from counters over all prefixes.
func TestDefine(t *testing.T) {
	w := newWorld(t)
	first, err := w.r.Define(definition(func(*registry.Definition) {}), fine)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "first", first, registry.Defined{PluginID: "clock-1", PackageID: "pkg-1", Name: "first", Purpose: "do a thing", HasHostHalf: true})
	second, err := w.r.Define(definition(func(d *registry.Definition) {
		d.Prefix, d.Name, d.Code = "\u00a0view\u3000", " spaced\n", code(false, true)
	}), fine)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "second", second, registry.Defined{PluginID: "view-2", PackageID: "pkg-2", Name: "spaced", Purpose: "do a thing", HasClientHalf: true})
	equal(t, "counts", w.r.Counts(), registry.Counts{Plugins: 2})
	equal(t, "state", w.state("clock-1"), registry.StateDefined)
	if w.row("clock-1").LatestRun != nil {
		t.Error("define made an attempt")
	}
	w.undefine("view-2", false)
	id, pkg := w.define("view", true, false)
	equal(t, "ids are not used again", []string{string(id), string(pkg)}, []string{"view-3", "pkg-3"})
}

// CR-R5, CR-R6, CR-R2: the first check that fails is reported, in the order of 3.2,
// and nothing is kept.
func TestDefineRefusals(t *testing.T) {
	bad := errors.New("syntax")
	failing := func(half registry.Side) registry.Check {
		return func(h registry.Side, _ string) error {
			if h == half {
				return bad
			}
			return nil
		}
	}
	empty := func(d *registry.Definition) {
		d.Name, d.Purpose, d.Code, d.Prefix = "\u00a0", "", registry.Code{}, "ab"
	}
	for name, c := range map[string]struct {
		change func(*registry.Definition)
		check  registry.Check
		want   any
	}{
		"everything wrong":       {empty, failing(registry.Host), registry.RuleName},
		"zero width is no space": {func(d *registry.Definition) { d.Name, d.Purpose = "\u200b", " " }, fine, registry.RulePurpose},      // CR-N17
		"the byte order mark is": {func(d *registry.Definition) { d.Name = "\ufeff\u00a0\u3000" }, fine, registry.RuleName},             // CR-N17
		"a next line is none":    {func(d *registry.Definition) { d.Name, d.Purpose = "\u0085", "\ufeff" }, fine, registry.RulePurpose}, // CR-N17
		"no purpose":             {func(d *registry.Definition) { empty(d); d.Name = "n" }, fine, registry.RulePurpose},
		"no code":                {func(d *registry.Definition) { empty(d); d.Name, d.Purpose = "n", "p" }, fine, registry.RuleNoCode},
		"host before client":     {func(d *registry.Definition) { d.Code, d.Prefix = code(true, true), "ab" }, failing(registry.Host), bad},
		"client before prefix":   {func(d *registry.Definition) { d.Code, d.Prefix = code(true, true), "ab" }, failing(registry.Client), bad},
		"two letters":            {func(d *registry.Definition) { d.Prefix = "ab" }, fine, registry.RulePrefix},
		"seven letters":          {func(d *registry.Definition) { d.Prefix = "abcdefg" }, fine, registry.RulePrefix},
		"a capital":              {func(d *registry.Definition) { d.Prefix = "Abc" }, fine, registry.RulePrefix},
		"a digit":                {func(d *registry.Definition) { d.Prefix = "ab1" }, fine, registry.RulePrefix},
		"another alphabet":       {func(d *registry.Definition) { d.Prefix = "абв" }, fine, registry.RulePrefix},
		"unknown plugin":         {func(d *registry.Definition) { d.New, d.PluginID = false, "clock-7" }, fine, registry.RulePlugin},
		"somebody else's plugin": {func(d *registry.Definition) { d.New, d.PluginID, d.Session = false, "mine-1", other }, fine, registry.RulePlugin},
		// CR-W25
		"long name":    {func(d *registry.Definition) { d.Name = strings.Repeat("n", 16<<10+1) }, fine, registry.RuleLabelLimit},
		"long purpose": {func(d *registry.Definition) { d.Purpose = strings.Repeat("p", 16<<10+1) }, fine, registry.RuleLabelLimit},
		"large source": {func(d *registry.Definition) { d.Code.Host = ptr(registry.Source(strings.Repeat("x", 1<<20+1))) }, fine, registry.RuleSourceLimit},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.define("mine", true, false)
			before := encode(t, w.r.Inventory())
			_, err := w.r.Define(definition(c.change), c.check)
			if got := rule(err); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
			equal(t, "inventory", encode(t, w.r.Inventory()), before)
			id, pkg := w.define("next", true, false)
			equal(t, "ids used up", []string{string(id), string(pkg)}, []string{"next-2", "pkg-2"})
		})
	}
}

// An empty half is present.
func TestDefineEmptyHalf(t *testing.T) {
	w := newWorld(t)
	d, err := w.r.Define(definition(func(d *registry.Definition) { d.Code = registry.Code{Client: ptr(registry.Source(""))} }), fine)
	if err != nil {
		t.Fatal(err)
	}
	self, err := w.r.SelfPackage(me, d.PluginID, d.PackageID, nil)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "code", encode(t, self.Code), `{"client":""}`)
}

// CR-A2: a Package does not change, whatever becomes of what it was made of, and its
// source comes back byte for byte.
func TestPackageIsImmutable(t *testing.T) {
	w := newWorld(t)
	text := registry.Source("return '\xed\xa0\x80 <\u2028>'") // a lone surrogate, as WTF-8 has it
	source := text
	made, err := w.r.Define(definition(func(d *registry.Definition) { d.Code.Host = &source }), fine)
	if err != nil {
		t.Fatal(err)
	}
	source = "changed"
	w.another(made.PluginID, true, true)
	self, err := w.r.SelfPackage(me, made.PluginID, made.PackageID, nil)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "source", *self.Code.Host, text)
	*self.Code.Host = "changed"
	again, _ := w.r.SelfPackage(me, made.PluginID, made.PackageID, nil)
	equal(t, "source after a reader changed its copy", *again.Code.Host, text)

	got := registry.Source("")
	if err := got.UnmarshalJSON([]byte(encode(t, text))); err != nil || got != text {
		t.Errorf("read back %q, %v", got, err)
	}
	for _, bad := range []string{"", "5", "null", `"`} {
		if err := got.UnmarshalJSON([]byte(bad)); err == nil {
			t.Errorf("%q was read as a text", bad)
		}
	}
}

// CR-W25: 64 Packages of a Plugin, 256 Plugins.
func TestLimits(t *testing.T) {
	w := newWorld(t)
	plugin, _ := w.define("many", true, false)
	for range 63 {
		w.another(plugin, true, false)
	}
	_, err := w.r.Define(definition(func(d *registry.Definition) { d.New, d.PluginID = false, plugin }), fine)
	equal(t, "package 65", rule(err), any(registry.RulePackageLimit))
	for range 255 {
		w.define("more", true, false)
	}
	_, err = w.r.Define(definition(func(*registry.Definition) {}), fine)
	equal(t, "plugin 257", rule(err), any(registry.RulePluginLimit))
	w.undefine(plugin, false)
	if _, err = w.r.Define(definition(func(*registry.Definition) {}), fine); err != nil {
		t.Errorf("room was made, but: %v", err)
	}
}
