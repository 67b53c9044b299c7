package grant

import (
	"strings"

	"github.com/dshkit/dshkit/pkg/fault"
)

// checkProgram refuses what is neither one program nor Any.
func checkProgram(target string) error {
	if target == Any {
		return nil
	}
	if words, ok := Words(target); !ok || len(words) != 1 || words[0] != target {
		return fault.New(fault.Usage, codeProgram, target)
	}
	return nil
}

// Words splits a line that needs no shell: a program and its arguments, with
// quotes and backslashes as in sh. ok is false of a line that a shell would do
// more with: operators, variables, patterns, comments, assignments.
func Words(line string) (words []string, ok bool) {
	s := splitter{rest: line}
	for {
		s.rest = strings.TrimLeft(s.rest, " \t")
		if s.rest == "" {
			break
		}
		word, plain, ok := s.word()
		if !ok || len(words) == 0 && !mayStart(word, plain) {
			return nil, false
		}
		words = append(words, word)
	}
	return words, len(words) > 0
}

// mayStart refuses a first word that is an assignment, or one of the shell's own.
func mayStart(word string, plain bool) bool {
	if word == "" || plain && strings.Contains(word, "=") {
		return false
	}
	return !plain || !strings.Contains(" if then else elif fi do done case esac while until for in ! { } [[ ", " "+word+" ")
}

// special are the letters that a shell gives a meaning to outside of quotes.
const special = "|&;<>()$`*?[]#~{}!\n\r\x00"

type splitter struct{ rest string }

// word takes the next word; plain says that nothing in it was quoted.
func (s *splitter) word() (word string, plain, ok bool) {
	var b strings.Builder
	plain = true
	for s.rest != "" {
		c := s.rest[0]
		switch {
		case c == ' ' || c == '\t':
			return b.String(), plain, true
		case strings.IndexByte(special, c) >= 0:
			return "", false, false
		case c == '\\':
			if len(s.rest) < 2 || strings.IndexByte("\n\r\x00", s.rest[1]) >= 0 {
				return "", false, false
			}
			plain = false
			b.WriteByte(s.rest[1])
			s.rest = s.rest[2:]
		case c == '\'' || c == '"':
			text, ok := s.quoted(c)
			if !ok {
				return "", false, false
			}
			plain = false
			b.WriteString(text)
		default:
			b.WriteByte(c)
			s.rest = s.rest[1:]
		}
	}
	return b.String(), plain, true
}

// quoted takes a text in quotes.
func (s *splitter) quoted(quote byte) (string, bool) {
	var b strings.Builder
	for i := 1; i < len(s.rest); i++ {
		c := s.rest[i]
		switch {
		case c == quote:
			s.rest = s.rest[i+1:]
			return b.String(), true
		case c == 0, quote == '"' && (c == '$' || c == '`'):
			return "", false
		case quote == '"' && c == '\\' && i+1 < len(s.rest) && strings.IndexByte("\"\\$`", s.rest[i+1]) >= 0:
			i++
			b.WriteByte(s.rest[i])
		default:
			b.WriteByte(c)
		}
	}
	return "", false
}
