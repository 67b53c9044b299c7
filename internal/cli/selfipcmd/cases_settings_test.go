package selfipcmd_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"github.com/dshkit/dshkit/internal/cli/selfipcmd"
	"github.com/dshkit/dshkit/internal/config"
)

// settingCase writes a value of each layer; "-" is none.
func (b *box) settingCase(key, variable, env, workspace, global string) {
	b.t.Helper()
	if global != "-" {
		lay(b.t, b.home+"/.dsh/self-improvement/config.json", fmt.Sprintf("{%q:%q}\n", key, global))
	}
	if workspace != "-" {
		lay(b.t, b.path("config.json"), fmt.Sprintf("{%q:%q}\n", key, workspace))
	}
	switch env {
	case "-":
	case "(empty)":
		b.vars[variable] = ""
	default:
		b.vars[variable] = env
	}
}

// setting returns a setting as config show tells it.
func (b *box) setting(key string) config.Item {
	b.t.Helper()
	var doc selfipcmd.ConfigJSON
	b.json(&doc, "config", "show")
	for _, item := range doc.Settings {
		if item.Key == key {
			return item
		}
	}
	b.t.Fatalf("config show does not tell of %s", key)
	return config.Item{}
}

func TestCase76EnvironmentWithoutADefault(t *testing.T) {
	for _, row := range caseRows(t, "76-environment-without-a-default", "combos.tsv") {
		b := newBox(t)
		b.settingCase("scope", "SELFIP_SCOPE", row[0], row[1], row[2])
		r := b.run("scope", "--json")
		want, _, _ := strings.Cut(row[3], " ")
		var got selfipcmd.ScopeJSON
		if oneDocument(t, r.out, &got); got.Scope != want {
			t.Errorf("env %s, workspace %s, global %s: scope %q, want %q", row[0], row[1], row[2], got.Scope, want)
		}
		if warned := strings.Contains(r.err, "SELFIP_SCOPE"); warned != (row[0] == "nonsense") {
			t.Errorf("env %s: stderr %q, want a warning that names the variable only for nonsense", row[0], r.err)
		}
	}
	for value, want := range map[string]string{` both "`: "workspace", "BOTH": "both", "": "workspace"} {
		b := newBox(t)
		b.vars["SELFIP_SCOPE"] = value
		got := b.setting("scope").Value
		if got != want && !(got == "both" && value != "") {
			t.Errorf("SELFIP_SCOPE=%q gives %v, want %s and never a fourth scope", value, got, want)
		}
	}
}

// TestCase76AllCombinations has 27 rows for each key, with and without values.
func TestCase76AllCombinations(t *testing.T) {
	for _, set := range []struct {
		key, variable                        string
		env, workspace, global, defaultValue string
	}{
		{"scope", "SELFIP_SCOPE", "both", "global", "both", "workspace"},
		{"globalDir", "SELFIP_GLOBAL_DIR", "/srv/env", "/srv/workspace", "/srv/global", ""},
	} {
		for i := range 8 {
			b := newBox(t)
			pick := func(bit int, value string) string {
				if i&bit == 0 {
					return "-"
				}
				return value
			}
			env, workspace, global := pick(4, set.env), pick(2, set.workspace), pick(1, set.global)
			b.settingCase(set.key, set.variable, env, workspace, global)
			want, layer := any(set.defaultValue), config.LayerDefault
			if set.key == "globalDir" {
				want = filepath.Join(b.home, ".dsh", "self-improvement")
			}
			for _, l := range []struct {
				value string
				layer config.Layer
			}{{global, config.LayerGlobal}, {workspace, config.LayerWorkspace}, {env, config.LayerEnvironment}} {
				if l.value != "-" {
					want, layer = l.value, l.layer
				}
			}
			if got := b.setting(set.key); got.Value != want || got.Origin.Layer != layer {
				t.Errorf("%s with env %s, workspace %s, global %s: %v from %s; want %v from %s",
					set.key, env, workspace, global, got.Value, got.Origin.Layer, want, layer)
			}
		}
	}
}

func TestCase77CommentsInJSON(t *testing.T) {
	b := caseBox(t, "77-comments-in-json-config")
	before := b.file("config.json")
	r := b.run("scope", "--json")
	var got selfipcmd.ScopeJSON
	if oneDocument(t, r.out, &got); got.Scope != "workspace" || !strings.Contains(r.err, "config.json") || !strings.Contains(r.err, "2") {
		t.Errorf("scope %q, stderr %q; want the safe one, and the place of the comment", got.Scope, r.err)
	}
	b.vars["SELFIP_SCOPE"] = "" // the file says nothing now
	b.refused(65, "config", "set", "autoPromote", "true")
	if b.file("config.json") != before {
		t.Errorf("config.json is %q, want it untouched", b.file("config.json"))
	}
}

func TestCase78MisspeltKey(t *testing.T) {
	b := caseBox(t, "78-misspelt-key")
	b.vars["SELFIP_SCOP"] = "both"
	r := b.run("inject", "--json")
	var doc selfipcmd.InjectJSON
	if oneDocument(t, r.out, &doc); r.code != 0 || doc.Budget != 3200 {
		t.Errorf("exit %d, budget %d; want 0 and the default", r.code, doc.Budget)
	}
	for _, row := range [][2]string{{"scpoe", "scope"}, {"InjectChars", "injectChars"}, {"inject_chars", "injectChars"}, {"SELFIP_SCOP", "SELFIP_SCOPE"}} {
		n := 0
		for _, line := range strings.Split(r.err, "\n") {
			if strings.Contains(line, `"`+row[0]+`"`) || strings.Contains(line, row[0]+" ") {
				n++
				if !strings.Contains(line, row[1]) {
					t.Errorf("warning %q, want it to name %s", line, row[1])
				}
			}
		}
		if n != 1 {
			t.Errorf("%d warnings of %s in %q, want 1", n, row[0], r.err)
		}
	}
	if got := b.setting("scope"); got.Value != "workspace" {
		t.Errorf("scope %v, want the default", got.Value)
	}
}

