package jsrun

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/dlclark/regexp2/v2"
	"github.com/dop251/goja"
)

// limitRegexps sets how long a pattern that can run away may match. The engine
// reads it from a variable of the library, so the process has one limit: that of
// the first run.
func limitRegexps(l Limits) { regexpOnce.Do(func() { regexp2.DefaultMatchTimeout = l.Regexp }) }

var regexpOnce sync.Once

// expandProperties replaces \p{..} and \P{..} by the ranges that they name: the
// engine takes them for letters. Without the flag u they are letters.
func expandProperties(pattern, flags string) (string, error) {
	if !hasProperties(pattern, flags) {
		return pattern, nil
	}
	e := expander{src: pattern}
	if err := e.pattern(); err != nil {
		return "", fmt.Errorf("/%s/%s: %w", pattern, flags, err)
	}
	return e.out.String(), nil
}

// otherEngine at the front of a pattern matches everywhere. The engine has two
// libraries for regular expressions and takes the second for what looks ahead.
const otherEngine = "(?=)"

// misread says whether the first of the engine's libraries goes wrong over a text
// beyond Latin-1: it loses the names of groups under the flag u, and finds what is
// sticky anywhere.
func misread(pattern, flags string) bool {
	return strings.Contains(flags, "y") || strings.Contains(flags, "u") && strings.Contains(pattern, "(?<")
}

// rewritten says whether the engine may get another text than the author's.
func rewritten(pattern, flags string) bool {
	return hasProperties(pattern, flags) || misread(pattern, flags)
}

// hasProperties says whether there may be something to replace.
func hasProperties(pattern, flags string) bool {
	return strings.Contains(flags, "u") && (strings.Contains(pattern, `\p`) || strings.Contains(pattern, `\P`))
}

type expander struct {
	src   string
	at    int
	out   strings.Builder
	class bool // inside brackets
	dash  bool // inside brackets, behind a dash that may make a range
	atoms int  // inside brackets: atoms so far
}

var errClass = errors.New("invalid character class")

func (e *expander) pattern() error {
	for e.at < len(e.src) {
		switch c := e.src[e.at]; {
		case c == '\\':
			if err := e.escape(); err != nil {
				return err
			}
		case !e.class && c == '[':
			e.class, e.dash, e.atoms = true, false, 0
			e.copy(1)
			if e.at < len(e.src) && e.src[e.at] == '^' {
				e.copy(1)
			}
		case e.class && c == ']':
			e.class = false
			e.copy(1)
		case e.class && c == '-':
			e.dash = e.atoms > 0 && !e.dash && e.at+1 < len(e.src) && e.src[e.at+1] != ']'
			e.atoms++
			e.copy(1)
		default:
			e.dash = false
			e.atoms++
			e.copy(1)
		}
	}
	return nil
}

func (e *expander) copy(n int) {
	n = min(n, len(e.src)-e.at)
	e.out.WriteString(e.src[e.at : e.at+n])
	e.at += n
}

func (e *expander) escape() error {
	rest := e.src[e.at:]
	if len(rest) < 2 || rest[1] != 'p' && rest[1] != 'P' {
		e.dash = false
		e.atoms++
		e.copy(2)
		return nil
	}
	end := strings.IndexByte(rest, '}')
	if len(rest) < 3 || rest[2] != '{' || end < 0 {
		return errors.New("invalid property name")
	}
	set, err := property(rest[3:end])
	if err != nil {
		return errors.New("invalid property name")
	}
	if rest[1] == 'P' {
		set = set.others()
	}
	e.at += end + 1
	if e.class {
		if e.dash || e.startsRange() {
			return errClass
		}
		// What follows is no range, and a dash behind is one of its own.
		e.atoms = 0
		e.out.WriteString(set.class())
		return nil
	}
	if len(set) == 0 {
		e.out.WriteString(`[]`)
		return nil
	}
	e.out.WriteString("[" + set.class() + "]")
	return nil
}

// startsRange says whether a dash and one more atom follow.
func (e *expander) startsRange() bool {
	rest := e.src[e.at:]
	return len(rest) >= 2 && rest[0] == '-' && rest[1] != ']'
}

// expanded keeps what expandProperties found, for the process: the text is long
// and the patterns of a plugin are few.
var expanded struct {
	sync.Mutex
	texts map[string]string
}

const keptPatterns = 512

func expandOnce(pattern, flags string) (string, error) {
	if !rewritten(pattern, flags) {
		return pattern, nil
	}
	key := flags + "/" + pattern
	expanded.Lock()
	defer expanded.Unlock()
	if text, ok := expanded.texts[key]; ok {
		return text, nil
	}
	text, err := expandProperties(pattern, flags)
	if err != nil {
		return "", err
	}
	if misread(pattern, flags) {
		text = otherEngine + text
	}
	if expanded.texts == nil || len(expanded.texts) >= keptPatterns {
		expanded.texts = map[string]string{}
	}
	expanded.texts[key] = text
	return text, nil
}

// regexp gives the engine's own expression for a pattern, compiled once: the
// wrapper in the prelude clones it. The second result says that the text was
// changed.
func (vm *VM) regexp(call goja.FunctionCall) goja.Value {
	pattern, flags := call.Argument(0), call.Argument(1).String()
	key := flags + "/" + wtf8(pattern.(goja.String))
	if re, ok := vm.patterns[key]; ok {
		return re
	}
	text := wtf8(pattern.(goja.String))
	native, err := expandOnce(text, flags)
	if err != nil {
		panic(vm.NewError("SyntaxError", "Invalid regular expression: "+err.Error()))
	}
	source := pattern
	if native != text {
		source = vm.str(native)
	}
	re, err := vm.rt.New(vm.base.regexp, source, vm.rt.ToValue(flags))
	if err != nil {
		panic(vm.Raise(vm.caught(err)))
	}
	if vm.patterns == nil || len(vm.patterns) >= keptPatterns {
		vm.patterns = map[string]Value{}
	}
	vm.patterns[key] = re
	return re
}

// escapeRegexp is RegExp.escape.
func escapeRegexp(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case i == 0 && isWord(c):
			fmt.Fprintf(&b, `\x%02x`, c)
		case strings.IndexByte(`^$\.*+?()[]{}|/`, c) >= 0:
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < 0x80 && strings.IndexByte(",-=<>#&!%:;@~'`\" ", c) >= 0:
			fmt.Fprintf(&b, `\x%02x`, c)
		case c >= '\t' && c <= '\r':
			b.WriteString(`\` + string("tnvfr"[c-'\t']))
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func isWord(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' }
