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

// linePatterns recognise the lines of an output that say what went wrong.
type linePatterns struct {
	exception, located, strong, weak, noise, env, ansi, failing, exit *regexp.Regexp
}

var patterns = sync.OnceValue(func() linePatterns {
	return linePatterns{
		exception: regexp.MustCompile(`^(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Exit|Interrupt)\b(?:: .+)?$|^E {2,}\S`),
		located:   regexp.MustCompile(`^[^\s:]+\.\w{1,5}:\d+(?::\d+)?:\s+`),
		strong: regexp.MustCompile(`(?i)\b(?:error|fatal|panic|exception|cannot|can't|could not|couldn't|unable to|not found|no such|refused|denied|` +
			`undefined|unknown|timed? ?out|invalid|unexpected|expected|unsupported|missing|conflict|rejected|mismatch|does not exist|doesn't exist|` +
			`not recognized|unauthorized|forbidden|out of (?:memory|range|space)|want|no module|not permitted|already (?:in use|exists)|failed to)\b` +
			`|错误|失败|拒绝|无法|找不到|不存在|超时|越界|未定义|冲突|不支持|缺少`),
		weak: regexp.MustCompile(`(?i)^(?:FAIL|FAILED|ok)\b|^-+ FAIL|^(?:make|gmake)(?:\[\d+\])?: \*\*\*|exit(?:ed)? (?:code|status)|^npm (?:ERR!|error) (?:code|A complete log|errno|path|syscall)|` +
			`\b\d+ (?:failed|passed|errors?)\b|^=+.*=+$|^error: (?:recipe|process|command|script)\b|^Traceback|^ELIFECYCLE|^Error: Process completed|^\s*File "|^Tests?:|^\[?exit`),
		noise:   regexp.MustCompile(`^(?:Chunk ID|Wall time|Original token count|Output|Duration|Command|stdout|stderr|Exit code|Process exited with code)\b.*$|^\[exit code: -?\d+\]$|^[\s\W_]*$`),
		env:     regexp.MustCompile(`(?i)^(?:export\s+|set\s+)?[A-Z][A-Z0-9_]{2,}=|(?:password|passwd|secret|token|api[_-]?key|authorization|bearer|cookie|密码|口令|密钥|凭据)\S{0,20}\s*["']?\s*[:=：]`),
		ansi:    regexp.MustCompile(`\x1b\[[0-9;?]*[A-Za-z]`),
		failing: regexp.MustCompile(`(?m)^(?:FAIL\b|--- FAIL|FAILED\b|E  +\S|npm ERR!|error(?:\[E\d+\])?:|Traceback)|\b[1-9]\d* (?:failed|failing|errors?)\b|^make: \*\*\*`),
		exit:    regexp.MustCompile(`(?m)^(?:Exit code|Process exited with code|\[exit code:) ?([1-9]\d*)\]?$`),
	}
})

// isSecretLine reports whether a line looks like one of a file of settings with
// secrets in it.
func isSecretLine(line string) bool {
	return patterns().env.MatchString(line)
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
		rank := rankLine(trimmed, afterFail && line != trimmed)
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

func rankLine(line string, underFail bool) int {
	p := patterns()
	switch {
	case line == "" || p.noise.MatchString(line) || isSecretLine(line):
		return 0
	case underFail && p.located.MatchString(line):
		return rankAssertion
	case p.exception.MatchString(line):
		return rankException
	case p.weak.MatchString(line):
		return rankWeak
	case p.strong.MatchString(line):
		return rankStrong
	}
	return rankLast
}

// sayingLine returns the first line of an output that says something and holds
// no secret, or "".
func sayingLine(out string) string {
	for line := range strings.SplitSeq(out[:min(len(out), outputHead)], "\n") {
		if line = strings.TrimSpace(line); len(line) <= maxOutLine && rankLine(line, false) > 0 {
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
