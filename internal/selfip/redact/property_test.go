package redact_test

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/redact"
	"pgregory.net/rapid"
)

// frames are sentences in which $ is a secret.
var frames = []string{
	"password: $", "password = $", "password=$", "the password is $", "The password for the db is $.",
	"export DB_PASSWORD=$", "API_KEY=$ make run", "api key: $, rotated", "token=$", `"secret": "$"`, "client_secret: '$'",
	"Authorization: Bearer $", "curl -H 'X-Api-Key: $' https://example.com", "postgres://admin:$@db.internal:5432/app",
	"set the token to $ and restart", "access token is `$`", "deploy --token=$ --force", "passphrase: $ (old)",
	"密码是 $", "密钥：$，三月已轮换", "口令为$。", "数据库密码：「$」", "API key 为 $；已失效", "令牌 = $", "密码改成了 $，请更新",
	"line one\nsecret: $\nline three",
}

var alphabets = []string{
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_",
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/",
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@#%^*!~+_-.",
}

// secrets draws values that no one could take for words: both cases and digits
// in every six characters.
func secrets() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		set := rapid.SampledFrom(alphabets).Draw(t, "alphabet")
		edge := alphabets[0]
		var b strings.Builder
		for range rapid.IntRange(2, 10).Draw(t, "groups") {
			b.WriteByte(rapid.SampledFrom([]byte(edge[:26])).Draw(t, "lower"))
			b.WriteByte(rapid.SampledFrom([]byte(set)).Draw(t, "any"))
			b.WriteByte(rapid.SampledFrom([]byte(edge[52:])).Draw(t, "digit"))
			b.WriteByte(rapid.SampledFrom([]byte(set)).Draw(t, "any"))
			b.WriteByte(rapid.SampledFrom([]byte(edge[26:52])).Draw(t, "upper"))
		}
		return b.String()
	})
}

// TestNoSecretStays draws secrets and frames: no six characters of the secret
// are left, the frame is.
func TestNoSecretStays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		secret := secrets().Draw(t, "secret")
		before, after, _ := strings.Cut(rapid.SampledFrom(frames).Draw(t, "frame"), "$")
		got, hits := redact.Redact(before + secret + after)
		if leaked := leak(got, secret); leaked != "" {
			t.Fatalf("Redact(%q) = %q, which holds %q", before+secret+after, got, leaked)
		}
		if !strings.HasPrefix(got, before) || !strings.HasSuffix(got, after) || total(hits) == 0 {
			t.Fatalf("Redact(%q) = %q, %v, which changes the sentence", before+secret+after, got, hits)
		}
	})
}

// TestIdempotent puts pieces that mean something to a scanner in any order.
func TestIdempotent(t *testing.T) {
	pieces := []string{
		"password", "token", "密钥", "密码", " is ", "是", ": ", "=", "：", "://", "@", "admin:", "\"", "'", "`", ",", ";", "&", "\n", " ", "|", ">", "<", "</", "--", "-----BEGIN",
		" RSA PRIVATE KEY-----", "-----END", "MIIEpAIBAAKCAQEA7bq3vXk2hT9pQ4rS8uW1yZ6cF0gJ5nL", "Bearer ", "Authorization", "hunter2x", "Tr0ub4dor3xyz",
		"ghp_", "FAKEfakeFAKEfakeFAKEfake0000", "sk-", "eyJ", ".", "<已脱敏>", "<已脱敏:sk>", "已脱敏", "api key", "\\", "\\n", "**", "http", "x", "你好", "，",
	}
	rapid.Check(t, func(t *rapid.T) {
		in := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 24).Draw(t, "pieces"), "")
		checkRedact(t, in)
	})
}

type failer interface{ Fatalf(string, ...any) }

// checkRedact holds what is true for every text.
func checkRedact(t failer, in string) {
	once, hits := redact.Redact(in)
	twice, again := redact.Redact(once)
	if twice != once || len(again) != 0 {
		t.Fatalf("Redact(%q) = %q, but then %q, %v", in, once, twice, again)
	}
	if (total(hits) == 0) != (once == in) {
		t.Fatalf("Redact(%q) = %q with hits %v", in, once, hits)
	}
	if !outside(in, once) {
		t.Fatalf("Redact(%q) = %q, which changes text outside the marks", in, once)
	}
}

