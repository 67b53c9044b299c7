package replay_test

import (
	"testing"

	"github.com/dshkit/dshkit/internal/testkit/replay"
)

// What is meant is passed over by its kind, and what is like it but not meant is
// told.
func TestUnmeant(t *testing.T) {
	for _, c := range []struct {
		name, was, got string
		meant          bool
	}{
		{"a stray member", `{"error":{"ok":false}}`, `{"error":{}}`, true},
		{"the answer itself", `{"ok":false}`, `{}`, false},
		{"a phase", `{"phase":"host-load"}`, `{"phase":"host-apply"}`, true},
		{"another half's phase", `{"phase":"host-load"}`, `{"phase":"client-load"}`, false},
		{"a state of now", `{"status":"running"}`, `{"status":"waiting"}`, true},
		{"a wrong state", `{"status":"running"}`, `{"status":"failed"}`, false},
		{"the name before a message", `{"error":"Error: broken"}`, `{"error":"broken"}`, true},
		{"another message", `{"error":"Error: broken"}`, `{"error":"brokem"}`, false},
		{"a kind of error", `{"error":"TypeError: f.g is not a function"}`, `{"error":"engine.TypeError"}`, true},
		{"another kind of error", `{"error":"ReferenceError: x is not defined"}`, `{"error":"engine.TypeError"}`, false},
		{"a column", `{"error":"parse(code.host) line=2 caret=3+1 hint=async-body"}`, `{"error":"parse(code.host) line=2 caret=5+1 hint=async-body"}`, true},
		{"a line", `{"error":"parse(code.host) line=2 caret=3+1 hint=async-body"}`, `{"error":"parse(code.host) line=3 caret=3+1 hint=async-body"}`, false},
		{"more told", `[{"topic":"a"}]`, `[{"topic":"code-failed"},{"topic":"a"}]`, true},
		{"told otherwise", `[{"topic":"a"}]`, `[{"topic":"code-failed"},{"topic":"b"}]`, false},
		{"told twice", `[{"topic":"a"}]`, `[{"topic":"a"},{"topic":"a"}]`, false},
		{"an object in a line", `{"text":"x {\"a\":[1,\"b\"],\"c\":{}} y"}`, `{"text":"x {\n  a: [ 1, 'b' ],\n  c: {}\n} y"}`, true},
		{"a member that JSON lacks", `{"text":"{\"a\":null}"}`, `{"text":"{ f: [Function: f], a: NaN, u: undefined }"}`, true},
		{"a class and a map", `{"text":"{\"x\":1} {}"}`, `{"text":"Point { x: 1 } Map(1) { 1 => { a: 2 } }"}`, true},
		{"another object", `{"text":"{\"a\":1}"}`, `{"text":"{ a: 2 }"}`, false},
		{"one member more", `{"text":"{\"a\":1}"}`, `{"text":"{ a: 1, b: 2 }"}`, false},
		{"an element less", `{"text":"[1,2]"}`, `{"text":"[ 1 ]"}`, false},
		{"another line", `{"text":"abc"}`, `{"text":"abd"}`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			want, got := recorded(t, c.was), recorded(t, c.got)
			if left := replay.Unmeant(want, got, replay.Compare(want, got)); (len(left) == 0) != c.meant {
				t.Errorf("left: %v", left)
			}
		})
	}
}
