package retro_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/dshkit/dshkit/pkg/retro"
)

func TestFormatOfNewRow(t *testing.T) {
	q := retro.Queue{
		{T: "2026-09-15T20:00:00.000+08:00", File: "logs/partial-s3.md", Errors: -1, ToolErrors: -1, Recovered: true},
		{T: "t", File: "logs/a.md", Session: "s", Harness: "codex", Transcript: "/x/<&>\u2028.jsonl", DueAt: 7},
		{},
	}
	diff(t, "file", string(q.Format()),
		`{"t":"2026-09-15T20:00:00.000+08:00","file":"logs/partial-s3.md","errors":-1,"toolErrors":-1,"recovered":true}`+"\n"+
			`{"t":"t","file":"logs/a.md","errors":0,"toolErrors":0,"session":"s","harness":"codex","transcript":"/x/<&>\u2028.jsonl","dueAt":7}`+"\n"+
			`{"errors":0,"toolErrors":0}`+"\n")
}

func TestUnchangedRowsKeepTheirBytes(t *testing.T) {
	for _, row := range []string{
		`{}`,
		`{ "file" : "a" , "errors" : 1 }`,
		`{"file":"\u0061.md","attempts":"3","errors":1.0,"lastAttemptAt":1e3,"recovered":"true"}`,
		`{"attempts":1,"attempts":2}`,
		`{"x":{"a":[1,"}"],"b":"\\\""},"\"":"{","y":-0.5e-7}`,
		`{"t":5,"file":null,"session":[],"n":12345678901234567890}`,
	} {
		diff(t, "row", lines(parse(t, row)), []string{row})
	}
}

func TestChangedFieldsOnly(t *testing.T) {
	for row, want := range map[string]string{
		`{}`: `{"attempts":1,"lastAttemptAt":1789473600000,"lastError":"e"}`,
		`{ "x" : [ 1 ] , "attempts" : "3" , "errors" : "no" }`:        `{"x":[ 1 ],"attempts":1,"errors":"no","lastAttemptAt":1789473600000,"lastError":"e"}`,
		`{"\u0061ttempts":1,"attempts":2}`:                            `{"\u0061ttempts":3,"lastAttemptAt":1789473600000,"lastError":"e"}`,
		`{"lastError":"e","attempts":1.9e0,"dueAt":5,"claim":"gone"}`: `{"lastError":"e","attempts":2,"lastAttemptAt":1789473600000}`,
		`{"attempts":-7,"errors":1e999}`:                              `{"attempts":1,"errors":1e999,"lastAttemptAt":1789473600000,"lastError":"e"}`,
	} {
		q, batch, _ := parse(t, row).Claim(clock, "w1", lim, nil)
		q, _ = q.Fail("w1", retro.Keys(batch), "e")
		diff(t, row, lines(q), []string{want})
	}
}

func TestCase24SeparatorsInsideStrings(t *testing.T) {
	row := "{\"file\":\"logs/a\u2028b\u0085.md\"}"
	q := parse(t, row+"\n"+row)
	diff(t, "rows", lines(q), []string{row, row})
}

func TestOddFiles(t *testing.T) {
	for name, test := range map[string]struct {
		data string
		rows int
		bad  []retro.BadLine
	}{
		"empty":             {"", 0, nil},
		"blank":             {"\n \r\n\t\n", 0, nil},
		"no newline":        {`{"file":"a"}`, 1, nil},
		"lone CR":           {"{\"file\":\"a\"}\r{\"file\":\"b\"}\r", 2, nil},
		"mark on each line": {"\ufeff{\"file\":\"a\"}\n\ufeff{\"file\":\"b\"}\n", 2, nil},
		"hole":              {"{\"file\":\"a\"}\n" + strings.Repeat("\x00", 4096) + "{\"file\":\"b\"}\n\x00\x00", 2, nil},
		"glued":             {"{\"file\":\"a\"}{\"file\":\"b\"}\n", 0, []retro.BadLine{{Line: 1, Raw: `{"file":"a"}{"file":"b"}`}}},
		"torn":              {"{\"file\":\"a\"}\r\n{\"fi", 1, []retro.BadLine{{Line: 2, Raw: `{"fi`, Torn: true}}},
		"deep":              {"{\"a\":" + strings.Repeat("[", 20000), 0, []retro.BadLine{{Line: 1, Raw: "{\"a\":" + strings.Repeat("[", 20000), Torn: true}}},
	} {
		t.Run(name, func(t *testing.T) {
			q, bad := retro.Parse([]byte(test.data))
			diff(t, "rows", len(q), test.rows)
			diff(t, "bad", bad, test.bad)
		})
	}
}

func TestErrorIsOneShortValidLine(t *testing.T) {
	q, batch, _ := retro.Queue{one("logs/a.md")}.Claim(clock, "w1", lim, nil)
	message := "bad \xff\x00 bytes\r\n" + strings.Repeat("👩‍👩‍👧 ", 9000)
	q, _ = q.Fail("w1", retro.Keys(batch), message)
	got := q[0].LastError
	if !strings.HasPrefix(got, "bad \uFFFD bytes 👩‍👩‍👧") || strings.ContainsAny(got, "\r\n\x00") {
		t.Errorf("lastError %q", got)
	}
	if trimmed := strings.TrimRight(got, " "); !strings.HasSuffix(trimmed, "👩‍👩‍👧") {
		t.Errorf("lastError is cut inside a character: %q", got)
	}
	if !json.Valid(q.Format()) {
		t.Errorf("row is no JSON: %s", q.Format())
	}
}
