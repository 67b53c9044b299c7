package harness_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/dshkit/dshkit/internal/harness"
	"github.com/dshkit/dshkit/pkg/fault"
)

func TestReadPayloadCase72OpenPipe(t *testing.T) {
	payload := read(t, "testdata/cases/72-stdin-never-ends/in/payload.json")
	in, out := io.Pipe()
	defer out.Close()
	go out.Write(payload) // and never closes
	got, err := harness.ReadPayload(in, harness.MaxPayload)
	if err != nil || string(got) != strings.TrimSpace(string(payload)) {
		t.Errorf("got %q, error %v", got, err)
	}
	ev := harness.Decode(harness.ClaudeCode, harness.ParsePayload(got))
	if ev.Session != "s-1" || ev.Kind != harness.Start || ev.Dir != "/home/dev/demo" {
		t.Errorf("event %+v", ev)
	}
}

// late gives the pieces, then fails as a reader does whose time is over.
func late(pieces ...string) io.Reader {
	readers := make([]io.Reader, 0, len(pieces)+1)
	for _, p := range pieces {
		readers = append(readers, strings.NewReader(p))
	}
	return io.MultiReader(append(readers, iotest.ErrReader(os.ErrDeadlineExceeded))...)
}

func TestReadPayloadCase72SilentPipe(t *testing.T) {
	got, err := harness.ReadPayload(late(), harness.MaxPayload)
	if len(got) != 0 || fault.CodeOf(err) != "payload-timeout" || fault.KindOf(err) != fault.Timeout {
		t.Errorf("got %q, error %v", got, err)
	}
}

func TestReadPayloadCase72TimeOverInTheMiddle(t *testing.T) {
	got, err := harness.ReadPayload(late(`{"session_id":"s-1","prompt":"ha`, `l`), harness.MaxPayload)
	if fault.CodeOf(err) != "payload-timeout" {
		t.Errorf("error %v", err)
	}
	if ev := harness.Decode(harness.ClaudeCode, harness.ParsePayload(got)); ev.Session != "s-1" {
		t.Errorf("of %q: %+v", got, ev)
	}
}

func TestReadPayload(t *testing.T) {
	cases := []struct{ id, in, want, code string }{
		{"case72-dev-null", "", "", "payload-none"},
		{"blanks", " \r\n\t", " \r\n\t", "payload-none"},
		{"object", `{"a":1}`, `{"a":1}`, ""},
		{"no-newline-with-rest", "{\"a\":1}\n{\"b\":2}", `{"a":1}`, ""},
		{"nested", ` [{"a":"]}"},"\"}"] x`, ` [{"a":"]}"},"\"}"]`, ""},
		{"bom", "\xEF\xBB\xBF{\"a\":1}", "\xEF\xBB\xBF{\"a\":1}", ""},
		{"number", "42", "42", ""},
		{"word-then-blank", "null x", "null ", ""},
		{"cut", `{"a":"b`, `{"a":"b`, "payload-cut"},
		{"cut-after-backslash", `{"a":"b\`, `{"a":"b\`, "payload-cut"},
		{"broken-utf8", "{\"a\":\"\xFF\xFE\"}", "{\"a\":\"\xFF\xFE\"}", ""},
	}
	for _, c := range cases {
		t.Run(c.id, func(t *testing.T) {
			for name, r := range map[string]io.Reader{
				"whole":     strings.NewReader(c.in),
				"bytewise":  iotest.OneByteReader(strings.NewReader(c.in)),
				"with-rest": iotest.DataErrReader(strings.NewReader(c.in)),
			} {
				got, err := harness.ReadPayload(r, harness.MaxPayload)
				if string(got) != c.want || fault.CodeOf(err) != c.code {
					t.Errorf("%s: got %q, error %v; want %q, %q", name, got, err, c.want, c.code)
				}
			}
		})
	}
}

func TestReadPayloadStopsAtTheLimit(t *testing.T) {
	endless := io.MultiReader(strings.NewReader(`{"session_id":"s","prompt":"`), repeat('x'))
	got, err := harness.ReadPayload(endless, 1<<20)
	if len(got) != 1<<20 || fault.CodeOf(err) != "payload-too-long" {
		t.Fatalf("%d bytes, error %v", len(got), err)
	}
	if ev := harness.Decode(harness.ClaudeCode, harness.ParsePayload(got)); ev.Session != "s" {
		t.Errorf("members before the limit are lost: %+v", ev)
	}
	exact := `{"a":"` + strings.Repeat("x", 100) + `"}`
	if _, err := harness.ReadPayload(strings.NewReader(exact), len(exact)); err != nil {
		t.Errorf("a payload of exactly the limit: %v", err)
	}
}

type repeat byte

func (r repeat) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(r)
	}
	return len(p), nil
}

func TestReadPayloadCase72ClosedInput(t *testing.T) {
	closed := errors.New("bad file descriptor")
	got, err := harness.ReadPayload(iotest.ErrReader(closed), harness.MaxPayload)
	if len(got) != 0 || fault.CodeOf(err) != "payload-none" || !errors.Is(err, closed) {
		t.Errorf("got %q, error %v", got, err)
	}
}

func FuzzReadPayload(f *testing.F) {
	for _, data := range payloads(f) {
		f.Add(data)
	}
	f.Add([]byte(`{"hook_event_name":7,"prompt":[1,{"text":"x"}],"tool_input":"*** Begin Patch","session_id":{}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := harness.ReadPayload(bytes.NewReader(data), 1<<16)
		if len(got) > len(data) || !bytes.HasPrefix(data, got) {
			t.Fatalf("%q is no beginning of %q (%v)", got, data, err)
		}
		p := harness.ParsePayload(got)
		for _, hint := range []string{"", "codex"} {
			h := harness.Detect(hint, p, noEnvironment)
			ev := harness.Decode(h, p)
			checkReply(t, ev, "[selfip]\nfact\n[/selfip]")
		}
		for _, h := range harness.All() {
			checkReply(t, harness.Decode(h, p), "fact")
		}
	})
}
