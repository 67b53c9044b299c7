package install

import (
	"bytes"
	"path/filepath"
	"strconv"
	"strings"
)

// CodexConfig is what the config.toml of Codex says about hooks. Nothing here
// writes that file: trust is the user's decision (spec/harness-hooks.md 6).
type CodexConfig struct {
	HooksOff bool     // [features] hooks = false
	Inline   bool     // it holds hooks itself, beside hooks.json: Codex warns
	Trusted  []string // keys of hooks.state that have a trusted_hash
}

// CodexConfigFile is where Codex keeps the user's settings, and the trust in
// hooks of every scope.
func CodexConfigFile(env Env) string {
	return filepath.Join(env.orElse("CODEX_HOME", ".codex"), "config.toml")
}

// ReadCodexConfig reads the few lines of a config.toml that matter here, line by
// line: tables, dotted keys and inline tables of one line. What it does not
// understand it passes over.
func ReadCodexConfig(data []byte) CodexConfig {
	var c CodexConfig
	var table []string
	inText := ""
	for line := range bytes.Lines(data) {
		text := strings.TrimSpace(string(line))
		if inText != "" { // inside a text of several lines
			if strings.Contains(text, inText) {
				inText = ""
			}
			continue
		}
		if strings.HasPrefix(text, "[") {
			table = tomlPath(strings.Trim(uncommented(text), "[] \t"))
			c.table(table)
			continue
		}
		key, value, ok := strings.Cut(text, "=")
		if !ok || strings.HasPrefix(text, "#") {
			continue
		}
		value = strings.TrimSpace(value)
		inText = opensText(value)
		c.pair(append(append([]string{}, table...), tomlPath(key)...), value)
	}
	return c
}

// table notes the header of a table.
func (c *CodexConfig) table(path []string) {
	if len(path) > 0 && path[0] == "hooks" && (len(path) == 1 || path[1] != "state") {
		c.Inline = true
	}
}

// pair notes a key with its whole path.
func (c *CodexConfig) pair(path []string, value string) {
	switch {
	case len(path) == 1 && path[0] == "features" && strings.HasPrefix(value, "{"):
		for pair := range strings.SplitSeq(strings.Trim(uncommented(value), "{} "), ",") {
			key, inner, _ := strings.Cut(pair, "=")
			c.pair(append([]string{"features"}, tomlPath(key)...), strings.TrimSpace(inner))
		}
	case len(path) == 2 && path[0] == "features" && path[1] == "hooks":
		c.HooksOff = strings.TrimSpace(uncommented(value)) == "false"
	case len(path) == 4 && path[0] == "hooks" && path[1] == "state" && path[3] == "trusted_hash":
		c.Trusted = append(c.Trusted, path[2])
	case len(path) > 1 && path[0] == "hooks" && path[1] != "state":
		c.Inline = true
	}
}

// TrustKey is the key under which Codex keeps its trust in an entry of file, an
// absolute path.
func TrustKey(file string, e EntryRef) string {
	var event strings.Builder
	for i, r := range e.Event {
		if r >= 'A' && r <= 'Z' {
			if i > 0 {
				event.WriteByte('_')
			}
			r += 'a' - 'A'
		}
		event.WriteRune(r)
	}
	return file + ":" + event.String() + ":" + strconv.Itoa(e.Index) + ":" + strconv.Itoa(e.Handler)
}

// opensText returns the mark that ends a text of several lines which value
// begins, or "".
func opensText(value string) string {
	for _, mark := range [...]string{`"""`, "'''"} {
		if rest, ok := strings.CutPrefix(value, mark); ok && !strings.Contains(rest, mark) {
			return mark
		}
	}
	return ""
}

// uncommented cuts a comment that does not stand inside quotes.
func uncommented(text string) string {
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote == '"' && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '#':
			return strings.TrimSpace(text[:i])
		}
	}
	return text
}

// tomlPath splits a dotted key into its names.
func tomlPath(key string) []string {
	var names []string
	for key = strings.TrimSpace(key); key != ""; {
		var name string
		switch quote := key[0]; quote {
		case '"', '\'':
			end := closingQuote(key)
			name, key = key[1:end], key[min(end+1, len(key)):]
			if quote == '"' {
				name = unescaped(name)
			}
			_, key, _ = strings.Cut(key, ".")
		default:
			name, key, _ = strings.Cut(key, ".")
		}
		names = append(names, strings.TrimSpace(name))
		key = strings.TrimSpace(key)
	}
	return names
}

// closingQuote returns where the quoted name that key begins with ends.
func closingQuote(key string) int {
	for i := 1; i < len(key); i++ {
		switch {
		case key[0] == '"' && key[i] == '\\':
			i++
		case key[i] == key[0]:
			return i
		}
	}
	return len(key)
}

func unescaped(name string) string {
	if s, err := strconv.Unquote(`"` + name + `"`); err == nil {
		return s
	}
	return name
}
