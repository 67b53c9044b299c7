package sandbox_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/cordis/sandbox"
	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// What is thrown and is no error says what it is.
func TestThrownObjects(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	w.run(`for (const [name, v] of Object.entries({ array: ['a', 'b'], date: new Date(0), map: new Map(), text: { message: 'mine' } }))
		harness.handle(name, () => { throw v })
	return () => {}`)
	for method, want := range map[string]string{"array": "[object Array]", "date": "[object Date]", "map": "[object Map]", "text": "mine"} {
		_, err := w.invoke(method, nil)
		if got, ok := errors.AsType[*wire.Thrown](err); !ok || got.Message != want {
			t.Errorf("%s: %+v", method, got)
		}
	}
}

// sample 07
func TestHandlers(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	w.run(sample(t, "07-handler-json", "host.js"))
	w.expect(golden(t, "07-handler-json", 0))
	for method, want := range map[string]string{
		"scalar": `"text"`, "nested": `{"a":[1,{"b":[true,null]}]}`, "promise": `{"ok":1}`, "async-value": `[1]`, "own-getter": `{"a":5}`,
		"null-proto": `{"a":1}`, "proto-key": `{"__proto__":{"a":1}}`, "shared": `{"a":{"n":1},"b":{"n":1}}`, "proxy": `{"a":1}`, "twice": `"second"`,
	} {
		if got, err := w.invoke(method, nil); err != nil || jsonvalue.Format(got) != want {
			t.Errorf("%s gave %s, %v", method, jsonvalue.Format(got), err)
		}
	}
	for method, path := range map[string]string{
		"undefined": "", "undefined-field": ".a", "nan": "", "infinity": "[0]", "negative-zero": "", "bigint": "", "symbol": "", "function": "",
		"date": "", "map": "", "set": ".s", "regexp": "", "error": "", "instance": "", "sparse": "", "array-extra": "", "symbol-key": "",
		"hidden-key": "", "cyclic": ".self", "array-subclass": "", "typed": "", "boxed": "", "tojson": ".toJSON",
	} {
		_, err := w.invoke(method, nil)
		want := "json.lossy(harness.handle(\"" + method + "\") result" + path + ")"
		if err == nil || gist(err.Error()) != want {
			t.Errorf("%s: %v, want %s", method, err, want)
		}
	}
	for method, want := range map[string]wire.Thrown{
		"throws": {Name: "TypeError", Message: "handler blew up"}, "rejects": {Name: "Error", Message: "async blew up"},
		"throws-string": {Message: "plain text", Plain: true}, "throws-null": {Message: "null", Plain: true},
		"throws-object": {Message: "[object Object]"},
	} {
		_, err := w.invoke(method, nil)
		got, ok := errors.AsType[*wire.Thrown](err)
		if !ok || got.Name != want.Name || got.Message != want.Message || got.Plain != want.Plain || (got.Stack == "") != (want.Name == "") {
			t.Errorf("%s: %+v", method, got)
		}
	}
	for _, method := range []string{"gone", "missing"} {
		if _, err := w.invoke(method, nil); fault(err) != wire.CodeNoMethod {
			t.Errorf("%s: %v", method, err)
		}
	}
	if got, err := w.invoke("drop-twice", nil); err != nil || got != "dropped" {
		t.Errorf("drop-twice: %v, %v", got, err)
	}
	if _, err := w.invoke("twice", nil); fault(err) != wire.CodeNoMethod {
		t.Errorf("twice: %v", err)
	}
	for _, args := range []any{nil, jsonvalue.Of("a", []any{1.0, 2.0}), "text", []any{}, -1.5} {
		got, err := w.invoke("echo", args)
		o, _ := jsonvalue.Map(got)
		if back, _ := o.Get("got"); err != nil || !jsonvalue.Equal(back, args) {
			t.Errorf("echo of %v: %v, %v", args, got, err)
		}
	}
}

// A handler that comes when its plugin is undone, or after, is refused as every
// effect is; the body and the next apply may register theirs. 24#9 has it otherwise.
func TestLateHandlers(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	w.run(`const late = () => { try { harness.handle('late', () => 1); return 'taken' } catch (e) { return e.code } }
	harness.handle('try', late)
	return ctx => {
		harness.handle('own', () => 1)
		ctx.effect(() => () => console.log('disposer: ' + late()))
		ctx.effect(() => async () => { await null; console.log('after an await: ' + late()) })
	}`)
	w.mustUnload()
	w.until("both lines", func() bool { return len(w.lines) >= 2 })
	if diff := cmp.Diff([]string{"disposer: INACTIVE_EFFECT", "after an await: INACTIVE_EFFECT"}, w.logs()); diff != "" {
		t.Error(diff)
	}
	if got, err := w.invoke("try", nil); err != nil || got != "INACTIVE_EFFECT" {
		t.Errorf("parked: %v, %v", got, err)
	}
	if _, err := w.invoke("late", nil); fault(err) != wire.CodeNoMethod {
		t.Errorf("late: %v", err)
	}
	if err := w.load(); err != nil {
		t.Fatal(err)
	}
	if got, err := w.invoke("try", nil); err != nil || got != "taken" {
		t.Errorf("loaded again: %v, %v", got, err)
	}
}
