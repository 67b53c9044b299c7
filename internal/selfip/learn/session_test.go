package learn_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/selfip/learn"
	"github.com/dshkit/dshkit/pkg/transcript"
)

// session is a hand-written session of testdata/sessions.txt.
type session struct {
	name    string
	records []transcript.Record
	want    []string
}

// builder turns the lines of a session into records.
type builder struct {
	session
	clock  time.Time
	call   transcript.Record // the command that waits for its result
	failed bool
	out    []string
}

func (b *builder) add(r transcript.Record) {
	b.clock = b.clock.Add(time.Minute)
	r.Time = b.clock
	b.records = append(b.records, r)
}

// flush writes the result of the command that waits.
func (b *builder) flush() {
	if b.call.Tool == "" {
		return
	}
	b.add(b.call)
	b.add(transcript.Record{Kind: transcript.Result, ID: b.call.ID, Text: strings.Join(b.out, "\n"), Failed: b.failed})
	b.call, b.failed, b.out = transcript.Record{}, false, nil
}

func (b *builder) tool(tool, input, output string, failed bool) {
	b.add(transcript.Record{Kind: transcript.Call, ID: "t", Tool: tool, Input: input})
	b.add(transcript.Record{Kind: transcript.Result, ID: "t", Text: output, Failed: failed})
}

func (b *builder) line(mark, rest string) {
	if !strings.Contains("=!", mark) {
		b.flush()
	}
	switch mark {
	case ">":
		b.add(transcript.Record{Kind: transcript.Prompt, Text: rest})
	case "<":
		b.add(transcript.Record{Kind: transcript.Reply, Text: rest})
	case "~":
		b.add(transcript.Record{Kind: transcript.Feedback, Text: rest})
	case "f":
		b.add(transcript.Record{Kind: transcript.Fault, Text: rest})
	case "$":
		b.call = transcript.Record{Kind: transcript.Call, ID: "c", Tool: "Bash", Input: rest}
	case "=", "!":
		b.failed, b.out = mark == "!", strings.Split(rest, "\n")
	case "e":
		b.tool("Edit", root+"/"+rest, "The file has been updated.", false)
	case "r":
		b.tool("Read", root+"/"+rest, "package x", false)
	case "x":
		b.tool("Read", root+"/"+rest, "File does not exist.", true)
	case "u":
		b.tool("WebFetch", rest, "the page", false)
	}
}

// sessions reads testdata/sessions.txt.
func sessions(t testing.TB) (list []session) {
	data, err := os.ReadFile(filepath.Join("testdata", "sessions.txt"))
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(data), "\n# ")
	for block := range strings.SplitSeq(text, "\n# ") {
		name, body, _ := strings.Cut(block, "\n")
		b := builder{session: session{name: name}, clock: time.Date(2026, 12, 1, 10, 0, 0, 0, time.UTC)}
		lines := strings.Split(strings.ReplaceAll(body, "\n| ", "\x00"), "\n")
		for _, line := range lines {
			line = strings.ReplaceAll(line, "\x00", "\n")
			if len(line) > 2 && line[1] == ':' {
				b.want = append(b.want, line)
			} else if mark, rest, ok := strings.Cut(line, " "); ok {
				b.line(mark, rest)
			}
		}
		b.flush()
		list = append(list, b.session)
	}
	return list
}

// lines writes conclusions as testdata/sessions.txt has them.
func lines(c learn.Conclusions) (out []string) {
	letters := map[string]string{"lesson": "L", "fact": "F", "preference": "P", "resource": "R", "method": "M"}
	for _, list := range [][]learn.Conclusion{c.Lessons, c.Facts, c.Resources, c.Methods} {
		for _, l := range list {
			out = append(out, letters[string(l.Kind)]+": "+l.Text)
		}
	}
	return out
}

func TestSessions(t *testing.T) {
	list := sessions(t)
	if len(list) < 40 {
		t.Fatalf("testdata/sessions.txt: got %d sessions, want at least 40", len(list))
	}
	for _, s := range list {
		t.Run(s.name, func(t *testing.T) {
			c := engine("en", s.records).Conclude(nil)
			if diff := cmp.Diff(s.want, lines(c)); diff != "" {
				t.Errorf("(-want +got):\n%s\nleft: %q", diff, c.Left)
			}
		})
	}
}
