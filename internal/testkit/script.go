package testkit

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/dshkit/dshkit/pkg/text"
)

// scriptCommands are the words that scripts have beyond those of testscript.
var scriptCommands = map[string]func(ts *testscript.TestScript, neg bool, args []string){
	"clock":    clock,
	"jsoneq":   jsonEqual,
	"onejson":  oneJSON,
	"utf16len": utf16Length,
	"contains": contains,
	"crlf":     crlf,
	"waitfile": waitFile,
	"capture":  capture,
	"model":    playModel,
}

// clock sets the time ("clock 2026-09-15T12:00:00Z") or moves it ("clock +2h",
// "clock -30m").
func clock(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: clock TIME|+DURATION|-DURATION")
	}
	state := ts.Getenv(stateVar)
	now, err := time.Parse(time.RFC3339, args[0])
	if strings.HasPrefix(args[0], "+") || strings.HasPrefix(args[0], "-") {
		var by time.Duration
		by, err = time.ParseDuration(args[0])
		now = readClock(state).Add(by)
	}
	ts.Check(err)
	ts.Check(writeClock(state, now))
}

// jsonEqual compares two JSON documents as values: "jsoneq stdout want.json".
func jsonEqual(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: jsoneq FILE FILE")
	}
	var got, want any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &got))
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[1])), &want))
	if reflect.DeepEqual(got, want) == neg {
		ts.Fatalf("%s is %s\n%s is %s\nwant them equal: %v", args[0], pretty(got), args[1], pretty(want), !neg)
	}
}

func pretty(v any) string {
	b, _ := json.MarshalIndent(v, "", "  ") // came from JSON
	return string(b)
}

// oneJSON holds that a file is one JSON document and one newline, without a
// colour code: "onejson stdout".
func oneJSON(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: onejson FILE")
	}
	s := ts.ReadFile(args[0])
	one := json.Valid([]byte(s)) && strings.HasSuffix(s, "\n") && strings.Count(s, "\n") == 1 && !strings.Contains(s, "\x1b")
	if one == neg {
		ts.Fatalf("%q: one JSON document and a newline: %v, want %v", s, one, !neg)
	}
}

// utf16Length bounds the length of a file in UTF-16 units: "utf16len stdout
// <= 3200", also with =, >=, <, >.
func utf16Length(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: utf16len FILE =|<=|>=|<|> N")
	}
	want, err := strconv.Atoi(args[2])
	ts.Check(err)
	got := text.Len(ts.ReadFile(args[0]))
	var holds bool
	switch args[1] {
	case "=":
		holds = got == want
	case "<=":
		holds = got <= want
	case ">=":
		holds = got >= want
	case "<":
		holds = got < want
	case ">":
		holds = got > want
	default:
		ts.Fatalf("utf16len: unknown relation %q", args[1])
	}
	if holds == neg {
		ts.Fatalf("%s has %d units; want %s %d: %v", args[0], got, args[1], want, !neg)
	}
}

// contains looks for a text as it stands, no pattern: "contains stdout TEXT".
func contains(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: contains FILE TEXT")
	}
	s := ts.ReadFile(args[0])
	if strings.Contains(s, args[1]) == neg {
		ts.Fatalf("%s contains %q: %v, want %v; it is:\n%s", args[0], args[1], neg, !neg, s)
	}
}

// capture keeps what a pattern's first group matches in a file, for what is
// another in each run: "capture stdout ID '(note-[0-9]+)'", later $ID.
func capture(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: capture FILE NAME PATTERN")
	}
	pattern, err := regexp.Compile(args[2])
	ts.Check(err)
	s := ts.ReadFile(args[0])
	found := pattern.FindStringSubmatch(s)
	if len(found) < 2 {
		ts.Fatalf("%s has nothing for the group of %q; it is:\n%s", args[0], args[2], s)
	}
	ts.Setenv(args[1], found[1])
}

// crlf gives the lines of a file the ends of Windows, which a script file
// cannot hold: "crlf FILE".
func crlf(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: crlf FILE")
	}
	path := ts.MkAbs(args[0])
	s := strings.ReplaceAll(ts.ReadFile(args[0]), "\n", "\r\n")
	ts.Check(os.WriteFile(filepath.Clean(path), []byte(s), 0o666))
}

// waitFile waits until a file exists, at most ten seconds: "waitfile ready".
func waitFile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: waitfile FILE")
	}
	path := ts.MkAbs(args[0])
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if _, err := os.Stat(path); err == nil {
			return
		}
	}
	ts.Fatalf("%s did not appear", args[0])
}
