package harness_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"github.com/dshkit/dshkit/internal/harness"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/transcript"
)

// records reads a whole log that must not fail.
func records(t testing.TB, h harness.Harness, log []byte) ([]transcript.Record, harness.Report) {
	t.Helper()
	var report harness.Report
	var all []transcript.Record
	for rec, err := range harness.Transcript(h, bytes.NewReader(log), &report) {
		if err != nil {
			t.Fatalf("reading: %v", err)
		}
		all = append(all, rec)
	}
	return all, report
}

func sample(t testing.TB, h harness.Harness) []byte {
	return read(t, "testdata/hook-samples/"+string(h)+"/transcript.jsonl")
}

// served are the harnesses whose dialect and session log are known.
var served = []harness.Harness{
	harness.ClaudeCode, harness.Codex, harness.DSH,
	harness.OpenCode, harness.Pi, harness.OpenClaw,
	harness.GeminiCLI, harness.QwenCode, harness.CopilotCLI, harness.Cursor,
	harness.Hermes, harness.Goose, harness.Kiro, harness.Cline, harness.Crush,
}

// texts returns what the records of a kind say.
func texts(all []transcript.Record, kind transcript.Kind) []string {
	var out []string
	for _, rec := range all {
		if rec.Kind == kind {
			out = append(out, rec.Text)
		}
	}
	return out
}

var wantPrompts = []string{
	"订单导出接口返回 500,帮我修一下。文档在 https://docs.acme.example/orders/export?v=2",
	"不对,测试库端口是 5433,不是 5432。以后跑测试都用 make test,不要直接 go test。",
	"OK. Write the PR text in English, and never commit .env.test. Runbook: https://wiki.acme.example/runbooks/export",
	"再跑一次 lint,然后结束。",
}

// toldBy is the story as h tells it.
func toldBy(h harness.Harness) story {
	s := story{Prompts: wantPrompts, Calls: 9, Results: 9, Failed: 4, Faults: 1, Replies: 3, Places: 4}
	switch h {
	case harness.OpenCode: // its sample goes on for two more turns
		s.Prompts = append(slices.Clone(wantPrompts), "继续,顺便看 https://acme.example/changelog", "谢谢")
		s.Replies, s.Places = 5, 5
	case harness.Cursor: // no answers of tools, no failure of the service: its words are the agent's
		s.Results, s.Failed, s.Faults, s.Replies = 0, 0, 0, 13
	}
	return s
}

// story is what the sample of a harness tells.
type story struct {
	Prompts                 []string
	Calls, Results, Failed  int
	Faults, Replies, Places int // of the model's service; of the agent; addresses of the web
}

// hermesFault is all that Hermes writes down of a failed service.
const hermesFault = "the turn ended with the finish reason error"

func storyOf(t *testing.T, all []transcript.Record) story {
	t.Helper()
	address := regexp.MustCompile(`https://[a-z0-9./]+`)
	s := story{Prompts: texts(all, transcript.Prompt), Replies: len(texts(all, transcript.Reply))}
	addresses, tools := map[string]bool{}, map[string]string{}
	for _, rec := range all {
		for _, found := range address.FindAllString(rec.Text+" "+rec.Input, -1) {
			addresses[found] = true
		}
		switch rec.Kind {
		case transcript.Call:
			s.Calls++
			tools[rec.ID] = rec.Tool
		case transcript.Result:
			if s.Results++; rec.Failed {
				s.Failed++
			}
			if tools[rec.ID] != rec.Tool || rec.Tool == "" {
				t.Errorf("result of %q names the tool %q, its call %q", rec.ID, rec.Tool, tools[rec.ID])
			}
		case transcript.Fault:
			if s.Faults++; !strings.Contains(rec.Text, "429") && rec.Text != hermesFault {
				t.Errorf("fault %q, want one with 429", rec.Text)
			}
		}
	}
	s.Places = len(addresses)
	return s
}

