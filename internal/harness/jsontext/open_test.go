package jsontext_test

import (
	"testing"

	"github.com/dshkit/dshkit/internal/harness/jsontext"
)

func TestOpen(t *testing.T) {
	cases := []struct {
		doc  string
		rest string // what follows the bracket
		ok   bool
	}{
		{`{"a":[1]}`, `1]}`, true},
		{`{"info":{"a":[9]}, "a" : [ {"x`, ` {"x`, true},
		{`{"a":{"b":1},"a":[2`, `2`, true},
		{`{"s":"\"a\":[","a":[]}`, `]}`, true},
		{`{"a":"[`, ``, false},
		{`{"b":[1,2`, ``, false},
		{`{"info":{"a":[1]}}`, ``, false},
		{`["a",[1]]`, ``, false},
		{`{"a"`, ``, false},
		{``, ``, false},
	}
	for _, c := range cases {
		at := jsontext.Value(c.doc).Open("a")
		if (at >= 0) != c.ok {
			t.Errorf("%s: %d, want an array: %v", c.doc, at, c.ok)
			continue
		}
		if c.ok && c.doc[at:] != c.rest {
			t.Errorf("%s: followed by %q, want %q", c.doc, c.doc[at:], c.rest)
		}
	}
}
