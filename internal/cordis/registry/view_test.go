package registry_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/dshkit/dshkit/internal/cordis/registry"
)

// CR-R1, CR-R2, CR-R3, CR-R7, CR-R28: each Session sees its own Plugins, the
// inventory all, without source.
func TestSessions(t *testing.T) {
	w := newWorld(t)
	mine, pkg := w.define("mine", true, false)
	_, err := w.r.Define(registry.Definition{Session: other, New: true, Prefix: "theirs", Name: "n", Purpose: "p", Code: code(true, true)}, fine)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "inventory", encode(t, w.r.Inventory()), `[{"pluginId":"mine-1","agentId":"S-a","packages":[{"packageId":"pkg-1","name":"Name","purpose":"p","hasHostHalf":true,"hasClientHalf":false}]},{"pluginId":"theirs-2","agentId":"S-b","packages":[{"packageId":"pkg-2","name":"n","purpose":"p","hasHostHalf":true,"hasClientHalf":true}]}]`)
	equal(t, "self", encode(t, w.r.SelfPlugins(other)), `{"mode":"plugins","plugins":[{"pluginId":"theirs-2","name":"n","packageCount":1,"state":"defined"}]}`)
	equal(t, "a third Session", encode(t, w.r.SelfPlugins("S-c")), `{"mode":"plugins","plugins":[]}`)
	owner, known := w.r.Owner(mine)
	equal(t, "owner, to bind a page's token to", []any{owner, known}, []any{me, true}) // CR-W32
	_, known = w.r.Owner("ghost-1")
	equal(t, "owner of nothing", known, false)

	foreign := map[string]func() error{
		"plugin":    func() error { _, err := w.r.SelfPlugin(other, mine); return err },
		"package":   func() error { _, err := w.r.SelfPackage(other, mine, pkg, nil); return err },
		"reference": func() error { _, err := w.r.Reference(other, mine); return err },
		"source":    func() error { _, err := w.r.ClientCode(other, mine, "run-1"); return err },
		"settle": func() error {
			return w.answer(w.ask(func(t registry.Ticket) registry.Decision { return w.r.SettleUserRun(t, other, mine, ok("run-1")) })).(error)
		},
	}
	for name, f := range foreign {
		equal(t, name, rule(f()), any(registry.RulePlugin))
	}
	_, err = w.r.SelfPackage(me, mine, "pkg-2", nil)
	equal(t, "package of another plugin", rule(err), any(registry.RulePackage))
}

// CR-A13, CR-W13, CR-N16: the layers of inspect self while the latest attempt is of
// another Package than the active run.
func TestSelfPackage(t *testing.T) {
	w := newWorld(t)
	plugin, v1 := w.define("trust", true, true)
	w.page(plugin, v1, registry.ModeRun, "")
	w.settle(plugin, ok("run-1"))
	v2, v3 := w.another(plugin, false, true), w.another(plugin, true, false)
	w.run(plugin, v2, registry.ModeUpdate)
	live := func(run registry.RunID) registry.Live {
		equal(t, "live run", run, registry.RunID("run-1"))
		return registry.Live{Provides: []string{"a"}, WaitingFor: []string{"b"}, Handlers: []string{"c"}}
	}
	self, err := w.r.SelfPackage(me, plugin, v1, live)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "the active one", encode(t, self), `{"mode":"package","plugin":{"pluginId":"trust-1","name":"Name","packageCount":3,"state":"awaiting-approval","currentPackageId":"pkg-1","nextPackageId":"pkg-2","activeRun":{"pluginRunId":"run-1","packageId":"pkg-1"},"pendingApproval":{"pluginRunId":"run-2","packageId":"pkg-2","mode":"update"}},"packageId":"pkg-1","name":"Name","purpose":"p","code":{"host":"host source","client":"client source"},"runtime":{"state":"awaiting-approval","host":{"status":"running","provides":["a"],"waitingFor":["b"],"handlers":["c"]},"client":{"status":"stopped","waitingFor":[]}}}`)
	self, err = w.r.SelfPackage(me, plugin, v2, live)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "the requested one", encode(t, self.Runtime), `{"state":"awaiting-approval","host":{"status":"absent","provides":[],"waitingFor":[],"handlers":[]},"client":{"status":"pending","waitingFor":[]}}`)
	self, err = w.r.SelfPackage(me, plugin, v3, live)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "another one", encode(t, self.Runtime), `{"state":"awaiting-approval","host":{"status":"stopped","provides":[],"waitingFor":[],"handlers":[]},"client":{"status":"absent","waitingFor":[]}}`)
}

// What a reader is handed is its own.
func TestViewsAreCopies(t *testing.T) {
	w := newWorld(t)
	plugin, pkg := w.define("dual", true, true)
	w.run(plugin, pkg, registry.ModeRun)
	w.page(plugin, pkg, registry.ModeRun, "approval-1")
	w.resolve("approval-1", ok("run-1", "slots"))
	w.carry(w.r.RenderFailed(me, plugin, "run-1", registry.RenderFailure{Slot: "s", Message: "m", Abdicated: true}))
	before := encode(t, w.r.Inventory())
	row := w.row(plugin)
	row.Packages[0].Name, row.ActiveRun.PackageID = "x", "x"
	*row.LatestRun.Error.Abdicated, *row.LatestRun.Client.Error = false, "x"
	row.LatestRun.Error.Message = "x"
	self, _ := w.r.SelfPackage(me, plugin, pkg, nil)
	self.Runtime.Client.RenderFailure.Message = "x"
	*self.Runtime.Client.Error = "x"
	equal(t, "inventory", encode(t, w.r.Inventory()), before)
}

// Both languages say the same things, and name what a refusal names.
func TestWords(t *testing.T) {
	en, zh := registry.Words()
	for r, sentence := range en {
		for _, word := range []string{"{plugin}", "{package}", "{run}", "{request}", "{current}", "{half}", "{limit}"} {
			if strings.Contains(sentence, word) != strings.Contains(zh[r], word) {
				t.Errorf("%s: only one language names %s", r, word)
			}
		}
		if !strings.ContainsFunc(zh[r], func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
			t.Errorf("%s is not in Chinese: %q", r, zh[r])
		}
	}
	if len(en) != len(zh) {
		t.Errorf("%d and %d sentences", len(en), len(zh))
	}
	refusal := &registry.Refusal{Reason: registry.InvalidMode, Rule: registry.RuleDiffers, PluginID: "feat-1", PackageID: "pkg-2", Current: "pkg-1"}
	equal(t, "English", refusal.Error(), `package "pkg-2" is not the current one of plugin "feat-1", that is "pkg-1": use mode update`)
	equal(t, "Chinese", refusal.In("zh-CN"), `"pkg-2" 不是插件 "feat-1" 的当前版本，当前是 "pkg-1"：请用 mode update`)
	thrown := &registry.Refusal{Reason: registry.HostHalfFailed, Message: "{plugin} {"}
	equal(t, "plugin code", []string{thrown.Error(), thrown.In("zh-CN")}, []string{"{plugin} {", "{plugin} {"})
}

// CR-N17: whitespace as JavaScript has it.
func TestIsSpace(t *testing.T) {
	var got []rune
	for r := rune(0); r <= 0xFFFF; r++ {
		if registry.IsSpace(r) {
			got = append(got, r)
		}
	}
	want := []rune("\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff")
	if !slices.Equal(got, want) {
		t.Errorf("got %U, want %U", got, want)
	}
}
