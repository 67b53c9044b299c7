package redact_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/dshkit/dshkit/internal/selfip/redact"
)

// read returns a file under testdata.
func read(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func lines(t testing.TB, name string) []string {
	t.Helper()
	return strings.Split(strings.TrimRight(read(t, name), "\n"), "\n")
}

// ours are the rows of fixture 06 for which EXPECTED.md calls the original's
// answer a defect.
var ours = map[int]string{
	12: `secret: "<已脱敏>"`,
	14: `password: <已脱敏>`,
	17: `apikey: <已脱敏>`,
	18: `API key: <已脱敏>`,
	19: `token=<已脱敏>`,
	20: `Authorization: Bearer <已脱敏>`,
	24: `密码是 <已脱敏>`,
	26: `client_secret: <已脱敏>`,
	28: `task-management-dashboard-v2`,
	29: `risk-assessment-spreadsheet-2026`,
}

var expectedRow = regexp.MustCompile("(?m)^\\| (\\d+) \\| (?:`(.*)`|-) \\| (\\d) \\|")

// TestW15FixtureSecrets holds every row of fixture 06.
func TestW15FixtureSecrets(t *testing.T) {
	const dir = "selfip-fixtures/06-secrets/"
	rows := expectedRow.FindAllStringSubmatch(read(t, dir+"EXPECTED.md"), -1)
	notes := bufio.NewScanner(strings.NewReader(read(t, dir+"inputs.jsonl")))
	n := 0
	for ; notes.Scan(); n++ {
		var in struct{ Note string }
		if err := json.Unmarshal(notes.Bytes(), &in); err != nil {
			t.Fatal(err)
		}
		want := rows[n][2]
		hits := rows[n][3]
		if want == "" {
			want = in.Note
		}
		if our, ok := ours[n+1]; ok {
			want, hits = our, "1"
			if our == in.Note {
				hits = "0"
			}
		}
		t.Run(fmt.Sprintf("fixture06/row%d", n+1), func(t *testing.T) {
			got, found := redact.Redact(in.Note)
			if got != want || fmt.Sprint(total(found)) != hits {
				t.Errorf("Redact(%q) = %q, %v; want %q, %s hits", in.Note, got, found, want, hits)
			}
		})
	}
	if n != 32 || len(rows) != 32 {
		t.Fatalf("%d inputs and %d expected rows, want 32 of each", n, len(rows))
	}
}

func TestCommitHashIsNotASecret(t *testing.T) {
	keepAll(t, "case49", lines(t, "cases/49-commit-hash-is-not-a-secret/keep.txt"))
}

func TestPrefixInsideAWord(t *testing.T) {
	const dir = "cases/51-prefix-inside-a-word/"
	keepAll(t, "case51", lines(t, dir+"keep.txt"))
	want := []string{
		"api key: <已脱敏:sk>",
		"token <已脱敏:ghp>",
		"postgres://admin:<已脱敏>@db.internal.test:5432/prod",
		"密钥：<已脱敏>",
		"export AWS_ACCESS_KEY_ID=<已脱敏:AKIA>",
		"Authorization: Bearer <已脱敏:eyJ>",
		"<已脱敏:xoxb>",
		"<已脱敏:AIza>",
	}
	for i, in := range lines(t, dir+"mask.txt") {
		if got, _ := redact.Redact(in); got != want[i] {
			t.Errorf("case51 mask: Redact(%q) = %q, want %q", in, got, want[i])
		}
	}
}

func keepAll(t *testing.T, id string, notes []string) {
	t.Helper()
	for _, in := range notes {
		t.Run(id+"/"+in, func(t *testing.T) {
			if got, hits := redact.Redact(in); got != in {
				t.Errorf("Redact(%q) = %q, %v; want it unchanged", in, got, hits)
			}
		})
	}
}

// benchSecrets are the values of bench/secrets.sh and the sentence each is in.
func benchSecrets(t testing.TB) map[string]string {
	t.Helper()
	script := read(t, "bench/secrets.sh")
	_, list, _ := strings.Cut(script, "list='")
	list, _, _ = strings.Cut(list, "'")
	out := map[string]string{}
	for i, row := range strings.Split(list, "\n") {
		n, s, _ := strings.Cut(row, "|")
		switch n {
		case "anthropic-tail":
			continue
		case "pem":
			out[s] = "key -----BEGIN RSA PRIVATE KEY----- " + s + " -----END RSA PRIVATE KEY----- stored"
		case "dburl":
			out[s] = fmt.Sprintf("note %d: connect with postgres://admin:%s@db.internal:5432/app from now on", i, s)
		case "assign":
			out[s] = fmt.Sprintf("note %d: password = %s for the staging box", i, s)
		case "cjk":
			out[s] = fmt.Sprintf("记录 %d：数据库密钥：%s，三月已轮换", i, s)
		default:
			out[s] = fmt.Sprintf("note %d about %s: the credential is %s and it was rotated in march", i, n, s)
		}
	}
	if len(out) != 10 {
		t.Fatalf("%d values in bench/secrets.sh, want 10", len(out))
	}
	return out
}

func TestBenchSecrets(t *testing.T) {
	for s, note := range benchSecrets(t) {
		got, _ := redact.Redact(note)
		if leaked := leak(got, s); leaked != "" {
			t.Errorf("Redact(%q) = %q, which holds %q", note, got, leaked)
		}
	}
}

// leak returns six characters of secret that are in out, or "".
func leak(out, secret string) string {
	for i := 0; i+6 <= len(secret); i++ {
		if strings.Contains(out, secret[i:i+6]) {
			return secret[i : i+6]
		}
	}
	return ""
}

// total is the number of replacements that hits stand for.
func total(hits []redact.Hit) int {
	n := 0
	for _, h := range hits {
		n += h.Count
	}
	return n
}
