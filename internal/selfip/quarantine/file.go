package quarantine

import (
	"strconv"
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/text"
)

// Literals of the file format (spec/selfip.md 3.3).
const (
	heading     = "# 隔离待确认 @ "
	patternLine = "- 命中规则: `"
	sourceLine  = "- 声明来源: "
	bodyHeading = "## 原始内容"
	closing     = "> 本条目未被注入；确认无害后由人工移回记忆。"
	wholeLine   = "- 全文: "
	noSource    = "unknown"
)

// maxText is how much of a text is kept, in UTF-16 units.
const maxText = 4000

// File is one text in quarantine.
type File struct {
	Stamp   string // when it was put there
	Pattern string // the pattern of the detector
	Source  string // the source it claimed; "unknown" when it claimed none
	Text    string // at most 4000 units
	Whole   string // name of the file beside it that holds all of a longer text; "": Text is all
}

// WholeName returns the name of the file that holds all of the text that the
// quarantine file name has the beginning of.
func WholeName(name string) string { return strings.TrimSuffix(name, ".md") + ".txt" }

// Exceeds reports whether a quarantine file cannot hold all of a text.
func Exceeds(s string) bool { return text.Len(text.Clean(s)) > maxText }

// Name returns the name of the n-th file of one instant, counted from 1.
func Name(now time.Time, n int) string {
	return entry.FileStamp(now) + "-" + strconv.Itoa(n) + ".md"
}

// Format returns the contents of a quarantine file. The text is stored as it
// is given, so the caller redacts it first; at most 4000 units of it are kept, and
// whole is the name of the file that then has all of it, else "". There is no line
// end at the end of the file.
func Format(now time.Time, s, pattern, source, whole string) string {
	if whole != "" {
		whole = wholeLine + text.OneLine(whole) + "\n"
	}
	if source = text.OneLine(source); source == "" {
		source = noSource
	}
	return heading + entry.Stamp(now) + "\n\n" +
		patternLine + text.OneLine(pattern) + "`\n" +
		sourceLine + source + "\n" + whole + "\n" +
		bodyHeading + "\n" + text.Head(text.Clean(s), maxText) + "\n\n" + closing
}

// Parse reads a quarantine file, also one that the originals wrote, whose
// labels and closing note may differ. Damaged is a file without the heading of
// the text.
func Parse(s string) (File, error) {
	s = text.Clean(s)
	head, body, ok := strings.Cut(s, "\n"+bodyHeading)
	if !ok {
		return File{}, fault.New(fault.Damaged, codeNoBody, bodyHeading)
	}
	_, body, _ = strings.Cut(body, "\n") // whatever else stands in the heading
	if k := strings.LastIndex(body, "\n\n>"); k >= 0 {
		body = body[:k]
	}
	f := File{Text: body}
	for line := range strings.SplitSeq(head, "\n") {
		f.read(strings.TrimSpace(line))
	}
	if f.Source == "" {
		f.Source = noSource
	}
	return f, nil
}

// read takes one line of the head into f.
func (f *File) read(line string) {
	if rest, ok := strings.CutPrefix(line, "#"); ok && f.Stamp == "" {
		if k := strings.LastIndex(rest, "@"); k >= 0 {
			f.Stamp = strings.TrimSpace(rest[k+1:])
		}
		return
	}
	if !strings.HasPrefix(line, "-") {
		return
	}
	open, shut := strings.IndexByte(line, '`'), strings.LastIndexByte(line, '`')
	if f.Pattern == "" && open < shut {
		f.Pattern = line[open+1 : shut]
		return
	}
	if name, ok := strings.CutPrefix(line, wholeLine); ok {
		f.Whole = strings.TrimSpace(name)
		return
	}
	if k := strings.IndexAny(line, ":："); k >= 0 && f.Source == "" {
		f.Source = strings.TrimSpace(strings.TrimLeft(line[k:], ":："))
	}
}
