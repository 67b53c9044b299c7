package exchange

import (
	"strings"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/pkg/text"
)

// The marks around the entries that an export put into somebody's file.
const (
	blockBegin = "<!-- selfip:memory:begin -->"
	blockEnd   = "<!-- selfip:memory:end -->"
)

// section is the heading under which entries of a kind stand.
type section struct {
	kind  entry.Kind
	title string
	words []string // other headings that mean the same, folded
}

var sections = []section{
	{entry.Fact, "Facts", []string{"已知事实"}},
	{entry.Preference, "Preferences", []string{
		"conventions", "convention", "rules", "rule", "style", "code style", "guidelines", "约定", "规范", "规则",
	}},
	{entry.Lesson, "Lessons", []string{"lessons learned", "gotchas", "gotcha", "pitfalls", "pitfall", "known issues", "troubleshooting", "经验教训", "注意事项", "踩坑"}},
	{entry.Method, "Methods", []string{"commands", "command", "workflow", "workflows", "how to", "howto", "技巧", "命令", "流程"}},
	{entry.Resource, "Resources", []string{"links", "link", "references", "reference", "documentation", "资源", "链接", "参考"}},
}

// FormatMarkdown writes lines as Markdown for people and for rule files: a
// section for each kind that there is, a bullet for each entry. Kinds and texts
// come back from ParseMarkdown as they were; times, weights and marks do not.
func FormatMarkdown(lines []Line) string {
	var b strings.Builder
	for _, s := range sections {
		headed := false
		for _, line := range lines {
			if line.Kind != s.kind {
				continue
			}
			if !headed {
				if b.Len() > 0 {
					b.WriteByte('\n')
				}
				b.WriteString("## " + s.title + "\n\n")
				headed = true
			}
			b.WriteString("- " + escape(line.Text) + mark(line) + "\n")
		}
	}
	return b.String()
}

// mark tells a reader that an entry was withdrawn.
func mark(line Line) string {
	if line.Invalid == "" {
		return ""
	}
	return withdrawnMark + line.Invalid + " -->"
}

const withdrawnMark = " <!-- withdrawn "

