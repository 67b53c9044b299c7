package config_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/internal/config"
	"github.com/dshkit/dshkit/pkg/fault"
)

func TestSet(t *testing.T) {
	for _, row := range []struct {
		id, old, key string
		value        any
		want         string
	}{
		{"new-file", "", "scope", "both", "{\n  \"scope\": \"both\"\n}\n"},
		{"blank-file", " \n", "scope", "both", "{\n  \"scope\": \"both\"\n}\n"},
		{"empty-object", "{}\n", "scope", "both", "{\n  \"scope\": \"both\"\n}\n"},
		{"empty-object-spread", "{\n\n}", "a", 1, "{\n  \"a\": 1\n}"},
		{"replace-one-line", `{"scope":"workspace","x":1}`, "scope", "both", `{"scope":"both","x":1}`},
		{"append-one-line", `{"a":1}`, "b", true, `{"a":1,"b":true}`},
		{"append-one-line-spaced", `{"a": 1}`, "b", true, `{"a": 1, "b": true}`},
		{"append-inner-blanks", `{ "a" : 1 }`, "b", nil, `{ "a" : 1, "b": null }`},
		{"append-tabs", "{\n\t\"a\": [1,\n2]\n}\n", "b", "x<y", "{\n\t\"a\": [1,\n2],\n\t\"b\": \"x<y\"\n}\n"},
		{"four-blanks", "{\n    \"a\": 1,\n    \"b\": 2\n}", "a", 3, "{\n    \"a\": 3,\n    \"b\": 2\n}"},
		{"crlf-and-mark", "\uFEFF{\r\n  \"a\": 1\r\n}\r\n", "b", 2, "{\n  \"a\": 1,\n  \"b\": 2\n}\n"},
		{"big-number", `{"n": 12345678901234567890, "nul": null, "a.b": {"C": 1.50}}`, "scope", "both", `{"n": 12345678901234567890, "nul": null, "a.b": {"C": 1.50}, "scope": "both"}`},
		{"last-of-two", `{"a":1,"a":2}`, "a", 3, `{"a":1,"a":3}`},
		{"escaped-key", `{"\u0061":1}`, "a", 2, `{"\u0061":2}`},
		{"key-with-colon", `{"a:b" : 1}`, "c", 2, `{"a:b" : 1, "c": 2}`},
		{"nested-key-is-another", `{"x":{"scope":"global"}}`, "scope", "both", `{"x":{"scope":"global"},"scope":"both"}`},
		{"chinese", "{\n  \"记忆\": \"库\"\n}\n", "scope", "both", "{\n  \"记忆\": \"库\",\n  \"scope\": \"both\"\n}\n"},
	} {
		t.Run(row.id, func(t *testing.T) {
			got, err := config.Set([]byte(row.old), row.key, row.value)
			if err != nil {
				t.Fatalf("Set(%q): %v", row.old, err)
			}
			if diff := cmp.Diff(row.want, string(got)); diff != "" {
				t.Errorf("Set(%q, %q) (-want +got):\n%s", row.old, row.key, diff)
			}
		})
	}
}

func TestUnset(t *testing.T) {
	for _, row := range []struct{ id, old, want string }{
		{"first", `{"a":1, "b":2}`, `{"b":2}`},
		{"last", "{\n  \"b\": 2,\n  \"a\": 1\n}\n", "{\n  \"b\": 2\n}\n"},
		{"middle", `{"x":1,"a":2,"y":3}`, `{"x":1,"y":3}`},
		{"only", "{\n  \"a\": 1\n}\n", "{}\n"},
		{"twice", `{"a":1,"b":2,"a":3}`, `{"b":2}`},
		{"absent", `{"b":2}`, `{"b":2}`},
		{"empty", ``, ``},
	} {
		got, err := config.Unset([]byte(row.old), "a")
		if err != nil || string(got) != row.want {
			t.Errorf("%s: Unset(%q) = %q, %v; want %q", row.id, row.old, got, err, row.want)
		}
	}
}

// TestW27OneOptionChangesOneKey sets an option while the environment overrides
// another: the file gains the option and nothing else.
func TestW27OneOptionChangesOneKey(t *testing.T) {
	s, _ := load(t, world{env: map[string]string{"SELFIP_SCOPE": "both"}})
	key, value, err := config.ParseSetting("autoPromote", "off")
	if err != nil || s.Scope != "both" {
		t.Fatalf("scope %q, error %v", s.Scope, err)
	}
	got, err := config.Set(nil, key, value)
	if want := "{\n  \"autoPromote\": false\n}\n"; err != nil || string(got) != want {
		t.Errorf("Set = %q, %v; want %q", got, err, want)
	}
	old, err := os.ReadFile("testdata/cases/01-config-torn-by-two-writers/in/config.json")
	if err != nil {
		t.Fatal(err)
	}
	got, err = config.Set(old, "globalDir", "/tmp/0")
	want := strings.Replace(string(old), "2600\n", "2600,\n  \"globalDir\": \"/tmp/0\"\n", 1)
	if err != nil || string(got) != want {
		t.Errorf("Set = %q, %v; want %q", got, err, want)
	}
}

