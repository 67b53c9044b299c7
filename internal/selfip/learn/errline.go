package learn

import (
	"regexp"
	"strings"
	"sync"
)

// Of a long output the beginning and the end are looked at, in bytes.
const (
	outputHead = 8 << 10
	outputTail = 16 << 10
	maxOutLine = 2000 // a longer line is data, not a message
)

// linePatterns recognise the lines of an output that say what went wrong. All
// but the last two are anchored, which lets them fail at once.
type linePatterns struct {
	exception, located, weak, noise, ansi, failing, exit *regexp.Regexp
}

var patterns = sync.OnceValue(func() linePatterns {
	re := regexp.MustCompile
	return linePatterns{
		exception: re(`^(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Exit|Interrupt)\b(?:: .+)?$|^E {2,}\S`),
		located:   re(`^[^\s:]+\.\w{1,5}:\d+(?::\d+)?:\s+`),
		weak: re(`^(?:(?:FAIL|FAILED|ok|[Tt]ests?:|ELIFECYCLE|Traceback)\b|-+ FAIL|g?make(?:\[\d+\])?: \*\*\*|[Ee]xit(?:ed)? (?:code|status)|` +
			`npm (?:ERR!|error) (?:code|A complete log|errno|path|syscall)|=.*=$|error: (?:recipe|process|command|script)\b|Error: Process completed|File "|\[exit)`),
		noise:   re(`^(?:Chunk ID|Wall time|Original token count|Output|Duration|Command|stdout|stderr|Exit code|Process exited with code)\b.*$|^\[exit code: -?\d+\]$|^[\s\W_]*$`),
		ansi:    re(`\x1b\[[0-9;?]*[A-Za-z]`),
		failing: re(`(?m)^(?:FAIL\b|--- FAIL|FAILED\b|E  +\S|npm ERR!|error(?:\[E\d+\])?:|Traceback)|\b[1-9]\d* (?:failed|failing|errors?)\b|^make: \*\*\*`),
		exit:    re(`(?m)^(?:Exit code|Process exited with code|\[exit code:) ?([1-9]\d*)\]?$`),
	}
})

// Words of a line that says what went wrong. Each begins a word.
var (
	strongWords = []string{
		"error", "fatal", "panic", "exception", "cannot", "can't", "could not", "couldn't", "unable to", "not found", "no such", "refused", "denied",
		"undefined", "unknown", "timed out", "time out", "timeout", "invalid", "unexpected", "expected", "unsupported", "missing", "conflict", "rejected", "mismatch",
		"does not exist", "doesn't exist", "not recognized", "unauthorized", "forbidden", "out of ", "want ", "no module", "not permitted", "already in use",
		"already exists", "failed to", "assert",
	}
	strongMarks  = []string{"Error", "Exception", "错误", "失败", "拒绝", "无法", "找不到", "不存在", "超时", "越界", "未定义", "冲突", "不支持", "缺少"}
	countedWords = []string{" failed", " passed", " error"}
)

// hasWord reports whether s, in lower case, holds one of the words at the
// beginning of a word.
func hasWord(s string, words []string) bool {
	for _, w := range words {
		if i := strings.Index(s, w); i == 0 || i > 0 && (w[0] == ' ' || !isWordByte(s[i-1])) {
			return true
		}
	}
	return false
}

func hasMark(s string, marks []string) bool {
	for _, m := range marks {
		if strings.Contains(s, m) {
			return true
		}
	}
	return false
}

// isCount reports whether a line counts results: "2 failed, 3 passed".
func isCount(low string) bool {
	for _, w := range countedWords {
		if i := strings.Index(low, w); i > 0 && low[i-1] >= '0' && low[i-1] <= '9' {
			return true
		}
	}
	return false
}

// isSecretLine reports whether a line looks like one of a file of settings with
// secrets in it.
func isSecretLine(line string) bool {
	if !strings.ContainsAny(line, "=:：") {
		return false
	}
	if isSetting(line) {
		return true
	}
	low := asciiLower(line)
	for _, w := range secretWords {
		for at := 0; ; {
			i := strings.Index(low[at:], w)
			if i < 0 {
				break
			}
			at += i + len(w)
			if assigns(low[at:]) {
				return true
			}
		}
	}
	return false
}

var secretWords = []string{
	"password", "passwd", "secret", "token", "api_key", "api-key", "apikey", "authorization", "bearer", "cookie", "密码", "口令", "密钥", "凭据",
}

// assigns reports whether a value follows: a separator, perhaps after the rest
// of a name.
func assigns(s string) bool {
	for i, r := range s[:min(len(s), 40)] {
		switch {
		case r == ':' || r == '=' || r == '：':
			return true
		case i > 20 || r == ' ' && !strings.ContainsAny(s[i:min(len(s), i+3)], ":="):
			return false
		}
	}
	return false
}

// isSetting reports whether a line reads NAME=value.
func isSetting(line string) bool {
	for _, prefix := range [...]string{"export ", "set "} {
		line = strings.TrimPrefix(line, prefix)
	}
	name, _, ok := strings.Cut(line, "=")
	if !ok || len(name) < 3 {
		return false
	}
	for i := 0; i < len(name); i++ {
		if c := name[i]; !(c >= 'A' && c <= 'Z' || c == '_' || i > 0 && c >= '0' && c <= '9') {
			return false
		}
	}
	return true
}

