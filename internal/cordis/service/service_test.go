package service_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/cordis/catalog"
	"github.com/dshkit/dshkit/internal/cordis/grant"
	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// CR-Z7
func TestCatalogIsComplete(t *testing.T) {
	c := newWorld(t).services.Catalog()
	if problems := c.Check(); problems != nil {
		t.Errorf("%s", strings.Join(problems, "\n"))
	}
	var keys []string
	for _, s := range c.Services {
		keys = append(keys, s.Key)
	}
	if diff := cmp.Diff([]string{"bash", "fs", "shell", "skills", "storage", "systemPrompt", "timer", "tools", "web"}, keys); diff != "" {
		t.Error(diff)
	}
}

// What a service is and what its catalogue says are one: the same names, and
// promises and disposers where the signatures have them.
func TestCatalogFitsValues(t *testing.T) {
	w := newWorld(t)
	for _, s := range w.services.Catalog().Services {
		value, ok := w.services.Value(s.Key)
		if sandboxed := s.Key == "timer" || s.Key == "tools"; ok == sandboxed {
			t.Errorf("%s: has a value: %v", s.Key, ok)
		}
		if !ok {
			continue
		}
		for i, m := range s.Methods {
			f := value.Members[i].Value.(wire.Func)
			async := strings.Contains(m.Signature, "): Promise<")
			effect := strings.HasSuffix(m.Signature, "): () => void")
			if diff := cmp.Diff(wire.Func{Handle: f.Handle, Name: m.Name, Async: async && !effect, Effect: effect}, f); diff != "" || value.Members[i].Name != m.Name {
				t.Errorf("%s: %s", s.Key, diff)
			}
			if !w.services.Owns(f.Handle) {
				t.Errorf("%s.%s is not owned", s.Key, m.Name)
			}
		}
		if len(value.Members) != len(s.Methods) {
			t.Errorf("%s: %d members, %d methods", s.Key, len(value.Members), len(s.Methods))
		}
	}
}

// Keys and signatures are those of the reference, as far as its golden has them:
// without the word abstract and the spaces of lines that were joined.
func TestGoldenShapes(t *testing.T) {
	data, err := os.ReadFile("../../../testdata/oracle/cordis/golden/28-inspect.golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var golden struct {
		Steps []struct {
			Result struct {
				Value struct {
					Platform string
					Data     struct {
						Mode, Key, Name, Signature, EventMode string
						Keys, Methods, MethodKeys, FirstKeys  []string
					}
				}
			}
		}
	}
	// Other steps have other shapes; what does not fit is left empty.
	var parse *json.UnmarshalTypeError
	if err := json.Unmarshal(data, &golden); err != nil && !errors.As(err, &parse) {
		t.Fatal(err)
	}
	c := newWorld(t).services.Catalog()
	seen := 0
	for _, step := range golden.Steps {
		want := step.Result.Value.Data
		if step.Result.Value.Platform != "host" {
			continue
		}
		switch {
		case want.Mode == "service":
			got, err := c.ListService(want.Key)
			if err != nil {
				t.Fatal(err)
			}
			service, _ := got.Map("service")
			if diff := cmp.Diff(want.Keys, service.Keys()); diff != "" {
				t.Errorf("%s: %s", want.Key, diff)
			}
			methods, _ := service.Array("methods")
			var signatures []string
			for _, m := range methods {
				signature, _ := m.(*jsonvalue.Object).Text("signature")
				signatures = append(signatures, signature)
			}
			for i, s := range want.Methods {
				s = strings.TrimPrefix(s, "abstract ")
				want.Methods[i] = strings.NewReplacer("( ", "(", ", )", ")").Replace(s)
			}
			sortLike := func(list []string) []string { list = slices.Clone(list); slices.Sort(list); return list }
			if diff := cmp.Diff(sortLike(want.Methods), sortLike(signatures)); diff != "" {
				t.Errorf("%s: %s", want.Key, diff)
			}
			if diff := cmp.Diff(want.MethodKeys, methods[0].(*jsonvalue.Object).Keys()); diff != "" {
				t.Errorf("%s: %s", want.Key, diff)
			}
			seen++
		case want.Mode == "event":
			got, err := c.ListEvent(want.Name)
			if err != nil {
				t.Fatal(err)
			}
			event, _ := got.Map("event")
			mode, _ := event.Text("mode")
			signature, _ := event.Text("signature")
			if diff := cmp.Diff(want.Keys, event.Keys()); diff != "" || mode != want.EventMode || signature != want.Signature {
				t.Errorf("%s: %s %s %s", want.Name, mode, signature, diff)
			}
			seen++
		case want.Mode == "catalog":
			seen++
		}
	}
	if seen != 5 {
		t.Errorf("the golden has %d steps to compare, want 5", seen)
	}
}