func TestSetRefusesWhatItDoesNotUnderstand(t *testing.T) {
	for _, old := range []string{"[]", `"x"`, "{", `{"a":1,}`, `{"a" 1}`, "{'a':1}", `{"a":01}`, `{"a":1} x`, `{"a":tru}`, "{\"a\":\"\n\"}", `{"a":"\x"}`, "nul", `{"a":-}`, `{"a":1.}`, `{"a":1e}`, `{a:1}`} {
		got, err := config.Set([]byte(old), "b", 1)
		if got != nil || fault.KindOf(err) != fault.Damaged {
			t.Errorf("Set(%q) = %q, %v; want a fault Damaged", old, got, err)
		}
		if got, err := config.Unset([]byte(old), "b"); got != nil || fault.KindOf(err) != fault.Damaged {
			t.Errorf("Unset(%q) = %q, %v; want a fault Damaged", old, got, err)
		}
	}
}

// members decodes an object without losing anything: numbers as written.
func members(t interface{ Fatalf(string, ...any) }, text []byte) map[string]any {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var m map[string]any
	if err := dec.Decode(&m); err != nil {
		t.Fatalf("not JSON: %q: %v", text, err)
	}
	return m
}

func checkSet(t interface {
	Fatalf(string, ...any)
	Errorf(string, ...any)
}, old []byte, key, value string,
) {
	got, err := config.Set(old, key, value)
	if err != nil {
		return
	}
	want := map[string]any{}
	if text := bytes.TrimPrefix(old, []byte("\uFEFF")); len(bytes.TrimSpace(text)) > 0 {
		want = members(t, text)
	}
	want[key] = value
	if diff := cmp.Diff(want, members(t, got)); diff != "" {
		t.Errorf("Set(%q, %q, %q) = %q (-want +got):\n%s", old, key, value, got, diff)
	}
	bare, err := config.Unset(got, key)
	if err != nil {
		t.Fatalf("Unset(%q, %q): %v", got, key, err)
	}
	delete(want, key)
	if diff := cmp.Diff(want, members(t, bare)); diff != "" {
		t.Errorf("Unset(%q, %q) = %q (-want +got):\n%s", got, key, bare, diff)
	}
}

func TestSetProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.MapOf(rapid.StringN(0, 5, -1), rapid.StringN(0, 5, -1)).Draw(t, "object")
		old, _ := json.MarshalIndent(m, "", rapid.SampledFrom([]string{"", "  ", "\t"}).Draw(t, "indent"))
		if len(m) == 0 {
			old = []byte("{}")
		}
		checkSet(t, old, rapid.StringN(0, 5, -1).Draw(t, "key"), rapid.StringN(0, 5, -1).Draw(t, "value"))
	})
}

// FuzzSet compares our reader of JSON with that of the standard library, and
// holds that an edit changes one key.
func FuzzSet(f *testing.F) {
	for _, path := range []string{
		"selfip-fixtures/09-scopes/workspace/self-improvement/config.json",
		"cases/77-comments-in-json-config/in/self-improvement/config.json",
		"cases/78-misspelt-key/in/self-improvement/config.json",
		"cases/01-config-torn-by-two-writers/in/config.json",
	} {
		text, err := os.ReadFile("testdata/" + path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text, "scope")
	}
	for _, s := range []string{"", "{}", "[1,2]", `{"a":-0.5e+3,"b":[{},[]],"c":"\ud83d\ude00"}`, "\uFEFF{\r\n}", `{"a":{"a":1}}`} {
		f.Add([]byte(s), "a")
	}
	f.Fuzz(func(t *testing.T, old []byte, key string) {
		key = strings.ToValidUTF8(key, "x")
		_, err := config.Set(old, key, "v")
		text := bytes.TrimPrefix(old, []byte("\uFEFF"))
		trimmed := bytes.TrimSpace(text)
		accepted := err == nil
		object := len(trimmed) == 0 || trimmed[0] == '{' && json.Valid(text)
		if accepted && !object {
			t.Fatalf("Set accepted %q, which is no object", old)
		}
		if !accepted && object && fault.CodeOf(err) != "json-depth" && fault.CodeOf(err) != "json-utf8" {
			t.Fatalf("Set refused %q: %v", old, err)
		}
		checkSet(t, old, key, "v")
	})
}

// FuzzLoad feeds any bytes as every kind of file: no crash, never a scope that
// does not exist, and the same answer twice.
func FuzzLoad(f *testing.F) {
	for _, s := range []string{`{"scope":"both"}`, "language: en\ninjectChars: 5000\n", "language = \"en\"\n", "a: &a [*a]\n", "<<: 1\n", "[[x]]\n", "{\n// c\n}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, path := range []string{workspaceConfig, globalConfig, workspaceOurs, userJSON, "/home/u/.config/dshkit/config.yaml", "/home/u/.config/dshkit/config.toml"} {
			in := world{files: map[string]string{path: string(text)}}.inputs()
			s, w, err := config.Load(in)
			if s.Scope != "workspace" && s.Scope != "global" && s.Scope != "both" {
				t.Errorf("%s with %q: scope %q", path, text, s.Scope)
			}
			again, w2, err2 := config.Load(in)
			if diff := cmp.Diff(s.Items(), again.Items()); diff != "" || cmp.Diff(codes(w), codes(w2)) != "" || (err == nil) != (err2 == nil) {
				t.Errorf("%s with %q: two answers", path, text)
			}
		}
	})
}
