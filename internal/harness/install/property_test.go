package install_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/internal/harness"
	"github.com/dshkit/dshkit/internal/harness/install"
	"github.com/dshkit/dshkit/internal/harness/jsontext"
)

// anyJSON draws a value of JSON.
func anyJSON(depth int) *rapid.Generator[any] {
	leaf := rapid.OneOf(
		rapid.Just[any](nil), rapid.Just[any](true), rapid.Just[any](json.Number("12345678901234567890")),
		rapid.Custom(func(t *rapid.T) any { return rapid.String().Draw(t, "text") }),
	)
	if depth == 0 {
		return leaf
	}
	return rapid.OneOf(leaf,
		rapid.Custom(func(t *rapid.T) any { return rapid.SliceOfN(anyJSON(depth-1), 0, 3).Draw(t, "list") }),
		rapid.Custom(func(t *rapid.T) any {
			return rapid.MapOfN(rapid.StringMatching(`[a-z"é]{0,4}`), anyJSON(depth-1), 0, 3).Draw(t, "object")
		}),
	)
}

// anyHooks draws what can stand under "hooks" and is not refused.
func anyHooks(t *rapid.T) map[string]any {
	command := rapid.SampledFrom([]string{"beep", "selfip hook codex Stop", "/x/selfip hookclaude-code", "a && b"})
	handler := rapid.Custom(func(t *rapid.T) any {
		return map[string]any{"type": "command", "command": command.Draw(t, "command")}
	})
	group := rapid.OneOf(anyJSON(1), handler, rapid.Custom(func(t *rapid.T) any {
		return map[string]any{"hooks": rapid.SliceOfN(handler, 0, 3).Draw(t, "handlers"), "matcher": "*"}
	}))
	names := rapid.SampledFrom([]string{"Stop", "stop", "SessionEnd", "sessionEnd", "PreToolUse", "PostToolUse", "Other"})
	hooks := map[string]any{}
	for name, groups := range rapid.MapOfN(names, rapid.SliceOfN(group, 0, 3), 0, 4).Draw(t, "hooks") {
		hooks[name] = groups
	}
	return hooks
}

// anySettings draws the text of a settings file in some layout.
func anySettings(t *rapid.T) []byte {
	root := rapid.MapOfN(rapid.StringMatching(`[a-z]{1,4}`), anyJSON(2), 0, 3).Draw(t, "root")
	if rapid.Bool().Draw(t, "has hooks") {
		root["hooks"] = anyHooks(t)
	}
	text, err := json.Marshal(root)
	if err != nil {
		t.Fatal(err)
	}
	if unit := rapid.SampledFrom([]string{"", "  ", "    ", "\t"}).Draw(t, "unit"); unit != "" {
		var b bytes.Buffer
		if err := json.Indent(&b, text, "", unit); err != nil {
			t.Fatal(err)
		}
		text = b.Bytes()
	}
	if rapid.Bool().Draw(t, "CRLF") {
		text = bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
	}
	blanks := rapid.SampledFrom([]string{"", "\n", "\r\n", " \n\n"})
	return []byte(blanks.Draw(t, "before") + string(text) + blanks.Draw(t, "after"))
}

func decoded(t rapid.TB, text []byte) map[string]any {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var v map[string]any
	if err := decoder.Decode(&v); err != nil {
		t.Fatalf("%v in:\n%s", err, text)
	}
	return v
}

// TestUninstallUndoesInstall: the bytes come back, and without a record the
// meaning does, whatever the layout.
func TestUninstallUndoesInstall(t *testing.T) {
	var files []install.Target
	for _, h := range hooked {
		files = append(files, first(t, h))
	}
	rapid.Check(t, func(t *rapid.T) {
		before := anySettings(t)
		file := rapid.SampledFrom(files).Draw(t, "file")
		o := options
		o.Trace = rapid.Bool().Draw(t, "trace") && file.Harness == harness.ClaudeCode
		if bytes.Contains(before, []byte("selfip hook "+string(file.Harness)+" ")) {
			return // ours before us: it goes, on purpose
		}
		plan := file.Install(before, o)
		if plan.Refusal != nil {
			t.Fatalf("refused %v:\n%s", plan.Refusal, before)
		}
		if again := file.Install(plan.After, o); again.Changed() {
			t.Fatalf("a second install changes:\n%s", install.Diff(plan.After, again.After, "f"))
		}
		record := plan.Record("1", "", nil)
		if gone := file.Uninstall(plan.After, program, &record); !bytes.Equal(gone.After, before) {
			t.Fatalf("left:\n%s", install.Diff(before, gone.After, "f"))
		}
		record.Undo = nil
		gone := file.Uninstall(plan.After, program, &record)
		if got, want := decoded(t, gone.After), decoded(t, before); !reflect.DeepEqual(got, emptied(want, plan.Entries)) {
			t.Fatalf("without the undo:\n%s", install.Diff(before, gone.After, "f"))
		}
		if !bytes.Contains(before, []byte("[]")) && !bytes.Contains(before, []byte("{}")) && len(gone.After) != len(before) {
			t.Fatalf("without the undo, layout:\n%s", install.Diff(before, gone.After, "f"))
		}
	})
}

