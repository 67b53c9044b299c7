package answer

import (
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/gate"
	"github.com/dshkit/dshkit/pkg/text"
)

// Lines reads the lines of a section as entries (spec/selfip.md 14.4). A bullet
// is an entry; what is indented below it goes on with it; a line without a bullet
// counts only when it has the form of an entry, with a stamp, an arrow or a bar.
// left are the lines that were passed over; those that say "none" are not told.
//
// The entries have the metadata that can be believed (gate.Meta): importance, a
// review period, a source that lowers the trust. Group and head are read once,
// with or without a stamp (W10). Whoever stores them adds origin and author.
// kind is that of lines which name none of the five.
func Lines(section string, kind entry.Kind) (entries []entry.Entry, left []string) {
	for _, item := range items(section) {
		if !item.isEntry() {
			left = append(left, item.text)
			continue
		}
		if e, ok := lineEntry(item.text, kind); ok {
			entries = append(entries, e)
		}
	}
	return entries, left
}

// Bullets is Lines for an answer without sections: nothing but bullets counts, and
// none that reads like data rather than a sentence. What stands in a fence is
// looked at as well.
func Bullets(s string, kind entry.Kind) (entries []entry.Entry, left []string) {
	for line := range strings.SplitSeq(withoutThoughts(text.Clean(s)), "\n") {
		_, rest, ok := bulletOf(line)
		if !ok || ruleForm().MatchString(line) || isData(rest) {
			left = append(left, line)
			continue
		}
		if e, ok := lineEntry(rest, kind); ok {
			entries = append(entries, e)
		}
	}
	return entries, left
}

// isData reports whether a line is a piece of a document or of a program.
func isData(s string) bool {
	for _, begin := range [...]string{"{", "[{", `["`, `"`, "`", "|"} {
		if strings.HasPrefix(s, begin) {
			return true
		}
	}
	return strings.Contains(s, `":`)
}

// item is one line with what goes on with it.
type item struct {
	text   string
	bullet bool
}

func (i item) isEntry() bool {
	if i.bullet {
		return true
	}
	for _, form := range [...]string{" -> ", "→", " => ", " | "} {
		if strings.Contains(i.text, form) {
			return true
		}
	}
	return stampForm().MatchString(i.text)
}

var (
	bulletForm = lazily(`^([ \t]*)(?:[*+•·][ \t]+|-[ \t]*|\d{1,3}[.)、][ \t]+|\d{1,3}、)(.*)$`)
	stampForm  = lazily(`^\[\d{4}-\d{2}-\d{2}`)
	ruleForm   = lazily(`^[ \t]*[-*_=]([ \t]*[-*_=]){2,}[ \t]*$`)
)

// items joins the lines of a section. Code below a bullet goes on with it.
func items(section string) []item {
	var list []item
	base := -1 // indentation of the list
	code := codeLines(strings.Split(section, "\n"), false)
	for i, line := range strings.Split(section, "\n") {
		said := strings.TrimSpace(line)
		_, isFence := fenceOf(line)
		switch {
		case said == "" || isFence || ruleForm().MatchString(line):
			continue
		case code[i]:
			list = goOn(list, said, "; ")
			continue
		}
		indent, rest, bullet := bulletOf(line)
		switch {
		case bullet && (base < 0 || indent <= base+1):
			base = indent
			list = append(list, item{rest, true})
		case bullet:
			list = goOn(list, rest, "; ")
		case indentOf(line) >= 2 && len(list) > 0:
			list = goOn(list, said, " ")
		default:
			list = append(list, item{said, false})
		}
	}
	return list
}

func goOn(list []item, said, joint string) []item {
	if len(list) == 0 {
		return append(list, item{said, false})
	}
	last := &list[len(list)-1]
	last.text = joined(last.text, said, joint)
	return list
}

// joined puts what goes on before the group that ends a line.
func joined(line, more, joint string) string {
	if rest, group, ok := cutGroup(line); ok {
		return rest + joint + more + " " + group
	}
	return line + joint + more
}

// cutGroup takes the metadata group off a line.
func cutGroup(line string) (rest, group string, ok bool) {
	line = strings.TrimRight(line, " \t")
	at := strings.LastIndexByte(line, '{')
	if at < 0 || !strings.HasSuffix(line, "}") || !strings.Contains(line[at:], ":") {
		return "", "", false
	}
	return strings.TrimRight(line[:at], " \t"), line[at:], true
}

// bulletOf reads a line as a bullet. A bold word at its begin is none.
func bulletOf(line string) (indent int, rest string, ok bool) {
	m := bulletForm().FindStringSubmatchIndex(line)
	if m == nil {
		return 0, "", false
	}
	return indentOf(line), strings.TrimSpace(line[m[4]:]), true
}

