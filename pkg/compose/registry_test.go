package compose_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

func mustSource(t testing.TB, pairs ...any) *compose.SourceDefinition {
	d, err := compose.DefineSource(sourceManifest(pairs...), noSource)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func mustStrategy(t testing.TB, pairs ...any) *compose.StrategyDefinition {
	d, err := compose.DefineStrategy(strategyManifest(pairs...), fixedStrategy{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func mustExtension(t testing.TB, pairs ...any) *compose.ExtensionDefinition {
	d, err := compose.DefineExtension(extensionManifest(pairs...), fixedExtension{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestInstallKeys: the type is part of a key only if the batch has several of the
// kind, and prefixes of the Entry stay.
func TestInstallKeys(t *testing.T) {
	r := compose.NewRegistry()
	c := compose.Contribution{
		Plugin:     pluginDescriptor("roles", []any{"source", "strategy"}),
		Sources:    []*compose.SourceDefinition{mustSource(t, "typeId", "a"), mustSource(t, "typeId", "b")},
		Strategies: []*compose.StrategyDefinition{mustStrategy(t)},
	}
	if _, err := r.Install(c, compose.InstallOptions{InstanceID: " app:starter:work ", EffectiveDigest: " e ", ArtifactDigest: " d "}); err != nil {
		t.Fatal(err)
	}
	want := compose.Snapshot{
		Revision:         1,
		Sources:          []string{"source:app:starter:work/a", "source:app:starter:work/b"},
		Strategies:       []string{"strategy:app:starter:work"},
		Plugins:          []string{"plugin:app:starter:work"},
		EffectiveDigests: []string{"e", "e"},
		ArtifactDigests:  []string{"d", "d"},
		Entries:          []string{"app:starter:work", "app:starter:work"},
	}
	if diff := cmp.Diff(want, r.Snapshot()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestInstallRefusals (MN13, MN54, MN58): nothing of a refused batch stays, and
// nobody is told.
func TestInstallRefusals(t *testing.T) {
	source := []*compose.SourceDefinition{mustSource(t)}
	named := func(id string) compose.InstallOptions { return compose.InstallOptions{InstanceID: id} }
	for _, c := range []struct {
		name string
		c    compose.Contribution
		o    compose.InstallOptions
		want string
	}{
		{"no Entry", compose.Contribution{Sources: source}, named(" \ufeff"), "installMemory requires a stable Loader Entry id"},
		{"nothing", compose.Contribution{}, named("a"), "installMemory requires one Source, Strategy or Strategy extension contribution"},
		{"a descriptor alone", compose.Contribution{Plugin: pluginDescriptor()}, named("a"), "installMemory requires one Source, Strategy or Strategy extension contribution"},
		{"taken Source", compose.Contribution{Sources: source}, named("taken"), "memory Source instance is already installed: source:taken"},
		{"taken Strategy", compose.Contribution{Strategies: []*compose.StrategyDefinition{mustStrategy(t)}}, named("taken"), "memory Strategy instance is already installed: strategy:taken"},
		{"taken extension", compose.Contribution{Extensions: []*compose.ExtensionDefinition{mustExtension(t, "slot", "capture")}}, named("taken"), "memory Strategy extension instance is already installed: strategy-extension:taken"},
		{"two of one type", compose.Contribution{Sources: []*compose.SourceDefinition{source[0], source[0]}}, named("a"), "memory contribution instanceKey is duplicated: source:a/t"},
		{"unstable Entry", compose.Contribution{Sources: source}, named(".a"), "source instanceKey must start with source: and contain only stable identifier characters"},
		{"long Entry", compose.Contribution{Sources: source}, named(strings.Repeat("x", 294)), "source instanceKey is too long (max 300 characters)"},
		{"blank digest", compose.Contribution{Sources: source}, compose.InstallOptions{InstanceID: "a", EffectiveDigest: " "}, "memory Source effective digest is required"},
		{"digest that is no text", compose.Contribution{Sources: source}, compose.InstallOptions{InstanceID: "a", ArtifactDigest: 1.0}, "memory artifact digest must be a string"},
		{"no definition", compose.Contribution{Sources: []*compose.SourceDefinition{nil}}, named("a"), "memory Source definition must be an object"},
		{"no manifest", compose.Contribution{Sources: []*compose.SourceDefinition{{Create: noSource}}}, named("a"), "memory Source manifest must be an object"},
		{"no Strategy", compose.Contribution{Strategies: []*compose.StrategyDefinition{nil}}, named("a"), "memory Strategy definition must be an object"},
		{"no extension", compose.Contribution{Extensions: []*compose.ExtensionDefinition{nil}}, named("a"), "memory Strategy extension definition must be an object"},
		{"bad descriptor", compose.Contribution{Plugin: 5.0, Sources: source}, named("a"), "memory plugin packageName must be a string"},
		{"slot with an owner", compose.Contribution{Extensions: []*compose.ExtensionDefinition{mustExtension(t)}}, named("a"), "memory Strategy extension slot conflict: s/projection (strategy-extension:a, strategy-extension:taken)"},
		{"slot with an owner, for any Strategy", compose.Contribution{Sources: source, Extensions: []*compose.ExtensionDefinition{mustExtension(t, "strategyTypeId", "*")}}, named("z"), "memory Strategy extension slot conflict: */projection (strategy-extension:taken, strategy-extension:z)"},
		{"another package", compose.Contribution{Plugin: pluginDescriptor("packageName", "q"), Sources: source}, named("a"), "memory plugin descriptor package does not match an owned contribution: plugin:a"},
		{"another role", compose.Contribution{Plugin: pluginDescriptor("roles", []any{"strategy"}), Sources: source}, named("a"), "memory plugin descriptor does not declare active role: source (plugin:a)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := compose.NewRegistry()
			taken := compose.Contribution{
				Sources: source, Strategies: []*compose.StrategyDefinition{mustStrategy(t)},
				Extensions: []*compose.ExtensionDefinition{mustExtension(t)},
			}
			if _, err := r.Install(taken, named("taken")); err != nil {
				t.Fatal(err)
			}
			before := r.Snapshot()
			remove, err := r.Install(c.c, c.o)
			if message(err) != c.want || remove != nil {
				t.Errorf("%q, want %q", message(err), c.want)
			}
			if diff := cmp.Diff(before, r.Snapshot()); diff != "" {
				t.Errorf("a refused batch changed (-before +after):\n%s", diff)
			}
			if want := []int{1}; !slices.Equal(r.Told, want) {
				t.Errorf("told of %v, want %v", r.Told, want)
			}
		})
	}
}

// TestInstallWithoutDigests: absent is said, not blank.
func TestInstallWithoutDigests(t *testing.T) {
	for _, absent := range []any{nil, foreign(jsonvalue.Undefined)} {
		r := compose.NewRegistry()
		c := compose.Contribution{Plugin: absent, Sources: []*compose.SourceDefinition{mustSource(t)}}
		if _, err := r.Install(c, compose.InstallOptions{InstanceID: "a", EffectiveDigest: absent, ArtifactDigest: absent}); err != nil {
			t.Fatal(err)
		}
		want := compose.Snapshot{
			Revision: 1, Sources: []string{"source:a"},
			EffectiveDigests: []string{"none"}, ArtifactDigests: []string{""}, Entries: []string{"a"},
		}
		if diff := cmp.Diff(want, r.Snapshot()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// TestSelectionRefusals (MN55, MN56) are the choices that recordings do not have.
func TestSelectionRefusals(t *testing.T) {
	r := compose.NewRegistry()
	for _, id := range []string{"one", "two"} {
		c := compose.Contribution{Strategies: []*compose.StrategyDefinition{mustStrategy(t, "typeId", id)}}
		if _, err := r.Install(c, compose.InstallOptions{InstanceID: id}); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		set  compose.Settings
		want string
	}{
		{compose.Settings{StrategyInstanceKey: " strategy:two "}, ""},
		{compose.Settings{StrategyInstanceKey: "two"}, "strategy instanceKey must start with strategy: and contain only stable identifier characters"},
		{compose.Settings{StrategyInstanceKey: " "}, "strategy instanceKey is required"},
		{compose.Settings{StrategyInstanceKey: "strategy:none", StrategyTypeID: "one", StrategyFallback: "sole-strategy"}, "selected memory Strategy instance is unavailable: strategy:none"},
		{compose.Settings{StrategyTypeID: "none", StrategyFallback: "sole-strategy"}, "selected memory Strategy type is unavailable: none"},
		{compose.Settings{StrategyTypeID: "Two"}, "selected memory Strategy typeId must match [a-z][a-z0-9-]{0,127}"},
		{compose.Settings{StrategyFallback: "sole-strategy"}, "exactly one memory Strategy must be selected; found 2"},
	} {
		got, err := r.Evaluate(c.set)
		if message(err) != c.want || err == nil && got.Strategy != "strategy:two" {
			t.Errorf("%+v: %+v, %q, want %q", c.set, got, message(err), c.want)
		}
	}
}

// TestInstalledDefinitionsAreCopies: who changes a manifest after it was installed
// changes nothing here.
func TestInstalledDefinitionsAreCopies(t *testing.T) {
	r := compose.NewRegistry()
	d := mustStrategy(t, "extensionSlots", []any{"projection"})
	all := compose.Contribution{
		Sources: []*compose.SourceDefinition{mustSource(t)}, Strategies: []*compose.StrategyDefinition{d},
		Extensions: []*compose.ExtensionDefinition{mustExtension(t)},
	}
	if _, err := r.Install(all, compose.InstallOptions{InstanceID: "a"}); err != nil {
		t.Fatal(err)
	}
	d.Manifest.TypeID = "other"
	d.Manifest.Raw.Set("typeId", "other")
	got, err := r.Evaluate(compose.Settings{StrategyTypeID: "s"})
	want := compose.Evaluation{Strategy: "strategy:a", Extensions: []string{"strategy-extension:a"}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// batch is a batch of one of each kind at most, and its Entry.
type batch struct {
	id string
	c  compose.Contribution
}

func drawBatch(t *rapid.T, tb testing.TB) batch {
	b := batch{id: rapid.SampledFrom([]string{"a", "b", "B", "c-1", "a/b", "_", ""}).Draw(t, "id")}
	if rapid.Bool().Draw(t, "source") {
		b.c.Sources = []*compose.SourceDefinition{mustSource(tb)}
	}
	if rapid.Bool().Draw(t, "strategy") {
		b.c.Strategies = []*compose.StrategyDefinition{mustStrategy(tb, "extensionSlots", []any{"selection", "projection", "capture"})}
	}
	if rapid.Bool().Draw(t, "extension") {
		slot := rapid.SampledFrom([]string{"selection", "projection", "capture"}).Draw(t, "slot")
		target := rapid.SampledFrom([]string{"s", "z", "*"}).Draw(t, "target")
		b.c.Extensions = []*compose.ExtensionDefinition{mustExtension(tb, "slot", slot, "strategyTypeId", target)}
	}
	if rapid.Bool().Draw(t, "plugin") {
		roles := rapid.SampledFrom([][]any{{"source"}, {"source", "strategy", "strategy-extension"}}).Draw(t, "roles")
		b.c.Plugin = pluginDescriptor("roles", roles)
	}
	return b
}

// TestRegistryIsAtomic (MN58): a batch is in as a whole or not at all, a removal
// takes back what its batch put in, once, and each change is told once.
func TestRegistryIsAtomic(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := compose.NewRegistry()
		var installed []func()
		total, changes := 0, 0
		rt.Repeat(map[string]func(*rapid.T){
			"install": func(rt *rapid.T) {
				b := drawBatch(rt, t)
				before := r.Snapshot()
				remove, err := r.Install(b.c, compose.InstallOptions{InstanceID: b.id})
				if err != nil {
					if diff := cmp.Diff(before, r.Snapshot()); diff != "" {
						rt.Fatalf("refused (%v) and changed:\n%s", err, diff)
					}
					return
				}
				n := len(b.c.Sources) + len(b.c.Strategies) + len(b.c.Extensions) + described(b)
				total, changes = total+n, changes+1
				installed = append(installed, func() {
					remove()
					remove()
					total, changes = total-n, changes+1
				})
			},
			"remove": func(rt *rapid.T) {
				if len(installed) == 0 {
					rt.Skip("nothing to remove")
				}
				i := rapid.IntRange(0, len(installed)-1).Draw(rt, "which")
				installed[i]()
				installed = slices.Delete(installed, i, i+1)
			},
			"": func(rt *rapid.T) {
				s := r.Snapshot()
				if s.Revision != changes || len(r.Told) != changes || size(s) != total {
					rt.Fatalf("%+v, told %v, after %d changes to %d contributions", s, r.Told, changes, total)
				}
			},
		})
		for _, remove := range installed {
			remove()
		}
		if s := r.Snapshot(); size(s) != 0 {
			rt.Fatalf("left after all was removed: %+v", s)
		}
	})
}

func described(b batch) int {
	if b.c.Plugin == nil {
		return 0
	}
	return 1
}

func size(s compose.Snapshot) int {
	return len(s.Sources) + len(s.Strategies) + len(s.Extensions) + len(s.Plugins)
}

// TestOrderOfExtensions (MN62): whichever order extensions are installed in, the
// same take part, in the order of their keys, and the same are refused for all.
func TestOrderOfExtensions(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		slots := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"selection", "projection", "capture", "own"}), 1, 4, rapid.ID[string]).Draw(rt, "slots")
		ids := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-zA-Z0-9][a-zA-Z0-9._:/-]{0,3}`), len(slots), len(slots), rapid.ID[string]).Draw(rt, "ids")
		target := rapid.SampledFrom([]string{"s", "other"}).Draw(rt, "target")
		evaluate := func(order []int) compose.Evaluation {
			r := compose.NewRegistry()
			base := compose.Contribution{
				Sources:    []*compose.SourceDefinition{mustSource(t)},
				Strategies: []*compose.StrategyDefinition{mustStrategy(t, "extensionSlots", []any{"selection", "projection", "capture", "own"})},
			}
			if _, err := r.Install(base, compose.InstallOptions{InstanceID: "base"}); err != nil {
				rt.Fatal(err)
			}
			for _, i := range order {
				c := compose.Contribution{Extensions: []*compose.ExtensionDefinition{mustExtension(t, "slot", slots[i], "strategyTypeId", target)}}
				if _, err := r.Install(c, compose.InstallOptions{InstanceID: ids[i]}); err != nil {
					rt.Fatal(err)
				}
			}
			e, err := r.Evaluate(compose.Settings{})
			if err != nil {
				rt.Fatal(err)
			}
			return e
		}
		order := make([]int, len(slots))
		for i := range order {
			order[i] = i
		}
		want := evaluate(order)
		got := evaluate(rapid.Permutation(order).Draw(rt, "order"))
		if diff := cmp.Diff(want, got); diff != "" {
			rt.Fatalf("(-one order +another):\n%s", diff)
		}
		if !slices.IsSortedFunc(got.Extensions, jsonvalue.CompareKeys) {
			rt.Fatalf("not in the order of their keys: %v", got.Extensions)
		}
	})
}

// TestConcurrentInstalls: of many that want the same key one has it, and no change
// is lost.
func TestConcurrentInstalls(t *testing.T) {
	r := compose.NewQuietRegistry()
	d := mustSource(t)
	var wg sync.WaitGroup
	for i := range 32 {
		wg.Go(func() {
			c := compose.Contribution{Sources: []*compose.SourceDefinition{d}}
			remove, err := r.Install(c, compose.InstallOptions{InstanceID: fmt.Sprintf("e%d", i%8)})
			if err == nil && i%2 == 0 {
				remove()
			}
		})
	}
	wg.Wait()
	s := r.Snapshot()
	sorted := slices.Sorted(slices.Values(s.Sources))
	if len(slices.Compact(sorted)) != len(s.Sources) {
		t.Errorf("a key twice: %v", s.Sources)
	}
	if s.Revision < 8 {
		t.Errorf("revision %d", s.Revision)
	}
}

// TestListenerMayInstall: it is told after the change and outside the lock.
func TestListenerMayInstall(t *testing.T) {
	d := mustSource(t)
	var r *compose.Registry
	seen := 0
	r = compose.NewListenedRegistry(func(s compose.Snapshot) {
		seen = max(seen, s.Revision)
		if s.Revision == 1 {
			c := compose.Contribution{Sources: []*compose.SourceDefinition{d}}
			if _, err := r.Install(c, compose.InstallOptions{InstanceID: "second"}); err != nil {
				t.Error(err)
			}
		}
	})
	c := compose.Contribution{Sources: []*compose.SourceDefinition{d}}
	if _, err := r.Install(c, compose.InstallOptions{InstanceID: "first"}); err != nil {
		t.Fatal(err)
	}
	if want := []string{"source:first", "source:second"}; !slices.Equal(r.Snapshot().Sources, want) || seen != 2 {
		t.Errorf("%v, told of revision %d", r.Snapshot().Sources, seen)
	}
}
