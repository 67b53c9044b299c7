package catalog

import (
	"slices"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// used says which of the types the texts name, and which these name in turn.
func (c Catalog) used(texts []string) []bool {
	used := make([]bool, len(c.Types))
	for len(texts) > 0 {
		names := words(texts[0])
		texts = texts[1:]
		for i, t := range c.Types {
			if !used[i] && slices.Contains(names, t.Name) {
				used[i] = true
				texts = append(texts, t.Declaration)
			}
		}
	}
	return used
}

// referenced are the types that the texts refer to, in the order of the
// catalogue.
func (c Catalog) referenced(texts []string) []any {
	used := c.used(texts)
	out := []any{}
	for i, t := range c.Types {
		if used[i] {
			out = append(out, jsonvalue.Of("name", t.Name, "declaration", t.Declaration))
		}
	}
	return out
}

// words are the names in a text of TypeScript; those in quotes are text.
func words(text string) []string {
	var out []string
	start, quote := -1, byte(0)
	for i := 0; i <= len(text); i++ {
		var b byte
		if i < len(text) {
			b = text[i]
		}
		if quote == 0 && isWord(b) {
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 {
			out = append(out, text[start:i])
			start = -1
		}
		switch {
		case b == quote && b != 0:
			quote = 0
		case quote == 0 && (b == '\'' || b == '"' || b == '`'):
			quote = b
		}
	}
	return out
}

func isWord(b byte) bool {
	return b == '_' || b == '$' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
}