// escape protects the first character of a text that Markdown, or our own
// reader, would take for something else.
func escape(s string) string {
	if s != "" && strings.ContainsRune(`[#-*+>\<`, rune(s[0])) {
		return `\` + s
	}
	return s
}

func unescape(s string) string {
	if len(s) > 1 && s[0] == '\\' && strings.ContainsRune(`[#-*+>\<`, rune(s[1])) {
		return s[1:]
	}
	return s
}

// Insert puts the Markdown of lines into a file that somebody else keeps, such
// as CLAUDE.md or AGENTS.md: in the place of the block of an earlier export, else
// at the end. What stands outside of the block stays as it is, byte for byte.
// Without lines the block goes.
func Insert(old []byte, lines []Line) []byte {
	s := string(old)
	newline := "\n"
	if strings.Contains(s, "\r\n") {
		newline = "\r\n"
	}
	block := ""
	if len(lines) > 0 {
		block = strings.ReplaceAll(blockBegin+"\n\n"+FormatMarkdown(lines)+"\n"+blockEnd+"\n", "\n", newline)
	}
	if head, tail, ok := cutBlock(s); ok {
		return []byte(head + block + tail)
	}
	if block == "" {
		return old
	}
	switch {
	case s == "":
	case strings.HasSuffix(s, newline):
		s += newline
	default:
		s += newline + newline
	}
	return []byte(s + block)
}

// cutBlock returns what stands in front of our block and behind it. Its marks are
// whole rows: an entry, or a sentence of the user, may hold one. The block begins at
// the last begin before the first end, for one above it has lost its end and is not
// ours to replace.
func cutBlock(s string) (head, tail string, ok bool) {
	begin, at := -1, 0
	for row := range strings.Lines(s) {
		switch strings.TrimSpace(row) {
		case blockBegin:
			begin = at
		case blockEnd:
			if begin >= 0 {
				return s[:begin], s[at+len(row):], true
			}
		}
		at += len(row)
	}
	return s, "", false
}

// ParseMarkdown reads a file of notes or rules that a person or an agent keeps:
// our own Markdown, memory files, CLAUDE.md, AGENTS.md, MEMORY.md.
//
// A bullet with what hangs below it is an entry, and so is a paragraph; code
// blocks, tables, quotations, comments and the block that selfip itself puts
// into rule files are passed over. The kind follows from the nearest heading
// that names one, else from the front matter, else it is a fact. Any other
// heading but the title goes in front of the text, for a bullet alone often says
// little: "Testing: use -race". A bullet in the form of a memory line keeps its
// stamp and kind.
func ParseMarkdown(s string) []Line {
	r := reader{base: entry.Fact}
	s = text.Clean(s)
	rows := strings.Split(s, "\n")
	skip := r.frontMatter(rows)
	r.kind = r.base
	for i, row := range rows {
		if i >= skip {
			r.number = i + 1
			r.read(row)
		}
	}
	r.flush()
	return r.lines
}

// reader gathers entries row by row.
type reader struct {
	lines  []Line
	base   entry.Kind // where no heading says otherwise
	kind   entry.Kind
	prefix string // of texts, from a heading that names no kind

	number int
	part   []string // of the entry that is being read
	at     int      // its first row
	bullet bool     // it began as one

	fence    string // that ends the code block, "" outside
	comment  bool
	block    bool // of our own in a rule file
	exported bool // inside what an export wrote
}

func (r *reader) read(row string) {
	trimmed := strings.TrimSpace(row)
	switch {
	case r.skips(trimmed):
	case trimmed == "":
		if !r.bullet {
			r.flush()
		}
	case isHeading(trimmed):
		r.flush()
		r.heading(strings.TrimSpace(strings.Trim(trimmed, "# ")), strings.HasPrefix(trimmed, "# "))
	case bulletOf(row) != "" && !isIndented(row):
		r.flush()
		r.start(bulletOf(row), true)
	case isRule(trimmed), trimmed[0] == '|', trimmed[0] == '>':
		r.flush()
	case r.bullet && !isIndented(row) && len(r.part) > 0 && r.gap():
		r.flush()
		r.start(trimmed, false)
	case len(r.part) > 0:
		if sub := bulletOf(row); sub != "" {
			trimmed = sub
		}
		r.part = append(r.part, trimmed)
	default:
		r.start(trimmed, false)
	}
}

// gap reports whether a blank row stands between the entry and the row that is
// read: then it goes on only when indented.
func (r *reader) gap() bool { return r.number-r.at > len(r.part) }

func (r *reader) start(first string, bullet bool) {
	r.part, r.at, r.bullet = []string{first}, r.number, bullet
}

// skips handles what is no text of the writer's: code, comments, our own block.
func (r *reader) skips(row string) bool {
	switch {
	case r.fence != "":
		if strings.HasPrefix(row, r.fence) && strings.Trim(row, r.fence[:1]) == "" {
			r.fence = ""
		}
		return true
	case r.block:
		r.block = row != "<!-- selfip:end -->"
		return true
	case r.comment:
		r.comment = !strings.Contains(row, "-->")
		return true
	}
	if mark := fenceOf(row); mark != "" {
		r.fence = mark
		return true
	}
	if row == "<!-- selfip:begin -->" {
		r.flush()
		r.block = true
		return true
	}
	if row == blockBegin || row == blockEnd {
		r.flush()
		r.exported = row == blockBegin
		return true
	}
	if strings.HasPrefix(row, "<!--") {
		r.comment = !strings.Contains(row, "-->")
		return true
	}
	return false
}

// heading makes what follows one of a kind, or gives it a prefix.
func (r *reader) heading(title string, top bool) {
	r.prefix = ""
	if kind, ok := kindOf(title); ok {
		r.kind = kind
		return
	}
	r.kind = r.base
	if strings.Contains(title, " @ ") { // a section that a retro wrote
		title = ""
	}
	if !top && title != "" {
		r.prefix = title + ": "
	}
}

// kindOf returns the kind that a heading names.
func kindOf(title string) (entry.Kind, bool) {
	title = text.Fold(strings.Trim(title, "*_`:： "))
	if kind, ok := entry.ParseKind(title); ok {
		return kind, true
	}
	for _, s := range sections {
		if title == text.Fold(s.title) {
			return s.kind, true
		}
		for _, word := range s.words {
			if title == word {
				return s.kind, true
			}
		}
	}
	return "", false
}

// flush ends the entry that is being read.
func (r *reader) flush() {
	if len(r.part) == 0 {
		return
	}
	s, at, bullet := strings.Join(r.part, " "), r.at, r.bullet
	r.part, r.bullet = nil, false
	line := Line{Kind: r.kind, Number: at, Exported: r.exported}
	if e, ok := entry.ParseLine("- " + s); bullet && ok && e.Kind != "" {
		if kind, known := entry.ParseKind(string(e.Kind)); known {
			line.Kind = kind
		}
		line.Text, line.Time, line.Invalid, line.Source = e.Text, e.Stamp, e.Get("invalid"), e.Get("src")
		line.Importance, _ = e.Int("imp")
	} else {
		if body, stamp, ok := strings.Cut(s, withdrawnMark); ok {
			s, line.Invalid = body, strings.TrimSuffix(stamp, " -->")
		}
		line.Text = r.prefix + unescape(s)
	}
	if strings.TrimSpace(line.Text) != "" {
		r.lines = append(r.lines, line)
	}
}
