package assembly_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/dshkit/dshkit/internal/mnemon/assembly"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

const sample = `# what this project remembers
- id: work-spaces
  name: dsh-mnemon-source-memory-spaces
  config:
    dataDir: /absolute/path/to/work-memory
    providers:
      - use: dsh-mnemon-provider-holographic
        instanceId: local-facts

# the policy
- id: focus # mine
  name: ./focus
  disabled: true
`

// TestParse reads the example of the plugin guide.
func TestParse(t *testing.T) {
	a, err := assembly.Parse([]byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	want := []assembly.Entry{
		{ID: "work-spaces", Name: "dsh-mnemon-source-memory-spaces", Config: jsonvalue.Of(
			"dataDir", "/absolute/path/to/work-memory",
			"providers", []any{jsonvalue.Of("use", "dsh-mnemon-provider-holographic", "instanceId", "local-facts")})},
		{ID: "focus", Name: "./focus", Disabled: true},
	}
	if diff := cmp.Diff(want, a.Entries, ignoreLines, equalJSON); diff != "" {
		t.Error(diff)
	}
	if len(a.Warnings) != 0 {
		t.Errorf("warnings %v", a.Warnings)
	}
}

var (
	ignoreLines = cmpopts.IgnoreUnexported(assembly.Entry{})
	equalJSON   = cmp.Comparer(func(x, y *jsonvalue.Object) bool { return show(x) == show(y) })
)

func show(o *jsonvalue.Object) string {
	if o == nil {
		return ""
	}
	return jsonvalue.Format(o)
}

func TestParseRefuses(t *testing.T) {
	for _, row := range []struct{ text, code string }{
		{"a: [", "assembly-syntax"},
		{"id: x\n", "assembly-not-list"},
		{"- just text\n", "assembly-not-entry"},
		{"- id: a\n", "assembly-missing"},
		{"- name: a\n", "assembly-missing"},
		{"- {id: [], name: a}\n", "assembly-not-text"},
		{"- {id: a, name: b, disabled: perhaps}\n", "assembly-not-bool"},
		{"- id: a\n  name: b\n  disabled: !!js x\n", "assembly-dynamic"},
		{"- {id: a, name: b}\n- {id: a, name: c}\n", "assembly-twice"},
		{"- {id: a, name: b, config: [1]}\n", "assembly-value"},
		{"- {id: a, name: b, config: {x: .nan}}\n", "assembly-value"},
		{"- {id: a, name: b, config: {x: &y 1, z: *y}}\n", "assembly-value"},
		{"- {id: a, name: b, config: {x: !!binary aa==}}\n", "assembly-dynamic"},
		{"- {id: a, name: b, config: {x: " + strings.Repeat("[", 60) + strings.Repeat("]", 60) + "}}\n", "assembly-value"},
	} {
		_, err := assembly.Parse([]byte(row.text))
		var f *fault.Error
		if !errors.As(err, &f) || f.Code != row.code || f.Kind != fault.Damaged {
			t.Errorf("%q: %v, want %s", row.text, err, row.code)
		}
	}
}

func TestParseWarns(t *testing.T) {
	a, err := assembly.Parse([]byte("- {id: a, name: b, disable: true, colour: red}\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []assembly.Warning{
		{Code: "assembly-key-near", Args: []any{1, "disable", "disabled"}},
		{Code: "assembly-key", Args: []any{1, "colour"}},
	}
	if diff := cmp.Diff(want, a.Warnings); diff != "" {
		t.Error(diff)
	}
}

// TestEdits change their own lines and no other.
func TestEdits(t *testing.T) {
	a, err := assembly.Parse([]byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	head, tail, _ := strings.Cut(sample, "\n# the policy\n")
	added, err := a.Add(assembly.Entry{ID: "n1", Name: "./notes", Config: jsonvalue.Of("path", "yes", "n", 3.0, "on", true, "none", nil, "list", []any{})})
	check(t, "add", added, err, sample+"- id: n1\n  name: ./notes\n  config:\n    path: yes\n    n: 3\n    on: true\n    none: null\n    list: []\n")
	removed, err := a.Remove("work-spaces")
	check(t, "remove", removed, err, "# the policy\n"+tail)
	removed, err = a.Remove("focus")
	check(t, "remove the last", removed, err, head+"\n")
	put, err := a.Put(assembly.Entry{ID: "focus", Name: "./focus"})
	check(t, "put", put, err, head+"\n# the policy\n- id: focus\n  name: ./focus\n")
}

func check(t *testing.T, what string, got []byte, err error, want string) {
	t.Helper()
	if err != nil {
		t.Errorf("%s: %v", what, err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("%s: %s", what, diff)
	}
}

func TestEditsOfNothing(t *testing.T) {
	for _, text := range []string{"", "[]\n", "# mine\n[] # none yet\n", "null\n"} {
		a, err := assembly.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		got, err := a.Add(assembly.Entry{ID: "a", Name: "b"})
		if err != nil || !strings.HasSuffix(string(got), "- id: a\n  name: b\n") {
			t.Errorf("%q: %q, %v", text, got, err)
		}
		again, err := assembly.Parse(got)
		if err != nil || len(again.Entries) != 1 {
			t.Errorf("%q: %v, %v", got, again, err)
		}
	}
}

func TestEditsRefuse(t *testing.T) {
	a, _ := assembly.Parse([]byte(sample))
	_, taken := a.Add(assembly.Entry{ID: "focus", Name: "x"})
	_, unknown := a.Remove("nobody")
	flow, _ := assembly.Parse([]byte("[{id: a, name: b}]\n"))
	_, torn := flow.Add(assembly.Entry{ID: "c", Name: "d"})
	for code, err := range map[string]error{"assembly-taken": taken, "assembly-unknown-id": unknown, "assembly-flow": torn} {
		var f *fault.Error
		if !errors.As(err, &f) || f.Code != code {
			t.Errorf("%v, want %s", err, code)
		}
	}
}

// FuzzParse: no text makes it fall, and what it takes can be written again.
func FuzzParse(f *testing.F) {
	f.Add([]byte(sample))
	f.Add([]byte("[{id: a, name: b}]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := assembly.Parse(data)
		if err != nil {
			return
		}
		for _, e := range a.Entries {
			lines, err := assembly.Format(e)
			if err != nil {
				t.Fatalf("%+v: %v", e, err)
			}
			again, err := assembly.Parse([]byte(strings.Join(lines, "\n")))
			if err != nil {
				t.Fatalf("%q: %v", lines, err)
			}
			if diff := cmp.Diff([]assembly.Entry{e}, again.Entries, ignoreLines, equalJSON); diff != "" {
				t.Fatal(diff)
			}
		}
	})
}