// CR-W22: the advice of the sandbox and the catalogue use the same name.
func TestBothNamesOfTheShell(t *testing.T) {
	w := newWorld(t)
	a, _ := w.services.Value("shell")
	b, ok := w.services.Value("bash")
	if diff := cmp.Diff(a, b); diff != "" || !ok {
		t.Error(diff)
	}
}

func TestHostEvents(t *testing.T) {
	for _, e := range newWorld(t).services.Catalog().Events {
		if catalog.HiddenEvent(e.Name) {
			t.Errorf("%s is hidden", e.Name)
		}
	}
}

// A refusal is one for plugin code and for commands.
func TestRefusalNamesTheGrant(t *testing.T) {
	w := newWorld(t)
	_, err := w.try("shell.run", obj("command", "git status"))
	var denied *grant.Denied
	if !errors.As(err, &denied) {
		t.Fatalf("%v", err)
	}
	if got := denied.Command(); got != "cordis grant allow shell git" {
		t.Error(got)
	}
}

func TestUnknownFunctions(t *testing.T) {
	w := newWorld(t)
	for _, h := range []wire.Handle{{Home: wire.Host, ID: 1 << 40}, {Home: "run-1", ID: 1}, {Home: wire.Host}} {
		_, err := w.tryFunc(wire.Func{Handle: h})
		refused(t, err, "gone")
		_, err = w.services.Await(context.Background(), w.caller, wire.Promise{Handle: h})
		refused(t, err, "gone")
		if w.services.Owns(h) {
			t.Errorf("owns %v", h)
		}
	}
	if _, ok := w.services.Value("dynamicCordisRunner"); ok {
		t.Error("the runner is no service")
	}
	if diff := cmp.Diff([]string{"bash", "fs", "shell", "skills", "storage", "systemPrompt", "timer", "tools", "web"}, w.services.Names()); diff != "" {
		t.Error(diff)
	}
}

// What one activation holds is of no use to another.
func TestHandlesBelongToTheirRun(t *testing.T) {
	w := newWorld(t, "fs:read .")
	w.write("a", "text")
	stream := w.call("fs.streamText", w.target("a")).(wire.Iterator)
	mine := w.caller
	w.caller.RunID = "run-2"
	_, err := w.tryFunc(stream.Next)
	refused(t, err, "gone")
	w.services.Forget("run-2", stream.Next.ID)
	w.caller = mine
	if got := get(t, w.callFunc(stream.Next), "value"); got != "text" {
		t.Error(got)
	}
	w.services.Forget("run-1", stream.Next.ID)
	if w.services.Owns(stream.Next.Handle) {
		t.Error("not forgotten")
	}
}

// An activation cannot hold more and more.
func TestHandlesAreBounded(t *testing.T) {
	w := newWorld(t, "fs:read .")
	w.write("a", "text")
	a := w.target("a")
	var err error
	n := 0
	for n = range 16384 {
		if _, err = w.try("fs.streamText", a); err != nil {
			break
		}
	}
	if thrown := refused(t, err, "limit"); thrown.Name != "RangeError" && thrown.Code == "limit" {
		t.Errorf("%+v", thrown)
	}
	if n < 64 {
		t.Errorf("only %d streams", n)
	}
	w.services.Release("run-1")
	w.caller.RunID = "run-2"
	w.call("fs.streamText", a)
}

// Nothing runs on when the services are closed.
func TestNothingIsLeft(t *testing.T) {
	before := runtime.NumGoroutine()
	w := newWorld(t, "fs:read .", "shell *")
	w.write("a", "text")
	w.call("fs.streamText", w.target("a"))
	if runtime.GOOS != "windows" {
		w.call("shell.start", obj("command", "exec sleep 1000"))
	}
	w.call("systemPrompt.section", piece("x", 0, "y"))
	w.services.Close()
	until(t, "all goroutines end", func() bool { return runtime.NumGoroutine() <= before })
}
