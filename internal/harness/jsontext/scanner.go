package jsontext

// Scanner finds where the first document of a stream ends, fed piece by piece.
// The zero Scanner is ready.
type Scanner struct {
	depth    int
	started  bool
	inString bool
	escaped  bool
	literal  bool // a bare word or number at the top: it ends at a blank only
	done     bool
	mark     int // bytes of a byte order mark seen
}

// Feed reads on and reports whether the document ended in p, and after how many
// bytes of p. A bare number or word at the top ends with the blank after it.
func (s *Scanner) Feed(p []byte) (n int, done bool) {
	for i := 0; i < len(p) && !s.done; i++ {
		s.step(p[i])
		n = i + 1
	}
	return n, s.done
}

func (s *Scanner) step(c byte) {
	switch {
	case s.inString:
		s.stepString(c)
	case s.literal:
		s.done = isBlank(c)
	case !s.started && (isBlank(c) || s.mark < len(byteOrderMark) && c == byteOrderMark[s.mark]):
		if !isBlank(c) {
			s.mark++
		}
	default:
		s.started = true
		s.stepOpen(c)
	}
}

func (s *Scanner) stepString(c byte) {
	switch {
	case s.escaped:
		s.escaped = false
	case c == '\\':
		s.escaped = true
	case c == '"':
		s.inString = false
		s.done = s.depth == 0
	}
}

func (s *Scanner) stepOpen(c byte) {
	switch c {
	case '"':
		s.inString = true
	case '{', '[':
		s.depth++
	case '}', ']':
		s.depth--
		s.done = s.depth <= 0
	default:
		s.literal = s.depth == 0
	}
}