func TestTranscriptTellsTheStory(t *testing.T) {
	for _, h := range served {
		t.Run(string(h), func(t *testing.T) {
			all, report := records(t, h, sample(t, h))
			if diff := cmp.Diff(toldBy(h), storyOf(t, all)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			for _, rec := range all {
				if h != harness.Cursor && (rec.Time.IsZero() || rec.Time.Year() != 2026) {
					t.Errorf("time of %+v", rec)
				}
				if rec.Kind == transcript.Prompt && strings.Contains(rec.Text, "[selfip]") {
					t.Errorf("our own text as a prompt: %q", rec.Text)
				}
			}
			if report.Skipped() != 0 || report.Records != len(all) {
				t.Errorf("report %+v, want nothing skipped and %d records", report, len(all))
			}
		})
	}
}

func TestTranscriptInputs(t *testing.T) {
	want := map[harness.Harness][]string{
		harness.ClaudeCode: {"Bash go test ./internal/export/...", "Edit /home/dev/acme-orders/.env.test", "Read /home/dev/acme-orders/internal/export/month.go"},
		harness.Codex:      {"exec_command go test ./internal/export/...", "apply_patch /home/dev/acme-orders/.env.test", "exec_command make test"},
		harness.DSH:        {"bash go test ./internal/export/...", "edit /home/dev/acme-orders/.env.test", "read /home/dev/acme-orders/internal/export/month.go"},
		harness.OpenCode:   {"bash go test ./internal/export/...", "edit /home/dev/acme-orders/.env.test", "read /home/dev/acme-orders/internal/export/month.go"},
		harness.Pi:         {"bash go test ./internal/export/...", "edit /home/dev/acme-orders/.env.test", "read /home/dev/acme-orders/internal/export/month.go"},
		harness.OpenClaw:   {"exec go test ./internal/export/...", "edit /home/dev/acme-orders/.env.test", "read /home/dev/acme-orders/internal/export/month.go"},
		harness.GeminiCLI:  {"run_shell_command go test ./internal/export/...", "replace /home/dev/acme-orders/.env.test", "read_file /home/dev/acme-orders/internal/export/month.go"},
		harness.QwenCode:   {"run_shell_command go test ./internal/export/...", "edit /home/dev/acme-orders/.env.test", "read_file /home/dev/acme-orders/internal/export/month.go"},
		harness.CopilotCLI: {"bash go test ./internal/export/...", "edit /home/dev/acme-orders/.env.test", "view /home/dev/acme-orders/internal/export/month.go"},
		harness.Cursor:     {"Shell go test ./internal/export/...", "StrReplace /home/dev/acme-orders/.env.test", "Read /home/dev/acme-orders/internal/export/month.go"},
		harness.Hermes:     {"terminal go test ./internal/export/...", "patch /home/dev/acme-orders/.env.test", "read_file /home/dev/acme-orders/internal/export/month.go"},
		harness.Goose:      {"developer__shell go test ./internal/export/...", "developer__edit /home/dev/acme-orders/.env.test"},
		harness.Kiro:       {"shell go test ./internal/export/...", "write /home/dev/acme-orders/.env.test", "read /home/dev/acme-orders/internal/export/month.go"},
		harness.Cline:      {"run_commands go test ./internal/export/...", "editor /home/dev/acme-orders/.env.test", "read_files /home/dev/acme-orders/internal/export/month.go"},
		harness.Crush:      {"bash go test ./internal/export/...", "edit /home/dev/acme-orders/.env.test", "view /home/dev/acme-orders/internal/export/month.go"},
	}
	for _, h := range served {
		all, _ := records(t, h, sample(t, h))
		var got []string
		for _, rec := range all {
			if rec.Kind == transcript.Call {
				got = append(got, rec.Tool+" "+rec.Input)
			}
		}
		for _, line := range want[h] {
			if !slices.Contains(got, line) {
				t.Errorf("%s: no call %q in %q", h, line, got)
			}
		}
	}
}

func TestTranscriptOfDSHKeepsFeedback(t *testing.T) {
	all, _ := records(t, harness.DSH, sample(t, harness.DSH))
	if got := texts(all, transcript.Feedback); !slices.Equal(got, []string{"这次端口又弄错了"}) {
		t.Errorf("feedback %q", got)
	}
}

// packed writes rows as DSH does, one frame for a batch of n.
func packed(t testing.TB, log []byte, n int) []byte {
	t.Helper()
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	var out []byte
	for batch := range slices.Chunk(bytes.SplitAfter(log, []byte("\n")), n) {
		out = encoder.EncodeAll(bytes.Join(batch, nil), out)
	}
	return out
}

func TestTranscriptOfDSHUnpacksFrames(t *testing.T) {
	log := sample(t, harness.DSH)
	plain, _ := records(t, harness.DSH, log)
	for _, batch := range []int{1, 7, 1000} {
		got, report := records(t, harness.DSH, packed(t, log, batch))
		if diff := cmp.Diff(plain, got); diff != "" || report.Skipped() != 0 {
			t.Errorf("batches of %d: report %+v (-plain +packed):\n%s", batch, report, diff)
		}
	}
}

func TestTranscriptOfDSHStopsAtTornFrame(t *testing.T) {
	log := packed(t, sample(t, harness.DSH), 5)
	all, report := records(t, harness.DSH, log[:len(log)-9])
	if len(all) < 20 {
		t.Errorf("%d records of a log whose last frame is cut (report %+v)", len(all), report)
	}
}

func TestTranscriptOfDSHReportsDamage(t *testing.T) {
	log := packed(t, sample(t, harness.DSH), 1000)
	for i := 40; i < 80; i++ {
		log[i] ^= 0x5A
	}
	var last error
	var report harness.Report
	for _, err := range harness.Transcript(harness.DSH, bytes.NewReader(log), &report) {
		last = err
	}
	if fault.CodeOf(last) != "log-unreadable" || fault.KindOf(last) != fault.Damaged {
		t.Errorf("error %v, want log-unreadable", last)
	}
}

func TestTranscriptPassesOnReadErrors(t *testing.T) {
	broken := io.MultiReader(strings.NewReader("{\"type\":\"user\",\"text\":\"a\"}\n"), failing{})
	var got []string
	var report harness.Report
	for rec, err := range harness.Transcript(harness.ClaudeCode, broken, &report) {
		got = append(got, rec.Text+fault.CodeOf(err))
	}
	if want := []string{"a", "log-unreadable"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("disk gone") }

func TestTranscriptCase22NulHoles(t *testing.T) {
	var log bytes.Buffer
	for i := 1; i <= 80; i++ {
		fmt.Fprintf(&log, `{"type":"user","text":"step %d works"}`, i)
		if i < 80 {
			log.WriteByte('\n')
		}
		if i == 40 {
			log.Write(make([]byte, 307200))
			log.WriteByte('\n')
		}
	}
	for _, h := range append(served, harness.Windsurf) {
		all, report := records(t, h, log.Bytes())
		if len(all) != 80 || report.NulBytes != 307200 || report.Skipped() != 0 {
			t.Errorf("%s: %d records, report %+v; want 80 and 307200 NUL bytes", h, len(all), report)
		}
	}
}

func TestTranscriptHoleLongerThanARow(t *testing.T) {
	hole := make([]byte, harness.MaxRow+4096)
	log := slices.Concat([]byte("{\"type\":\"user\",\"text\":\"a\"}\n{\"type\":\"us"), hole, []byte("{\"type\":\"user\",\"text\":\"b\"}\n"))
	all, report := records(t, harness.ClaudeCode, log)
	if got := texts(all, transcript.Prompt); !slices.Equal(got, []string{"a"}) || report.TooLong != 1 {
		t.Errorf("a hole inside a row: got %q, report %+v", got, report)
	}
	log = slices.Concat([]byte("{\"type\":\"user\",\"text\":\"a\"}\n"), hole, []byte("{\"type\":\"user\",\"text\":\"b\"}\n"))
	all, report = records(t, harness.ClaudeCode, log)
	if got := texts(all, transcript.Prompt); !slices.Equal(got, []string{"a", "b"}) || report.NulBytes != int64(len(hole)) {
		t.Errorf("a hole between rows: got %q, report %+v", got, report)
	}
}

func TestTranscriptCase23OddRows(t *testing.T) {
	log := read(t, "testdata/cases/23-bad-utf8-and-odd-rows/in/session.jsonl")
	for _, h := range append(served, harness.Windsurf) {
		all, report := records(t, h, log)
		got := texts(all, transcript.Prompt)
		want := []string{"first good row", "bad \uFFFD\uFFFD bytes", "second good row"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", h, diff)
		}
		wantReport := harness.Report{Rows: 9, Records: 3, NotObject: 4, NoType: 1, Odd: 1}
		if diff := cmp.Diff(wantReport, report); diff != "" {
			t.Errorf("%s: report (-want +got):\n%s", h, diff)
		}
	}
}

func TestTranscriptCase23InEachFormat(t *testing.T) {
	rows := map[harness.Harness]string{
		harness.ClaudeCode: `{"type":"user","message":{"role":"user","content":%s}}`,
		harness.Codex:      `{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":%s}]}}`,
		harness.DSH:        `{"type":"user/message","data":{"source":{"kind":"user"},"content":%s}}`,
		harness.OpenCode:   `{"info":{"role":"user"},"parts":[{"type":"text","text":%s}]}`,
		harness.Pi:         `{"type":"message","message":{"role":"user","content":%s}}`,
		harness.OpenClaw:   `{"type":"message","message":{"role":"user","content":[{"type":"text","text":%s}]}}`,
		harness.GeminiCLI:  `{"type":"user","content":%s}`,
		harness.QwenCode:   `{"type":"user","provenance":"real_user","message":{"role":"user","parts":%s}}`,
		harness.CopilotCLI: `{"type":"user.message","data":{"content":%s}}`,
		harness.Cursor:     `{"role":"user","message":{"content":%s}}`,
		harness.Hermes:     `{"role":"user","content":%s}`,
		harness.Goose:      `{"role":"user","content":[{"type":"text","text":%s}]}`,
		harness.Kiro:       `{"kind":"Prompt","data":{"content":[{"kind":"text","data":%s}]}}`,
		harness.Cline:      `{"role":"user","content":%s}`,
		harness.Crush:      `{"role":"user","parts":[{"type":"text","data":{"text":%s}}]}`,
	}
	for _, h := range served {
		var log strings.Builder
		for _, text := range []string{`"first"`, "\"bad \xFF\xFE bytes\"", `7`, `"\u0000nul"`, `"last"`} {
			fmt.Fprintf(&log, rows[h]+"\n", text)
		}
		log.WriteString("[]\n42\nnull\n{}\nnonsense\n" + `{"type":"user","mess{"type":"user"}` + "\n" + `{"type":"us`)
		all, report := records(t, h, []byte(log.String()))
		want := []string{"first", "bad \uFFFD\uFFFD bytes", "nul", "last"}
		if diff := cmp.Diff(want, texts(all, transcript.Prompt)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", h, diff)
		}
		if report.NotObject != 3 || report.NoType != 1 || report.Broken != 2 || report.Torn != 1 {
			t.Errorf("%s: report %+v", h, report)
		}
	}
}

func TestTranscriptCase24Separators(t *testing.T) {
	log := read(t, "testdata/cases/24-line-separators-inside-strings/in/session.jsonl")
	all, report := records(t, harness.ClaudeCode, log)
	want := []string{"one\u2028two", "three\u2029four\u0085five", "six"}
	if diff := cmp.Diff(want, texts(all, transcript.Prompt)); diff != "" || report.Skipped() != 0 {
		t.Errorf("report %+v (-want +got):\n%s", report, diff)
	}
	all, _ = records(t, harness.ClaudeCode, []byte("{\"type\":\"user\",\"text\":\"a\vb\fc\rd\"}\r\n"))
	if got := texts(all, transcript.Prompt); !slices.Equal(got, []string{"a\vb\fc\rd"}) {
		t.Errorf("raw VT, FF and CR: got %q", got)
	}
}

func TestTranscriptRowsTooLong(t *testing.T) {
	long := `{"type":"user","text":"` + strings.Repeat("x", harness.MaxRow) + `"}`
	fits := `{"type":"user","text":"` + strings.Repeat("é", 2<<20) + `"}`
	log := "{\"type\":\"user\",\"text\":\"a\"}\n" + long + "\n" + fits + "\n" + long
	all, report := records(t, harness.ClaudeCode, []byte(log))
	if report.TooLong != 2 || len(all) != 2 || report.Rows != 4 {
		t.Fatalf("%d records, report %+v", len(all), report)
	}
	if got := all[1].Text; len(got) > 16<<10 || !utf8.ValidString(got) || !strings.Contains(got, "[…]") {
		t.Errorf("a long text was cut to %d bytes, valid %v", len(got), utf8.ValidString(got))
	}
}

func TestTranscriptStopsWhenTheReaderDoes(t *testing.T) {
	var report harness.Report
	for range harness.Transcript(harness.ClaudeCode, bytes.NewReader(sample(t, harness.ClaudeCode)), &report) {
		break
	}
	if report.Records != 1 {
		t.Errorf("%d records after a break at the first", report.Records)
	}
}

func TestTranscriptOfClaudeSkipsWhatNobodySaid(t *testing.T) {
	row := func(extra, content string) string {
		return `{"type":"user",` + extra + `"message":{"role":"user","content":` + content + "}}\n"
	}
	log := row(`"isMeta":true,`, `"meta"`) + row(`"isSidechain":true,`, `"side"`) +
		row(`"isCompactSummary":true,`, `"summary"`) +
		row("", `"<command-name>/clear</command-name>"`) + row("", `"<local-command-stdout>x</local-command-stdout>"`) +
		row("", `[{"type":"text","text":"[Request interrupted by user]"}]`) +
		row("", `"<system-reminder>only this</system-reminder>"`) + row("", `"[selfip]\nfact\n[/selfip]"`) +
		row("", `[{"type":"image","source":{}},{"type":"text","text":"look <system-reminder>x</system-reminder>here"}]`)
	all, _ := records(t, harness.ClaudeCode, []byte(log))
	if got := texts(all, transcript.Prompt); !slices.Equal(got, []string{"look here"}) {
		t.Errorf("prompts %q", got)
	}
}

func TestTranscriptOfOlderCodex(t *testing.T) {
	log := `{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"<user_instructions>x</user_instructions>"}]}}
{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"fix it"}]}}
{"type":"event_msg","payload":{"type":"user_message","message":"fix it"}}
{"type":"response_item","payload":{"type":"function_call","name":"shell","call_id":"a","arguments":"{\"command\":[\"bash\",\"-lc\",\"go test\"]}"}}
{"type":"response_item","payload":{"type":"function_call_output","call_id":"a","output":"{\"output\":\"boom\",\"metadata\":{\"exit_code\":1}}"}}
{"type":"response_item","payload":{"type":"function_call","name":"exec_command","call_id":"b","arguments":"{\"cmd\":\"sleep 9\"}"}}
{"type":"response_item","payload":{"type":"function_call_output","call_id":"b","output":"Chunk ID: 1\nProcess running with session ID 7\nOutput:\nProcess exited with code 3\n"}}
{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"CommandExecution","id":"b","exit_code":3,"aggregated_output":"late"}}}
{"type":"event_msg","payload":{"type":"error","message":"limit"}}
{"type":"event_msg","payload":{"type":"user_message","message":"fix it"}}
`
	all, _ := records(t, harness.Codex, []byte(log))
	want := []transcript.Record{
		{Kind: transcript.Prompt, Text: "fix it"},
		{Kind: transcript.Call, ID: "a", Tool: "shell", Input: "go test"},
		{Kind: transcript.Result, ID: "a", Tool: "shell", Text: "boom", Failed: true},
		{Kind: transcript.Call, ID: "b", Tool: "exec_command", Input: "sleep 9"},
		{Kind: transcript.Result, ID: "b", Tool: "exec_command", Text: "Process exited with code 3\n"},
		{Kind: transcript.Result, ID: "b", Text: "late", Failed: true},
		{Kind: transcript.Fault, Text: "limit", Failed: true},
		{Kind: transcript.Prompt, Text: "fix it"},
	}
	if diff := cmp.Diff(want, all); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTranscriptOfDelegatedSessionHasNoPrompts(t *testing.T) {
	logs := map[harness.Harness]string{
		harness.Codex: `{"type":"session_meta","payload":{"source":{"subagent":"explorer"}}}
{"type":"event_msg","payload":{"type":"user_message","message":"SUBTASK"}}`,
		harness.DSH: `{"type":"session","delegationDepth":1}
{"type":"user/message","data":{"source":{"kind":"user"},"content":[{"type":"text","text":"SUBTASK"}]}}`,
	}
	for h, log := range logs {
		if all, _ := records(t, h, []byte(log)); len(all) != 0 {
			t.Errorf("%s: %+v", h, all)
		}
	}
}

func FuzzTranscript(f *testing.F) {
	for _, h := range served {
		f.Add(string(h), sample(f, h))
	}
	for _, file := range []string{"23-bad-utf8-and-odd-rows", "24-line-separators-inside-strings"} {
		f.Add("codex", read(f, filepath.Join("testdata/cases", file, "in/session.jsonl")))
	}
	f.Add("dsh", packed(f, sample(f, harness.DSH), 3))
	f.Add("opencode", export(sample(f, harness.OpenCode), ""))
	f.Fuzz(func(t *testing.T, h string, log []byte) {
		var report harness.Report
		n := 0
		for rec, err := range harness.Transcript(harness.Harness(h), bytes.NewReader(log), &report) {
			if err != nil {
				break
			}
			n++
			for _, s := range []string{rec.ID, rec.Tool, rec.Input, rec.Text} {
				if !utf8.ValidString(s) || strings.Contains(s, "\x00") {
					t.Fatalf("text %q of %+v", s, rec)
				}
			}
		}
		if n != report.Records || report.Skipped() > report.Rows {
			t.Fatalf("%d records, report %+v", n, report)
		}
	})
}

// writeCase26 makes the log of case 26 in Claude's format: rows of tool results,
// and three corrections near the end.
func writeCase26(w io.Writer, rows int) error {
	filler := strings.Repeat("lorem result ", 200)
	for i := 1; i <= rows; i++ {
		var err error
		if i == rows-1000 || i == rows-600 || i == rows-100 {
			_, err = fmt.Fprintf(w, `{"type":"user","message":{"role":"user","content":"correction %d: use trunk, not main"},"timestamp":"2026-12-01T10:30:02.100Z"}`+"\n", i)
		} else {
			text := filler[:200+i*7919%1300]
			_, err = fmt.Fprintf(w, `{"parentUuid":null,"isSidechain":false,"type":"user","message":{"role":"user","content":[{"tool_use_id":"t%d","type":"tool_result","content":"%s","is_error":false}]},"uuid":"u","timestamp":"2026-12-01T10:30:02.100Z"}`+"\n", i, text)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// TestTranscriptCase26InConstantMemory streams 25 MB and holds that what is kept
// does not grow with what was read.
func TestTranscriptCase26InConstantMemory(t *testing.T) {
	in, out := io.Pipe()
	go func() { out.CloseWithError(writeCase26(out, 30000)) }()
	var report harness.Report
	var first, most uint64
	var corrections []string
	for rec, err := range harness.Transcript(harness.ClaudeCode, in, &report) {
		if err != nil {
			t.Fatal(err)
		}
		if rec.Kind == transcript.Prompt {
			corrections = append(corrections, rec.Text)
		}
		if report.Rows%5000 == 1 {
			runtime.GC()
			var stats runtime.MemStats
			runtime.ReadMemStats(&stats)
			if most = max(most, stats.HeapAlloc); first == 0 {
				first = stats.HeapAlloc
			}
		}
	}
	if len(corrections) != 3 || report.Records != 30000 || report.Skipped() != 0 {
		t.Errorf("corrections %q, report %+v", corrections, report)
	}
	if most > first+4<<20 {
		t.Errorf("the heap grew from %d to %d bytes", first, most)
	}
}

// BenchmarkTranscriptCase26 streams about 130 MB from a file.
func BenchmarkTranscriptCase26(b *testing.B) {
	file, err := os.Create(filepath.Join(b.TempDir(), "session.jsonl"))
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	if err := writeCase26(file, 120000); err != nil {
		b.Fatal(err)
	}
	size, _ := file.Seek(0, io.SeekCurrent)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := file.Seek(0, io.SeekStart); err != nil {
			b.Fatal(err)
		}
		var report harness.Report
		corrections := 0
		for rec, err := range harness.Transcript(harness.ClaudeCode, file, &report) {
			if err != nil {
				b.Fatal(err)
			}
			if rec.Kind == transcript.Prompt {
				corrections++
			}
		}
		if corrections != 3 || report.Records != 120000 {
			b.Fatalf("%d corrections, report %+v", corrections, report)
		}
	}
}