var anyMark = regexp.MustCompile(`<已脱敏(:[^<>]*)?>`)

// outside reports whether every part of out between two marks is found in in,
// in order.
func outside(in, out string) bool {
	for _, part := range anyMark.Split(out, -1) {
		_, rest, ok := strings.Cut(in, part)
		if !ok {
			return false
		}
		in = rest
	}
	return true
}

func FuzzRedact(f *testing.F) {
	for _, row := range disclosed {
		f.Add(row[0])
	}
	for _, s := range harmless {
		f.Add(s)
	}
	for _, s := range lines(f, "selfip-fixtures/06-secrets/inputs.jsonl") {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) { checkRedact(t, in) })
}

// hostile are the long lines of case 90 and others that make a careless scanner
// look at the same bytes again and again.
func hostile(t testing.TB) map[string]string {
	t.Helper()
	name := t.TempDir() + "/hostile.txt"
	cmd := exec.Command("sh", "testdata/cases/90-regular-expression-without-end/make.sh", name)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("make.sh: %v: %s", err, out)
	}
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		all["case90/"+line[:min(12, len(line))]] = line
	}
	for _, unit := range []string{
		"password=", "password: \"", "password is ", "sk-a-", "eyJ-", "eyJaaaaaaaaaa.eyJ-", "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----",
		"a://b:c", "a://b:c@", "token \"", "key ", "密码是", "Bearer ", "(((", ")))", "MIIEpAIBAAKC", "xoxb", "\\\"", "--token ", "“", "password=“", "｜：", "＝",
		"a", "=", ":", "://", "password: (", "password: x)", "AKIA", "ghp_", "hunter2x,", "password=a,", "<已脱敏", "https://a:b/", "token=f(", " -u ", "curl -u a:b ",
	} {
		all[unit] = strings.Repeat(unit, 200_000/len(unit))
	}
	return all
}

// slow reports why f takes more than linear time: a line ten times as long may
// take four times as long as that, and a second. It is so only when it is so
// three times: the machine may do something else meanwhile.
func slow(line string, f func(string)) (why string) {
	measure := func(s string) time.Duration {
		begin := time.Now()
		f(s)
		return time.Since(begin)
	}
	for range 3 {
		short, long := measure(line[:len(line)/10]), measure(line)
		if long <= 40*short+time.Second {
			return ""
		}
		why = fmt.Sprintf("%d bytes take %v, a tenth of them %v", len(line), long, short)
	}
	return why
}

// TestHostileLines holds that no line makes the scanner read the same bytes
// again and again.
func TestHostileLines(t *testing.T) {
	for name, line := range hostile(t) {
		if why := slow(line, func(s string) { redact.Redact(s) }); why != "" {
			t.Errorf("Redact of %q: %s", name, why)
		}
		once, _ := redact.Redact(line)
		if twice, hits := redact.Redact(once); twice != once {
			t.Errorf("the line of %q changes again: %v", name, hits)
		}
	}
}

func BenchmarkHostile(b *testing.B) {
	for name, line := range hostile(b) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				redact.Redact(line)
			}
		})
	}
}

const cleanNote = `The build uses esbuild with the flag --bundle; run make demo first, then open http://localhost:8080/ and check that the page shows three rows. Version 1.2.3 of the client needs Node 20, see docs.`

func BenchmarkRedact(b *testing.B) {
	chinese := "构建脚本会先检查依赖，然后打包页面：如果端口被占用，请换一个。测试数据在 testdata 目录，接口文档见 https://example.com/docs，记得更新。"
	secret := cleanNote + " The password is hunter2x9."
	for _, bc := range []struct{ name, text string }{
		{"clean200B", cleanNote},
		{"chinese200B", chinese},
		{"secret", secret},
		{"clean10KB", strings.Repeat(cleanNote+"\n", 52)},
		{"chinese10KB", strings.Repeat(chinese, 60)},
	} {
		b.Run(bc.name, func(b *testing.B) {
			b.SetBytes(int64(len(bc.text)))
			b.ReportAllocs()
			for b.Loop() {
				redact.Redact(bc.text)
			}
		})
	}
}