// emptied is what uninstall leaves of settings: lists that were empty before us
// go with our entry.
func emptied(settings map[string]any, entries []install.EntryRef) map[string]any {
	hooks, _ := settings["hooks"].(map[string]any)
	for _, e := range entries {
		if list, ok := hooks[e.Event].([]any); ok && len(list) == 0 {
			delete(hooks, e.Event)
		}
	}
	return settings
}

// TestInstallKeepsOthers: what others have stays, byte for byte, in its order.
func TestInstallKeepsOthers(t *testing.T) {
	file := target(t, harness.ClaudeCode)
	rapid.Check(t, func(t *rapid.T) {
		before := anySettings(t)
		plan := file.Install(before, options)
		if plan.Refusal != nil {
			t.Fatal(plan.Refusal)
		}
		old, now := decoded(t, before), decoded(t, plan.After)
		hooks, _ := old["hooks"].(map[string]any)
		changed, _ := now["hooks"].(map[string]any)
		for name, groups := range hooks {
			list, ok := groups.([]any)
			if !ok {
				continue
			}
			after := changed[name].([]any)
			if len(after) < len(list) || !reflect.DeepEqual(after[:len(list):len(list)], list) && len(list) > 0 {
				t.Fatalf("%s was %v, is %v", name, list, after)
			}
		}
		delete(old, "hooks")
		delete(now, "hooks")
		if !reflect.DeepEqual(old, now) {
			t.Fatalf("others' settings changed:\n%s", install.Diff(before, plan.After, "f"))
		}
	})
}

func FuzzInstall(f *testing.F) {
	for _, refused := range []bool{false, true} {
		for _, text := range settings(f, refused) {
			f.Add(uint8(len(text)), text)
		}
	}
	more, err := filepath.Glob("testdata/commented/*.json")
	if err != nil || len(more) < 9 {
		f.Fatalf("%d files, error %v", len(more), err)
	}
	for _, name := range more {
		f.Add(uint8(3), read(f, name))
	}
	f.Fuzz(func(t *testing.T, which uint8, before []byte) {
		file := first(t, hooked[int(which)%len(hooked)])
		plan := file.Install(before, options)
		if plan.Refusal != nil {
			if plan.Refusal.Code == "install-check-failed" || plan.Changed() {
				t.Fatalf("%v, changed %v", plan.Refusal, plan.Changed())
			}
			return
		}
		fresh := len(file.Status(before, program).Entries) == 0
		if again := file.Install(plan.After, options); again.Changed() {
			t.Fatalf("a second install changes:\n%s", install.Diff(plan.After, again.After, "f"))
		}
		record := plan.Record("1", "", nil)
		gone := file.Uninstall(plan.After, program, &record)
		if fresh && !bytes.Equal(gone.After, before) {
			t.Fatalf("left:\n%s", install.Diff(before, gone.After, "f"))
		}
		bare := file.Uninstall(plan.After, program, nil)
		if bare.Refusal != nil || len(file.Status(bare.After, program).Entries) != 0 {
			t.Fatalf("without a record: %v\n%s", bare.Refusal, bare.After)
		}
		if _, err := jsontext.ParseCommented(bare.After); len(bytes.TrimSpace(before)) > 0 && err != nil {
			t.Fatalf("%v:\n%s", err, bare.After)
		}
		if _, err := jsontext.Parse(before); err == nil {
			if _, err := jsontext.Parse(bare.After); err != nil {
				t.Fatalf("strict before, now %v:\n%s", err, bare.After)
			}
		}
	})
}