func indentOf(line string) int {
	n := 0
	for _, c := range line {
		switch c {
		case ' ':
			n++
		case '\t':
			n += 4
		default:
			return n
		}
	}
	return n
}

// lineEntry reads one line.
func lineEntry(line string, kind entry.Kind) (entry.Entry, bool) {
	e, ok := entry.ParseLine("- " + line)
	if !ok {
		return entry.Entry{}, false
	}
	if e.Kind == "" {
		e.Stamp, e.Kind, e.Text = looseHead(e.Text)
	}
	if named, ok := entry.ParseKind(string(e.Kind)); ok {
		kind = named
	}
	e.Kind = kind
	e = gate.Meta(e, "")
	e.Text = plainWords(e.Text)
	e.Meta = kept(e.Meta)
	return e, e.Text != "" && !saysNone(e.Text)
}

// looseHead reads a head that has only one of its two parts: "(kind) text",
// "[kind] text", "[stamp] text". What is neither stays text.
func looseHead(said string) (stamp string, kind entry.Kind, rest string) {
	rest = said
	for range 2 {
		word, after, ok := bracketed(rest)
		if !ok {
			break
		}
		if k, known := entry.ParseKind(word); known && kind == "" {
			kind, rest = k, after
			continue
		}
		if _, known := entry.ParseTime(word, time.UTC); known && stamp == "" {
			stamp, rest = word, after
			continue
		}
		break
	}
	return stamp, kind, rest
}

// bracketed splits off a word in brackets that a text begins with.
func bracketed(s string) (word, rest string, ok bool) {
	for _, pair := range [...][2]string{{"(", ")"}, {"[", "]"}, {"（", "）"}, {"【", "】"}} {
		if inside, found := strings.CutPrefix(s, pair[0]); found {
			word, rest, ok = strings.Cut(inside, pair[1])
			return strings.TrimSpace(word), strings.TrimSpace(rest), ok
		}
	}
	return "", s, false
}

// plainWords is a text without the marks that models put around all of it.
func plainWords(s string) string {
	s = text.OneLine(s)
	for _, mark := range [...]string{"**", "`", "*"} {
		if inner, ok := strings.CutPrefix(s, mark); ok {
			if inner, ok = strings.CutSuffix(inner, mark); ok && inner != "" && !strings.Contains(inner, mark) {
				s = strings.TrimSpace(inner)
			}
		}
	}
	return s
}

// kept are the keys that a model may write: how often an entry was used, when
// it was withdrawn or verified is not for a model to say.
func kept(meta []entry.Pair) []entry.Pair {
	var out []entry.Pair
	for _, p := range meta {
		switch p.Key {
		case "imp", "src", "ttl":
			out = append(out, p)
		}
	}
	return out
}

// saysNone reports whether a line says that there is nothing to say.
func saysNone(s string) bool {
	s = strings.Trim(strings.ToLower(s), " .。!！()（）[]-—*_`\"“”")
	switch s {
	case "", "none", "n/a", "na", "nil", "null", "nothing", "nothing new", "no new lessons", "no new facts", "none found",
		"无", "没有", "暂无", "无新增", "无内容", "没有新增", "本次无", "无需更新":
		return true
	}
	return false
}

// Overturned is a row of SUPERSEDE: words of an entry that does not hold any
// more.
type Overturned struct {
	Partition string // facts, lessons, resources or methods
	Words     string
}

var overturnedForm = lazily(`(?i)^[\[【](facts|lessons|resources|methods)[\]】](.*)$`)

// OverturnedRows reads the section SUPERSEDE: "- [facts] words of the entry".
// left are the rows that name none of the four partitions.
func OverturnedRows(section string) (rows []Overturned, left []string) {
	for _, item := range items(section) {
		m := overturnedForm().FindStringSubmatch(item.text)
		switch {
		case m != nil && gist(m[2]) != "":
			rows = append(rows, Overturned{strings.ToLower(m[1]), gist(m[2])})
		case !saysNone(item.text):
			left = append(left, item.text)
		}
	}
	return rows, left
}

// gist is the text of an entry that a model quotes, without the head and the
// group that it may have copied with it.
func gist(s string) string {
	s = strings.TrimSpace(s)
	for {
		if rest, ok := strings.CutPrefix(s, "- "); ok {
			s = strings.TrimSpace(rest)
			continue
		}
		word, rest, ok := bracketed(s)
		_, isKind := entry.ParseKind(word)
		_, isTime := entry.ParseTime(word, time.UTC)
		if !ok || rest == "" || !isKind && !isTime && !strings.EqualFold(word, "old") && word != "旧" {
			break
		}
		s = rest
	}
	if rest, _, ok := cutGroup(s); ok && rest != "" {
		s = rest
	}
	return text.OneLine(strings.Trim(s, "\"“”「」` "))
}
