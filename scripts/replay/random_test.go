package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// TestRandomScenarios plays scenarios that nobody thought of, here and under
// Node with the published packages, where there is a Node: both give the same.
func TestRandomScenarios(t *testing.T) {
	program, err := exec.LookPath("node")
	if err != nil {
		return
	}
	p := testPlayer(t)
	dir := t.TempDir()
	if err := os.Symlink(filepath.Join(p.oracle, "node_modules"), filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"run.mjs", "scenarios/plugins"} {
		if err := os.Symlink(filepath.Join(p.oracle, part), filepath.Join(dir, filepath.Base(part))); err != nil {
			t.Fatal(err)
		}
	}
	var files []string
	for seed := range uint64(40) {
		file := filepath.Join(dir, fmt.Sprintf("seed-%02d.json", seed))
		text := jsonvalue.Format(randomScenario(rand.New(rand.NewPCG(seed, 1))))
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	cmd := exec.CommandContext(t.Context(), program, append([]string{"--preserve-symlinks", "--preserve-symlinks-main", "run.mjs", "--record"}, files...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	views := 0
	for _, file := range files {
		recorded, err := os.ReadFile(goldenOf(file))
		if err != nil {
			t.Fatal(err)
		}
		views += strings.Count(string(recorded), `"id": "view:`)
		differences, err := p.check(t.Context(), file)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range differences {
			// What the engine says of a turn that never began is its own affair.
			if !strings.Contains(d, "Cannot read propert") {
				t.Errorf("%s: %s", name(file), d)
			}
		}
	}
	if views < 15 {
		t.Errorf("%d Views came about: the scenarios show little", views)
	}
}

// dice draw parts of a scenario.
type dice struct{ *rand.Rand }

func (d dice) often(percent int) bool { return d.IntN(100) < percent }

func one[T any](d dice, values ...T) T { return values[d.IntN(len(values))] }

// some is an object of those members that are drawn.
func (d dice) some(percent int, pairs ...any) *jsonvalue.Object {
	o := &jsonvalue.Object{}
	for i := 0; i < len(pairs); i += 2 {
		if d.often(percent) {
			o.Set(pairs[i].(string), pairs[i+1])
		}
	}
	return o
}

func op(name string, pairs ...any) any { return jsonvalue.Of("op", name).Merge(jsonvalue.Of(pairs...)) }

func randomScenario(r *rand.Rand) *jsonvalue.Object {
	d := dice{r}
	var steps []any
	keys := []string{"source:s0", "source:s1", "source:s2"}[:1+d.IntN(3)]
	for i := range keys {
		steps = append(steps, op("mount", "module", "./plugins/fixture-source.mjs", "id", fmt.Sprintf("s%d", i), "config", d.source()))
	}
	steps = append(steps, op("mount", "module", "./plugins/fixture-strategy.mjs", "id", "v", "config", d.strategy()))
	if d.often(40) {
		steps = append(steps, op("mount", "module", "./plugins/fixture-extension.mjs", "id", "e", "config", d.extension()))
	}
	d.Shuffle(len(steps), func(i, j int) { steps[i], steps[j] = steps[j], steps[i] })
	steps = append(steps, op("inspect"))
	for turn := range 1 + d.IntN(3) {
		name := fmt.Sprintf("t%d", turn)
		steps = append(steps, op("beginTurn", "turn", name, "request", d.request()))
		for range d.IntN(5) {
			steps = append(steps, d.use(name, one(d, keys...)))
		}
		if d.often(20) {
			steps = append(steps, op("unmount", "id", one(d, "s0", "v")), op("inspect"))
		}
	}
	return jsonvalue.Of("about", "random", "steps", append(steps, op("log")))
}

func (d dice) source() *jsonvalue.Object {
	return d.some(7,
		"typeId", one(d, "notes", "docs"),
		"capabilities", one[any](d, []any{"project"}, []any{"project", "read"}, []any{"write", "project"}),
		"consistency", "namespace-pinned-live-read",
		"management", true,
		"text", one(d, "", "A note.", strings.Repeat("字é😀", 20)),
		"availability", one(d, "degraded", "unavailable", "gone"),
		"routeIds", one[any](d, []any{}, []any{"read"}, []any{"other"}),
		"hints", one[any](d, jsonvalue.Of("a", 1.0), jsonvalue.Of("$date", 0.0), nil),
		"facts", one[any](d, jsonvalue.Of("extra", 1.0), jsonvalue.Of("role", "other"), jsonvalue.Of("revision", jsonvalue.Of("$undefined", 1.0))),
		"fail", d.some(20, "facts", true, "project", true, "query", true, "mutate", true, "create", true),
		"grant", false,
		"grantId", one[any](d, "g", "", 5.0),
		"grantValue", one[any](d, nil, jsonvalue.Of("$nest", 44.0), jsonvalue.Of("$nest", 46.0)),
		"presentation", one[any](d, jsonvalue.Of("visibleItems", 1.0), jsonvalue.Of("visibleItems", 2.0, "totalItems", 1.0), nil),
		"evidence", one[any](d, []any{}, d.items()),
		"evidenceExtra", one[any](d, jsonvalue.Of("truncated", "yes"), jsonvalue.Of("observedAt", ""), jsonvalue.Of("viewId", "x"), jsonvalue.Of("unavailable", " ")),
		"receipt", one[any](d, jsonvalue.Of("status", "cancelled"), jsonvalue.Of("committedAt", "2026/01/01"), jsonvalue.Of("id", "")),
		"completion", one(d, "accepted", "partial", "failed", "weird"),
		"without", []any{one(d, "query", "mutate", "dispose")},
	)
}

func (d dice) items() []any {
	var items []any
	for range d.IntN(6) {
		items = append(items, jsonvalue.Of("id", one(d, "a", " ", "b"), "text", strings.Repeat("t", d.IntN(30)), "provenance", jsonvalue.Of()).Merge(d.some(10, "score", jsonvalue.Of("$nan", 1.0))))
	}
	return items
}

func (d dice) strategy() *jsonvalue.Object {
	return d.some(12,
		"maxSources", float64(1+d.IntN(3)),
		"maxRoutes", float64(1+d.IntN(3)),
		"extensionSlots", one[any](d, []any{"projection"}, []any{"projection", "guidance"}),
		"mode", one(d, "eager", "routed", "none", "odd"),
		"maxCharacters", one(d, 1.0, 12.0, 0.0, 1.5, 10_000_001.0),
		"required", one[any](d, false, true, 5.0),
		"guidance", one[any](d, jsonvalue.Of(), jsonvalue.Of("system", " s "), jsonvalue.Of("routing", ""), 5.0),
		"createTurn", one(d, "single", "fence", "invalid", "unbound"),
		"spec", one[any](d, jsonvalue.Of("sources", 5.0), jsonvalue.Of("sources", []any{}, "explanation", "")),
	)
}

func (d dice) extension() *jsonvalue.Object {
	return d.some(50,
		"slot", one(d, "projection", "guidance"),
		"value", one[any](d, 5.0, "note", nil, jsonvalue.Of("$nest", 49.0)),
		"behaviour", one(d, "random", "date", "throw", "limit", "huge"),
	)
}

func (d dice) request() *jsonvalue.Object {
	return d.some(40,
		"scope", one[any](d, jsonvalue.Of("storage", "custom", "workspaceId", "/p"), 5.0, jsonvalue.Of("zh-CN", 1.0, "en", 2.0)),
		"scenario", one[any](d, "s", "t", " padded ", "", 5.0),
		"budget", jsonvalue.Of(
			"maxProjectionCharacters", one(d, 1.0, 10.0, 1000.0), "maxRoutes", one(d, 1.0, 16.0), "maxActions", one(d, 1.0, 16.0),
			"maxEvidenceResults", one(d, 1.0, 16.0), "maxEvidenceCharacters", one(d, 1.0, 20.0, 1000.0),
		),
	)
}

// use is one operation on a turn.
func (d dice) use(turn, key string) any {
	input := one[any](d, jsonvalue.Of(), jsonvalue.Of("q", "x"), 5.0, nil, jsonvalue.Of("a", jsonvalue.Of("$date", 0.0)))
	switch d.IntN(4) {
	case 0:
		return op("action", "turn", turn, "offer", key+"/write", "input", input, "authorize", d.often(85))
	case 1:
		return op("manage", "useCurrentRevision", d.often(50), "request", jsonvalue.Of(
			"scope", jsonvalue.Of("storage", "custom"), "sourceInstanceKey", key, "mode", one(d, "read", "mutate", "odd"),
			"operation", one(d, "replace", "Bad"), "input", jsonvalue.Of("text", "m"), "confirmed", d.often(70)))
	}
	return op("route", "turn", turn, "route", key+"/read", "input", input)
}