// TestCase81 changes the scope while a session is open: its next prompt follows.
func TestCase81TwoViewsOfOneSetting(t *testing.T) {
	b := newBox(t)
	global := b.home + "/.dsh/self-improvement"
	lay(t, global+"/self-improvement/memory/facts.md", "- [2026-05-01T09:00:00Z] (fact) marker-condor is shared {imp:6}\n")
	lay(t, b.path("memory/facts.md"), "- [2026-05-01T09:00:00Z] (fact) marker-heron is near {imp:6}\n")
	said := b.hook("claude-code", b.event("s1", "SessionStart", "source", "startup"))
	if !strings.Contains(said, "heron") || strings.Contains(said, "condor") {
		t.Errorf("start gives %q, want the workspace's alone", said)
	}
	b.ok("scope", "both")
	said = b.hook("claude-code", b.event("s1", "UserPromptSubmit", "prompt", "go on please"))
	if !strings.Contains(said, "condor") {
		t.Errorf("after scope both the next prompt gets %q, want the shared fact", said)
	}
	lay(t, b.path("config.json"), `{"scope":"global"}`) // by hand
	said = b.hook("claude-code", b.event("s1", "UserPromptSubmit", "prompt", "go on again"))
	if !strings.Contains(said, "condor") || strings.Contains(said, "heron") {
		t.Errorf("after scope global by hand the next prompt gets %q, want the shared fact alone", said)
	}

	out := b.ok("scope", "--global", "both")
	if !strings.Contains(out, b.path("config.json")) {
		t.Errorf("scope --global says %q, want that the workspace's file still counts", out)
	}
	got := b.setting("scope")
	if got.Value != "global" || got.Origin.Layer != config.LayerWorkspace {
		t.Errorf("scope %v from %s, want global from the workspace", got.Value, got.Origin.Layer)
	}
	b.vars["SELFIP_SCOPE"] = "workspace"
	if got := b.setting("scope"); got.Value != "workspace" || got.Origin.Where != "SELFIP_SCOPE" {
		t.Errorf("scope %v from %q, want workspace from the variable", got.Value, got.Origin.Where)
	}
}

func TestCase82DayWith25Hours(t *testing.T) {
	for _, row := range caseRows(t, "82-day-with-25-hours", "cases.tsv") {
		zone, err := time.LoadLocation(row[0])
		if err != nil {
			t.Fatal(err)
		}
		at, err := time.Parse(time.RFC3339, row[2])
		if err != nil {
			t.Fatal(err)
		}
		b := newBox(t)
		b.clock = at.In(zone)
		b.ok("remember", "fact: api key of the test stand")
		var listed selfipcmd.MemoryJSON
		b.json(&listed, "memory")
		stamp := listed.Libraries[0].Entries[0].At
		wrote, err := time.Parse(time.RFC3339Nano, stamp)
		if err != nil || !wrote.Equal(at) || !strings.HasPrefix(stamp, row[1]) || !strings.HasPrefix(stamp, row[3]) {
			t.Errorf("%s: stamp %q, want %s with the offset of its day", row[0], stamp, row[1])
		}
		var found selfipcmd.SearchJSON
		for _, off := range []time.Duration{-time.Second, time.Second} {
			b.clock = at.Add(30*24*time.Hour + off).In(zone) // the rule: 24 hours a day, in every zone
			b.json(&found, "search", "test stand")
			if got := slices.Contains(found.Hits[0].Marks, "expired"); got != (off > 0) {
				t.Errorf("%s: expired %v at 30 days %+v, want %v", row[0], got, off, off > 0)
			}
		}
	}
}

func TestCase85ClockSetBack(t *testing.T) {
	b := caseBox(t, "85-clock-set-back")
	ahead := b.clock.Add(90 * 24 * time.Hour).UnixMilli()
	lay(t, b.path("logs/pending.md"), fmt.Sprintf(
		`{"t":"2026-12-14T12:00:00Z","file":"logs/s-1.md","errors":0,"toolErrors":0,"recovered":false,"attempts":1,"lastAttemptAt":%d,"dueAt":%d}`+"\n",
		ahead, ahead))
	lay(t, b.path("logs/s-1.md"), "# Session s-1 @ 2026-09-01T10:00:00+00:00\n")
	var ran selfipcmd.RanJSON
	if b.json(&ran, "queue", "run"); len(ran.Learned) != 1 {
		t.Errorf("queue run came to %+v, want the row tried: a time in the future is not waiting", ran)
	}
	b.ok("remember", "fact: first of two new ones")
	b.ok("remember", "fact: second of two new ones")
	texts := b.entries()
	first, second := slices.Index(texts, "first of two new ones"), slices.Index(texts, "second of two new ones")
	if first < 0 || second != first+1 {
		t.Errorf("entries %q, want the new ones in the order of writing", texts)
	}
	var doc selfipcmd.InjectJSON
	b.json(&doc, "inject", "--explain")
	scores := map[string]float64{}
	for _, e := range doc.Entries {
		scores[e.Text] = float64(e.Parts.Recency)
	}
	if scores["from the far future"] > scores["first of two new ones"] {
		t.Errorf("freshness %v, want that of the future no higher than that of today", scores)
	}
	if out := b.ok("status"); strings.Count(out, "clock") != 1 {
		t.Errorf("status %q, want it to mention the clock once", out)
	}
	if _, err := os.Stat(b.path("memory/archive")); err == nil {
		t.Error("an archive came to be")
	}
}
