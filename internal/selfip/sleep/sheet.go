package sleep

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/pkg/text"
)

// The titles of the three sheets. They are part of the format, whatever the
// language.
const (
	PrinciplesTitle = "沉淀原则"
	HypothesesTitle = "待验证假设"
	PrefetchTitle   = "预取要点"
)

// Sheet is a file of principles, hypotheses or prefetch points: a heading with
// the stamp of its last change, then a point a line
// (docs/formats/sheet.md). Lines that are no points, and points that somebody
// else wrote, stay as they are. Its methods leave the receiver as it was.
type Sheet struct {
	Title string
	Stamp string // of the heading; "" when it has none
	lines []string
}

// ParseSheet reads a sheet. Whatever stands in the file is some sheet.
func ParseSheet(title string, data []byte) Sheet {
	s := Sheet{Title: title}
	body := strings.Trim(text.Clean(string(data)), "\n")
	if first, rest, _ := strings.Cut(body, "\n"); strings.HasPrefix(first, "# ") {
		_, stamp, _ := strings.Cut(first, "@")
		s.Stamp = strings.TrimSpace(stamp)
		body = strings.Trim(rest, "\n")
	}
	if body != "" {
		s.lines = strings.Split(body, "\n")
	}
	return s
}

// Format writes the sheet.
func (s Sheet) Format() []byte {
	return []byte("# " + s.Title + " @ " + s.Stamp + "\n" + strings.Join(append(slices.Clone(s.lines), ""), "\n"))
}

// Lines returns the lines below the heading.
func (s Sheet) Lines() []string { return slices.Clone(s.lines) }

// WithLines returns the sheet with other lines, as of a stamp.
func (s Sheet) WithLines(lines []string, stamp string) Sheet {
	s.lines, s.Stamp = slices.Clone(lines), stamp
	return s
}

// Same reports whether two sheets have the same lines.
func (s Sheet) Same(other Sheet) bool { return slices.Equal(s.lines, other.lines) }

// Point is one line of a sheet: a bullet with a text and, when we wrote it, a
// group of metadata.
type Point struct {
	Text string
	Meta []entry.Pair
}

// Get returns the value of a metadata key, or "".
func (p Point) Get(key string) string { return entry.Entry{Meta: p.Meta}.Get(key) }

// With returns the point with a value. An empty one takes the key out.
func (p Point) With(key, value string) Point {
	p.Meta = entry.Entry{Meta: p.Meta}.With(key, value).Meta
	return p
}

// Ours reports whether we wrote the point.
func (p Point) Ours() bool { return p.Get("by") != "" }

// ID names the point: by the id that it has, else by its text.
func (p Point) ID() string {
	if id := p.Get("id"); id != "" {
		return id
	}
	return PointID("h", text.Fold(p.Text))
}

// PointID makes the id of a point from what it is about.
func PointID(letter string, about ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(about, "\x00")))
	return letter + hex.EncodeToString(sum[:4])
}

// struck is around the text of a point that does not hold: other readers of the
// file see it too.
const struck = "~~"

// ParsePoint reads a line of a sheet. It is not ok when the line is no bullet.
func ParsePoint(line string) (Point, bool) {
	body, ok := bullet(strings.TrimSpace(line))
	if !ok {
		return Point{}, false
	}
	e, ok := entry.ParseLine("- " + body)
	if !ok {
		return Point{}, false
	}
	if said, ok := strings.CutPrefix(e.Text, struck); ok {
		e.Text = strings.TrimSuffix(said, struck)
	}
	return Point{strings.TrimSpace(e.Text), e.Meta}, strings.TrimSpace(e.Text) != ""
}

// bullet takes the sign of a list off a line: a dash, a star, a number.
func bullet(s string) (rest string, ok bool) {
	for _, sign := range []string{"- ", "* ", "• "} {
		if rest, ok := strings.CutPrefix(s, sign); ok {
			return rest, true
		}
	}
	digits := strings.TrimLeft(s, "0123456789")
	for _, sign := range []string{". ", "、", ") ", "）"} {
		if rest, ok := strings.CutPrefix(digits, sign); ok && len(digits) < len(s) {
			return rest, true
		}
	}
	return "", false
}

// Line writes the point as one line.
func (p Point) Line() string {
	said := strings.Join(strings.Fields(p.Text), " ")
	if p.Get("state") == string(Refuted) {
		said = struck + said + struck
	}
	var pairs []string
	for _, m := range p.Meta {
		if m.Value != "" {
			pairs = append(pairs, m.Key+":"+m.Value)
		}
	}
	if len(pairs) == 0 {
		return "- " + said
	}
	return "- " + said + " {" + strings.Join(pairs, ",") + "}"
}

// Points returns the points of the sheet, those of others too.
func (s Sheet) Points() []Point {
	var out []Point
	for _, line := range s.lines {
		if p, ok := ParsePoint(line); ok {
			out = append(out, p)
		}
	}
	return out
}

// Replace returns the sheet in which the points that old is true of have made
// room for new ones, at the end. A new point that another line says already is
// left out, one that stood there as it is keeps its line.
func (s Sheet) Replace(points []Point, old func(Point) bool) Sheet {
	var kept []string
	known := map[string]bool{}
	for _, line := range s.lines {
		p, ok := ParsePoint(line)
		if ok && old(p) {
			continue
		}
		if ok {
			known[text.Fold(p.Text)] = true
		}
		kept = append(kept, line)
	}
	for _, p := range points {
		if said := text.Fold(p.Text); !known[said] {
			known[said] = true
			kept = append(kept, p.Line())
		}
	}
	s.lines = kept
	return s
}

// Text is the sheet as it is shown: without metadata, a principle with its
// support, of the hypotheses only the open ones, each with its id.
func (s Sheet) Text() string {
	out := make([]string, 0, len(s.lines))
	for _, line := range s.lines {
		p, ok := ParsePoint(line)
		switch {
		case !ok:
			out = append(out, line)
		case s.Title == HypothesesTitle && hypothesis(p).State != Open:
		case s.Title == HypothesesTitle && p.Ours():
			out = append(out, "- "+p.Text+" ("+p.ID()+")")
		case len(p.Meta) == 0:
			out = append(out, line)
		default:
			out = append(out, "- "+p.Text+support(p))
		}
	}
	if strings.TrimSpace(strings.Join(out, "")) == "" {
		return ""
	}
	return "# " + s.Title + " @ " + s.Stamp + "\n" + strings.Join(out, "\n") + "\n"
}

// support shows how many entries bear a principle.
func support(p Point) string {
	if n, err := strconv.Atoi(p.Get("n")); err == nil && n > 1 {
		return " (×" + strconv.Itoa(n) + ")"
	}
	return ""
}

// PrinciplePoint is a principle as a point.
func PrinciplePoint(p Principle, by string) Point {
	out := Point{Text: p.Text}
	if p.Support > 0 {
		out = out.With("n", strconv.Itoa(p.Support))
	}
	return out.With("by", by).With("ev", strings.Join(p.Evidence, "+"))
}
