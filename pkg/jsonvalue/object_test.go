package jsonvalue_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// TestObjectAsModel sets, copies and drops members and compares with a list of
// keys and a map, past the size where an object has a map of its own.
func TestObjectAsModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := &jsonvalue.Object{}
		var keys []string
		values := map[string]any{}
		key := rapid.StringMatching(`[a-e][a-d]?`)
		t.Repeat(map[string]func(*rapid.T){
			"set": func(t *rapid.T) {
				k, v := key.Draw(t, "key"), rapid.Float64().Draw(t, "value")
				if _, ok := values[k]; !ok {
					keys = append(keys, k)
				}
				o.Set(k, v)
				values[k] = v
			},
			"with": func(t *rapid.T) {
				k := key.Draw(t, "key")
				before := jsonvalue.Format(o)
				if c := o.With(k, "new"); !c.Has(k) || jsonvalue.Format(o) != before {
					t.Fatalf("With(%q) made %s of %s, now %s", k, jsonvalue.Format(c), before, jsonvalue.Format(o))
				}
			},
			"without": func(t *rapid.T) {
				k := key.Draw(t, "key")
				o = o.Without(k)
				delete(values, k)
				kept := keys[:0:0]
				for _, other := range keys {
					if other != k {
						kept = append(kept, other)
					}
				}
				keys = kept
			},
			"": func(t *rapid.T) { compareModel(t, o, keys, values) },
		})
	})
}

func compareModel(t *rapid.T, o *jsonvalue.Object, keys []string, values map[string]any) {
	t.Helper()
	if len(keys) != o.Len() {
		t.Fatalf("%d members, want %d", o.Len(), len(keys))
	}
	i := 0
	for k, v := range o.All() {
		got, ok := o.Get(k)
		if k != keys[i] || o.Keys()[i] != k || v != values[k] || got != v || !ok {
			t.Fatalf("member %d is %q: %v, want %q: %v", i, k, v, keys[i], values[keys[i]])
		}
		i++
	}
	if _, ok := o.Get("absent"); ok || o.Has("absent") {
		t.Fatal("there is a member that nobody set")
	}
}

func TestObjectCopies(t *testing.T) {
	o := jsonvalue.Of("a", 1.0, "b", 2.0)
	o.SetBare()
	tests := []struct {
		name string
		got  *jsonvalue.Object
		want string
	}{
		{"With replaces in place and adds at the end", o.With("a", 3.0, "c", 4.0), `{"a":3,"b":2,"c":4}`},
		{"Without", o.Without("a", "x"), `{"b":2}`},
		{"Merge", o.Merge(jsonvalue.Of("b", 5.0, "c", 6.0), nil, jsonvalue.Of("a", 7.0)), `{"a":7,"b":5,"c":6}`},
		{"Copy", o.Copy(), `{"a":1,"b":2}`},
		{"a nil object", (*jsonvalue.Object)(nil).With("a", true), `{"a":true}`},
		{"the original", o, `{"a":1,"b":2}`},
	}
	for _, test := range tests {
		if got := jsonvalue.Format(test.got); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
	if !o.Bare() || o.Copy().Bare() || (*jsonvalue.Object)(nil).Bare() {
		t.Error("a copy has a prototype, the original none")
	}
}

func TestNilObject(t *testing.T) {
	var o *jsonvalue.Object
	if v, ok := o.Get("a"); v != nil || ok || o.Len() != 0 || o.Keys() != nil {
		t.Error("a nil object has members")
	}
	for k := range o.All() {
		t.Errorf("a nil object has %q", k)
	}
}

func TestReaders(t *testing.T) {
	inner := jsonvalue.Of("x", nil)
	o := jsonvalue.Of("text", "t", "number", 1.5, "truth", true, "array", []any{"i"}, "map", inner)
	text, isText := o.Text("text")
	number, isNumber := o.Number("number")
	truth, isTruth := o.Truth("truth")
	array, isArray := o.Array("array")
	m, isMap := o.Map("map")
	got := []any{text, isText, number, isNumber, truth, isTruth, array, isArray, m, isMap}
	if diff := cmp.Diff([]any{"t", true, 1.5, true, true, true, []any{"i"}, true, inner, true}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, key := range append(o.Keys(), "absent") {
		of := map[string]bool{}
		_, of["text"] = o.Text(key)
		_, of["number"] = o.Number(key)
		_, of["truth"] = o.Truth(key)
		_, of["array"] = o.Array(key)
		_, of["map"] = o.Map(key)
		for kind, is := range of {
			if is != (kind == key) {
				t.Errorf("member %s is a %s: %v", key, kind, is)
			}
		}
	}
	if diff := cmp.Diff([]any{"a", "b"}, jsonvalue.Texts([]string{"a", "b"})); diff != "" {
		t.Errorf("Texts (-want +got):\n%s", diff)
	}
	if _, ok := jsonvalue.Map((*jsonvalue.Object)(nil)); ok {
		t.Error("a nil object is a map")
	}
}

func TestOfPanics(t *testing.T) {
	for name, pairs := range map[string][]any{"no value": {"a"}, "a key that is no text": {1, 2}} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("Of did not panic")
				}
			}()
			jsonvalue.Of(pairs...)
		})
	}
}

func ExampleObject_With() {
	route := jsonvalue.Of("id", "recall", "limit", 10.0)
	fmt.Println(jsonvalue.Format(route.With("limit", 5.0, "mode", "exact")))
	fmt.Println(jsonvalue.Format(route))
	// Output:
	// {"id":"recall","limit":5,"mode":"exact"}
	// {"id":"recall","limit":10}
}