// window returns the parts of an output that are looked at.
func window(out string) string {
	if len(out) <= outputHead+outputTail {
		return out
	}
	return out[:outputHead] + "\n" + out[len(out)-outputTail:]
}

// saysFailed reports whether an answer that is not marked as a failure is one:
// by the exit code in it, or, where that is the code of something else, by the
// words of a test or build.
func saysFailed(c command, out string) bool {
	win := window(out)
	head := win[:min(len(win), 600)]
	if patterns().exit.MatchString(head) || patterns().exit.MatchString(win[max(0, len(win)-200):]) {
		return true
	}
	return c.masked && c.family != "" && patterns().failing.MatchString(win)
}

// decisive returns the line of an output that says what went wrong, without
// the place in the source in front of it; "" when no line does.
func decisive(out string) string {
	var best string
	bestRank := 0
	afterFail := false
	for line := range strings.SplitSeq(window(out), "\n") {
		if len(line) > maxOutLine {
			continue
		}
		if strings.Contains(line, "\x1b[") {
			line = patterns().ansi.ReplaceAllString(line, "")
		}
		trimmed := strings.TrimSpace(line)
		rank := rankLine(trimmed, afterFail && line != trimmed, bestRank)
		if rank > bestRank || rank == rankException && bestRank == rank && !strings.HasPrefix(best, "E ") || rank == rankLast && bestRank == rank {
			best, bestRank = trimmed, rank
		}
		if trimmed != "" {
			afterFail = strings.HasPrefix(trimmed, "--- FAIL") || afterFail && rank == 0
		}
	}
	if prefix := patterns().located.FindString(best); prefix != "" && len(prefix) < len(best) {
		best = best[len(prefix):]
	}
	return strings.TrimSpace(strings.TrimPrefix(best, "E  "))
}

// Ranks of lines, from nothing to the best.
const (
	rankLast = iota + 1 // any line: the last one
	rankWeak
	rankStrong
	rankException
	rankAssertion
)

// rankLine ranks a line. A rank that floor reaches already is not worth the
// work: such a line gets less than it may deserve.
func rankLine(line string, underFail bool, floor int) int {
	p := patterns()
	switch {
	case line == "":
		return 0
	case underFail && p.located.MatchString(line):
		return rankAssertion
	case p.exception.MatchString(line) && !isSecretLine(line):
		return rankException
	case floor >= rankStrong:
		return 0
	}
	low := asciiLower(line)
	weak := p.weak.MatchString(line) || isCount(low)
	strong := !weak && (hasWord(low, strongWords) || hasMark(line, strongMarks))
	switch {
	case floor >= rankWeak && !strong, p.noise.MatchString(line), isSecretLine(line):
		return 0
	case strong:
		return rankStrong
	case weak:
		return rankWeak
	}
	return rankLast
}

// sayingLine returns the first line of an output that says something and holds
// no secret, or "".
func sayingLine(out string) string {
	for line := range strings.SplitSeq(out[:min(len(out), outputHead)], "\n") {
		if line = strings.TrimSpace(line); len(line) <= maxOutLine && rankLine(line, false, 0) > 0 {
			return line
		}
	}
	return ""
}

// errorClass is how telling a failure is.
type errorClass int

const (
	behaviour   errorClass = iota // something did not do what it should
	everyday                      // an error of writing code that the next edit mends
	environment                   // the machine, a service, a missing program: what one wants to know next time
)

var classes = sync.OnceValue(func() [2]*regexp.Regexp {
	return [2]*regexp.Regexp{
		regexp.MustCompile(`(?i)connection refused|ECONNREFUSED|no such host|ENOTFOUND|could not resolve|permission denied|EACCES|command not found|not recognized as|` +
			`no module named|ModuleNotFoundError|cannot find module|address already in use|EADDRINUSE|port .* in use|certificate|TLS|out of memory|no space left|` +
			`unauthorized|401|403|forbidden|authentication|access denied|timed? ?out|ETIMEDOUT|unsupported (?:version|engine)|requires .* (?:version|>=)|` +
			`non-fast-forward|fetch first|rejected|unknown (?:flag|option|command|shorthand)|unrecognized (?:option|argument)|missing (?:required|environment)|` +
			`does not exist|not installed|cannot connect|can't connect|failed to connect|lock file|externally-managed|ERESOLVE|peer dep|no rule to make|missing script`),
		regexp.MustCompile(`(?i)\bundefined: |declared and not used|imported and not used|cannot use .* as|syntax ?error|missing return|unused (?:variable|import)|` +
			`error TS\d+|error\[E\d+\]|IndentationError|NameError|unexpected token|no-unused|not formatted|would reformat|unresolved reference|cannot find symbol|` +
			`is not defined|is not assignable|no required module|expected .* found|type mismatch|has no (?:field|method|member)|build failed|compile error`),
	}
})

func classifyError(line string) errorClass {
	switch c := classes(); {
	case c[0].MatchString(line):
		return environment
	case c[1].MatchString(line):
		return everyday
	}
	return behaviour
}
