package service_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/cordis/service"
	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

func piece(name string, order float64, text any) any {
	return obj("name", name, "order", order, "text", text)
}

func TestSystemPrompt(t *testing.T) {
	w := newWorld(t)
	p := newPeer()
	w.caller.Peer = p
	late := w.call("systemPrompt.section", piece("late", 10, "Late, {{who}}.")).(wire.Func)
	w.call("systemPrompt.section", piece("early", -1, p.function(func(context.Context, []any) (any, error) { return "Early, {{who}}.", nil })))
	w.call("systemPrompt.section", piece("broken", 0, p.function(func(context.Context, []any) (any, error) { return nil, errors.New("broken") })))
	w.call("systemPrompt.section", obj("name", "plain", "text", p.function(func(context.Context, []any) (any, error) { return 5.0, nil })))
	w.call("systemPrompt.context", piece("late", 0, "Said beside."))
	w.call("systemPrompt.tools", piece("x", 0, "Use {{who}}'s tools."))
	w.call("systemPrompt.variable", "who", "Ada")
	want := `{"system":"Early, Ada.\n\nLate, Ada.","context":"Said beside.","tools":"Use Ada's tools.","skipped":[{"name":"broken","message":"broken"},{"name":"plain","message":"the function gave no text of at most 64 KiB"}]}`
	if diff := cmp.Diff(want, jsonvalue.Format(w.call("systemPrompt.assemble"))); diff != "" {
		t.Error(diff)
	}
	_, err := w.try("systemPrompt.section", piece("late", 0, "again"))
	refused(t, err, "taken")
	w.callFunc(late)
	w.call("systemPrompt.section", piece("late", 0, "again"))
	for name, args := range map[string][]any{
		"systemPrompt.section":  {obj("name", "x")},
		"systemPrompt.context":  {"text"},
		"systemPrompt.tools":    {obj("name", "x", "order", "1", "text", "y")},
		"systemPrompt.variable": {"a b", "x"},
	} {
		_, err := w.try(name, args...)
		refused(t, err, "ERR_INVALID_ARG")
	}
	_, err = w.try("systemPrompt.section", piece("long", 0, strings.Repeat("x", 64<<10+1)))
	refused(t, err, "ERR_INVALID_ARG")
	w.services.Release("run-1")
	got, err := w.services.Prompt(context.Background())
	if diff := cmp.Diff(service.Prompt{}, got); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.events) != 16 || w.events[0] != "system-prompt/change" {
		t.Errorf("told of %d changes: %v", len(w.events), w.events)
	}
}

func TestSystemPromptIsCancelled(t *testing.T) {
	w := newWorld(t)
	p := newPeer()
	w.caller.Peer = p
	entered := make(chan struct{})
	w.call("systemPrompt.section", piece("slow", 0, p.function(func(ctx context.Context, _ []any) (any, error) {
		close(entered)
		<-ctx.Done()
		return nil, ctx.Err()
	})))
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() {
		_, err := w.services.Call(ctx, w.caller, w.method("systemPrompt.assemble"), nil)
		done <- err
	}()
	<-entered
	cancel()
	refused(t, <-done, "ABORT_ERR")
}

func TestSkills(t *testing.T) {
	w := newWorld(t)
	w.write(".agents/skills/cut/SKILL.md", "---\nname: cutting\ndescription: How to cut.\n---\n\n# Cut\n")
	w.write("skills/plain/SKILL.md", "# Plain\n")
	w.write("skills/cutting-too/SKILL.md", "---\r\nname: cutting\r\ndescription: later\r\n---\r\n")
	w.write("skills/odd/SKILL.md", "---\nname: [\n---\n")
	w.write("skills/empty/README.md", "x")
	w.write("secret/SKILL.md", "secret")
	if err := errors.Join(os.Symlink("../secret", filepath.Join(w.root, "skills/link")), os.MkdirAll(filepath.Join(w.root, "skills/file"), 0o755), os.Symlink("../../secret/SKILL.md", filepath.Join(w.root, "skills/file/SKILL.md")), os.Symlink("skills", filepath.Join(w.root, ".claude"))); err != nil {
		t.Fatal(err)
	}
	want := `[{"name":"cutting","description":"How to cut.","path":".agents/skills/cut/SKILL.md"},{"name":"odd","description":"","path":"skills/odd/SKILL.md"},{"name":"plain","description":"","path":"skills/plain/SKILL.md"}]`
	if diff := cmp.Diff(want, jsonvalue.Format(w.call("skills.list"))); diff != "" {
		t.Error(diff)
	}
	if got := get(t, w.call("skills.read", "plain"), "content"); got != "# Plain\n" {
		t.Errorf("%q", got)
	}
	_, err := w.try("skills.read", "../secret")
	refused(t, err, "ENOENT")
	_, err = w.try("skills.read", 5.0)
	refused(t, err, "ERR_INVALID_ARG")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = w.services.Call(ctx, w.caller, w.method("skills.list"), nil)
	refused(t, err, "ABORT_ERR")
	if got := jsonvalue.Format(newWorld(t).call("skills.list")); got != "[]" {
		t.Error(got)
	}
}

