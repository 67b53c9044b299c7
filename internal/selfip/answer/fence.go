package answer

import "strings"

// fence is a line that begins or ends code.
type fence struct {
	mark byte // ` or ~
	n    int  // how many
	info string
}

// fenceOf reads a line as a fence. It may be indented or stand behind a bullet's
// blanks.
func fenceOf(line string) (fence, bool) {
	line = strings.TrimSpace(line)
	if line == "" || line[0] != '`' && line[0] != '~' {
		return fence{}, false
	}
	f := fence{mark: line[0]}
	for f.n < len(line) && line[f.n] == f.mark {
		f.n++
	}
	f.info = strings.TrimSpace(line[f.n:])
	inline := f.mark == '`' && strings.Contains(f.info, "`")
	return f, f.n >= 3 && !inline
}

// closes reports whether f ends the code that open began.
func (f fence) closes(open fence) bool {
	return f.mark == open.mark && f.n >= open.n && f.info == ""
}

// codeLines tells which lines are code, fences included. Code that nobody ends
// goes to the end of an answer that was cut; of one that is whole, its model
// forgot to end it, and then it ends in front of the next heading.
func codeLines(lines []string, cut bool) []bool {
	code := make([]bool, len(lines))
	var open fence
	begin := -1
	for i, line := range lines {
		f, ok := fenceOf(line)
		switch {
		case !ok:
		case begin < 0:
			open, begin = f, i
			continue
		case f.closes(open):
			fill(code, begin, i+1)
			begin = -1
		case f.mark == open.mark && f.info != "": // further code begins inside code
			if h := headingIn(lines, begin+1, i); h >= 0 {
				fill(code, begin, h)
				open, begin = f, i
			}
		}
	}
	if begin < 0 {
		return code
	}
	end := len(lines)
	if !cut {
		if h := headingIn(lines, begin+1, end); h >= 0 {
			end = h
		}
	}
	fill(code, begin, end)
	return code
}

func fill(code []bool, begin, end int) {
	for i := begin; i < end; i++ {
		code[i] = true
	}
}

// headingIn returns the first line of a range that is a heading, -1 for none.
func headingIn(lines []string, begin, end int) int {
	for i := begin; i < end; i++ {
		if _, ok := headOf(lines[i]); ok {
			return i
		}
	}
	return -1
}

// unwrapped takes off a fence that stands around the whole answer, with whatever
// the model says around it. Code inside it stays.
func unwrapped(lines []string) []string {
	open := -1
	for i, line := range lines {
		if _, ok := headOf(line); ok {
			return lines
		}
		if f, ok := fenceOf(line); ok {
			if !wraps(f, lines[i+1:]) {
				return lines
			}
			open = i
			break
		}
	}
	if open < 0 {
		return lines
	}
	outer, _ := fenceOf(lines[open])
	inside := lines[open+1:]
	if end := endOf(inside, outer); end >= 0 {
		inside = inside[:end]
	}
	return inside
}

// wraps reports whether a fence begins an answer rather than code: it names no
// language but that of texts, and a heading follows.
func wraps(f fence, rest []string) bool {
	switch strings.ToLower(f.info) {
	case "", "markdown", "md", "text", "txt", "plaintext":
	default:
		return false
	}
	for _, line := range rest {
		if strings.TrimSpace(line) != "" {
			_, ok := headOf(line)
			return ok
		}
	}
	return false
}

// endOf finds the line that ends the outer fence, -1 when there is none: code
// inside begins and ends with fences of its own, which models write as long as
// the outer one.
func endOf(lines []string, outer fence) int {
	var inner *fence
	last := -1
	for i, line := range lines {
		f, ok := fenceOf(line)
		switch {
		case !ok:
		case inner != nil && f.closes(*inner):
			inner = nil
		case inner != nil:
		case f.closes(outer):
			if last = i; headingIn(lines, i+1, len(lines)) < 0 {
				return i
			}
			inner = &f // headings follow: it began code without a language
		default:
			inner = &f
		}
	}
	if inner != nil {
		return last
	}
	return -1
}

// thoughts are the tags in which models think aloud.
var thoughts = [...]string{"think", "thinking", "thought", "reasoning", "scratchpad"}

// withoutThoughts leaves out what a model thinks before it answers: a tag at the
// begin of a line up to its end tag, or up to the end of the answer when that was
// cut in thought. An end tag without a begin ends thoughts that began before the
// answer.
func withoutThoughts(s string) string {
	for _, tag := range thoughts {
		s = withoutThought(s, "<"+tag+">", "</"+tag+">")
	}
	return s
}

func withoutThought(s, open, end string) string {
	for {
		lower := strings.ToLower(s)
		if len(lower) != len(s) {
			return s // a letter whose small form has another length: places would be off
		}
		at, stop := lineIndex(lower, open), strings.Index(lower, end)
		switch {
		case at < 0 && stop < 0:
			return s
		case at < 0 || stop >= 0 && stop < at:
			if !lineEnds(lower, stop+len(end)) {
				return s
			}
			s = s[stop+len(end):]
		case stop < 0:
			return s[:at]
		default:
			s = s[:at] + s[stop+len(end):]
		}
	}
}

// lineIndex finds the tag at the begin of a line.
func lineIndex(s, tag string) int {
	for at := 0; at <= len(s); {
		i := strings.Index(s[at:], tag)
		if i < 0 {
			return -1
		}
		i += at
		if strings.TrimSpace(s[strings.LastIndexByte(s[:i], '\n')+1:i]) == "" {
			return i
		}
		at = i + len(tag)
	}
	return -1
}

// lineEnds reports whether nothing but blanks follows in the line, or a heading
// does.
func lineEnds(s string, at int) bool {
	line, _, _ := strings.Cut(s[at:], "\n")
	return strings.TrimSpace(line) == "" || strings.HasPrefix(strings.TrimSpace(line), "#")
}
