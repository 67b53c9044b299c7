package jsonvalue_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

func TestParseExact(t *testing.T) {
	for text, want := range map[string]jsonvalue.LossError{
		`1e400`:                         {},
		`{"a":[1,{"b":-1e999}]}`:        {Path: ".a[1].b"},
		`{"a":1,"b":2,"a":1}`:           {Path: ".a", Twice: true},
		`[{},{"x":{"k":1,"\u006b":1}}]`: {Path: "[1].x.k", Twice: true},
		`{"\ud800":1,"\ud800":1}`:       {Path: ".\xed\xa0\x80", Twice: true},
	} {
		v, err := jsonvalue.ParseExact([]byte(text))
		var loss *jsonvalue.LossError
		if !errors.As(err, &loss) || v != nil {
			t.Errorf("%s is read as %v (%v)", text, v, err)
			continue
		}
		if diff := cmp.Diff(want, *loss); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", text, diff)
		}
	}
}

// What is read exactly is what Parse reads.
func FuzzParseExact(f *testing.F) {
	for _, text := range []string{`{"a":[1,-0,1e-400,"\ud800"],"b":{"a":null}}`, `{"\ud800":1,"\ud801":2}`, `1e309`, `{"a":1,"a":2}`, `[`, `{"__proto__":1}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		want, plainErr := jsonvalue.Parse(text)
		got, err := jsonvalue.ParseExact(text)
		var loss *jsonvalue.LossError
		switch {
		case err != nil && got != nil:
			t.Errorf("%q: %v comes with %v", text, err, got)
		case errors.As(err, &loss): // what follows is not looked at
		case (err == nil) != (plainErr == nil):
			t.Errorf("%q: ParseExact says %v, Parse %v", text, err, plainErr)
		case err == nil && jsonvalue.Format(got) != jsonvalue.Format(want):
			t.Errorf("%q: ParseExact reads %s, Parse %s", text, jsonvalue.Format(got), jsonvalue.Format(want))
		}
	})
}