func TestStorage(t *testing.T) {
	w := newWorld(t)
	if got := w.call("storage.get", "a"); got != (wire.Undefined{}) {
		t.Error(got)
	}
	w.call("storage.set", "a", obj("n", []any{1.0, nil}))
	w.call("storage.set", "__proto__", "x")
	w.call("storage.set", "a", obj("n", []any{2.0}))
	if got := jsonvalue.Format(w.call("storage.get", "a")); got != `{"n":[2]}` {
		t.Error(got)
	}
	if got := jsonvalue.Format(w.call("storage.keys")); got != `["a","__proto__"]` {
		t.Error(got)
	}
	same := w.caller
	w.caller.PluginID, w.caller.RunID = "clock-7", "run-2"
	if got := w.call("storage.get", "__proto__"); got != "x" {
		t.Errorf("a plugin of the same prefix sees %v", got)
	}
	w.caller.PluginID = "other-1"
	if got := w.call("storage.get", "a"); got != (wire.Undefined{}) {
		t.Errorf("another plugin sees %v", got)
	}
	w.caller = same
	if w.call("storage.delete", "a") != true || w.call("storage.delete", "a") != false {
		t.Error("delete is wrong")
	}
	for _, args := range [][]any{{}, {5.0, "x"}, {"", "x"}, {strings.Repeat("k", 257), "x"}, {"k"}, {"k", wire.Undefined{}}, {"k", wire.Func{}}, {"k", obj("f", wire.Func{})}, {"k", []any{wire.Bytes("x")}}} {
		_, err := w.try("storage.set", args...)
		refused(t, err, "ERR_INVALID_ARG")
	}
	_, err := w.try("storage.set", "big", strings.Repeat("x", 1<<20))
	refused(t, err, "limit")
	if info, err := os.Stat(filepath.Join(w.root, ".cordis/storage/clock.json")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file: %v, %v", info, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = w.services.Call(ctx, w.caller, w.method("storage.set"), []any{"k", "v"})
	refused(t, err, "ABORT_ERR")
	w.write(".cordis/storage/clock.json", "{")
	for name, args := range map[string][]any{"storage.get": {"a"}, "storage.set": {"a", 1.0}, "storage.keys": nil, "storage.delete": {"a"}} {
		_, err := w.try(name, args...)
		refused(t, err, "storage-damaged")
	}
	if w.content(".cordis/storage/clock.json") != "{" {
		t.Error("the damaged file was replaced")
	}
	w.caller.PluginID = "../x-1"
	_, err = w.try("storage.set", "a", 1.0)
	refused(t, err, "")
}

// A cloned workspace may bring a link in place of the folder.
func TestStorageIsConfined(t *testing.T) {
	w := newWorld(t)
	outside := t.TempDir()
	if err := errors.Join(os.Mkdir(filepath.Join(w.root, ".cordis"), 0o700), os.Symlink(outside, filepath.Join(w.root, ".cordis/storage"))); err != nil {
		t.Fatal(err)
	}
	_, err := w.try("storage.set", "a", 1.0)
	refused(t, err, "storage-damaged")
	if names, err := os.ReadDir(outside); err != nil || len(names) > 0 {
		t.Errorf("%v, %v", names, err)
	}
}

func TestStorageLosesNothing(t *testing.T) {
	w := newWorld(t)
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			if _, err := w.try("storage.set", fmt.Sprint("k", i), float64(i)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got := len(w.call("storage.keys").([]any)); got != 20 {
		t.Errorf("%d of 20 keys", got)
	}
}
