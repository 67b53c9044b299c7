package replay

import (
	"regexp"
	"strings"
	"sync"
)

// thrownWords is a recorded message without the name that the reference puts
// before it, as its key.
func thrownWords(s string) string {
	name, rest, ok := strings.Cut(s, ": ")
	if !ok || !strings.HasSuffix(name, "Error") || strings.ContainsAny(name, " (") {
		return s
	}
	return Gist(rest)
}

// engineKind is the class of an error that the engine itself raises, "" for
// other messages. V8 and goja word them differently.
func engineKind(s string) string {
	for _, k := range engineKinds() {
		if m := k.pattern.FindStringSubmatch(s); m != nil {
			return or(k.key, m[len(m)-1])
		}
	}
	return ""
}

var engineKinds = sync.OnceValue(func() (list []rule) {
	for _, row := range [][2]string{
		{`^engine\.class-called`, "class"},
		{`^engine\.(\w+)`, ""},
		{`^Maximum call stack|^Invalid (array length|time value|array buffer|count|string length|code point|date)|argument must be between|out of range|^radix|precision|RangeError`, "RangeError"},
		{`(is not defined|before initialization)$`, "ReferenceError"},
		{`JSON|^Unexpected (token|identifier|end|string|number|non-whitespace)|[Ii]nvalid (regular expression|character)|unterminated|^Invalid or unexpected|SyntaxError|^missing \)|literal`, "SyntaxError"},
		{`^URI malformed|^Malformed URI|URIError`, "URIError"},
		{`is not (a function|iterable|a constructor|an object|callable|extensible|a Promise|writable)|[Aa]ssign(ment)? to|^Cannot |^Class |^Reduce of|[Cc]ircular|^Object has no member|^Value is not|cannot be (invoked|converted)|not undefined|TypeError|incompatible receiver|which has only a getter|read.only|in Symbol|^Invalid (value|attempt)|object is not|^Not a function|is not an? |instanceof|already running|^Generator|[Cc]yclic`, "TypeError"},
	} {
		list = append(list, rule{pattern: regexp.MustCompile(row[0]), key: row[1]})
	}
	return list
})

var syntaxPlace = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:\w+: )?parse\((code\.\w+)\) line=(\d+)( caret=\S+)? hint=([\w-]+)$`)
})

// sameLine says whether two keys of syntax errors name the same half, line and
// hint. One that V8 found at the end of the text has no caret: it lies behind the
// wrapper, by as many lines as that has.
func sameLine(was, got string) bool {
	w, g := syntaxPlace().FindStringSubmatch(was), syntaxPlace().FindStringSubmatch(got)
	if w == nil || g == nil || w[1] != g[1] || w[4] != g[4] {
		return false
	}
	return w[2] == g[2] || w[3] == ""
}

// rendered says whether two messages are of the same failure of render or
// presentationMeta: what was thrown there, or a value that JSON does not have.
func rendered(was, got string) bool {
	part, threw, ok := strings.Cut(got, " failed: ")
	if !ok || !strings.Contains(was, part+" failed: ") {
		return false
	}
	return strings.Contains(was, threw) || strings.HasPrefix(was, "json.lossy(") && strings.Contains(threw, "lossless JSON")
}
