package config

import (
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/text"
)

// IsOwn reports whether a setting decides what is executed, or where a key or
// what was said goes. A workspace may be somebody else's, cloned a minute ago, so
// these come from the user's own files, the environment and flags, never from a
// file of the workspace.
func IsOwn(key string) bool {
	switch key {
	case keyModelProvider, keyModelURL, keyModelName, keyModelKeyEnv, keyModelKeyFile, keyModelCommand:
		return true
	}
	return false
}

// IsUsers reports whether no agent may change a setting: it bounds what agents
// store, decides what is executed, what it costs, or where a key and what was said go.
func IsUsers(key string) bool {
	switch key {
	case "writes", keyDailyTokens, keyModelUse:
		return true
	}
	return IsOwn(key)
}

// SettingFor returns the fault of kind Refused for a setting that cannot be set for
// one workspace, nil for others.
func SettingFor(key string, global bool) error {
	if global || !IsOwn(key) {
		return nil
	}
	return fault.New(fault.Refused, codeOwnOnly, key)
}

// less returns the value that a workspace may set: of what costs money, and of
// what leaves the machine, no more than the user allows.
func (l *loader) less(key, where string, v any) any {
	switch v := v.(type) {
	case int:
		if key == keyDailyTokens && v > l.out.DailyTokens {
			l.warn(warnLessOnly, where, key, v)
			return nil
		}
	case string:
		if key != keyModelUse {
			break
		}
		allowed := l.out.Uses()
		kept := slices.DeleteFunc(usesIn(v), func(use string) bool { return !slices.Contains(allowed, use) })
		if len(kept) < len(usesIn(v)) {
			l.warn(warnLessOnly, where, key, v)
		}
		return joinUses(kept)
	}
	return v
}

// uses are what a model can be used for.
var uses = [...]string{"retro", "sleep", "compact"}

// everyUse is the default of modelUse, and noUse its switch.
const (
	everyUse = "retro,sleep,compact"
	noUse    = "off"
)

// Uses lists what a model may be used for.
func (s Settings) Uses() []string { return usesIn(s.ModelUse) }

func usesIn(value string) []string {
	return slices.DeleteFunc(strings.Split(value, ","), func(use string) bool { return !slices.Contains(uses[:], use) })
}

func joinUses(list []string) string {
	if len(list) == 0 {
		return noUse
	}
	return strings.Join(list, ",")
}

func readUse(v any, _ *setting) (any, error) {
	given := strings.FieldsFunc(strings.ToLower(str(v)), func(r rune) bool { return r == ',' || r == ' ' })
	if len(given) == 1 {
		switch given[0] {
		case noUse, "none":
			return noUse, nil
		case "all", "on":
			return everyUse, nil
		}
	}
	known := slices.DeleteFunc(slices.Clone(uses[:]), func(use string) bool { return !slices.Contains(given, use) })
	if len(given) == 0 || len(known) != len(given) {
		return nil, want(wantUse, strings.ReplaceAll(everyUse, ",", ", "))
	}
	return joinUses(known), nil
}

func readProvider(v any, _ *setting) (any, error) {
	s := strings.ToLower(strings.TrimSpace(str(v)))
	switch s {
	case "none", "openai", "anthropic", "command":
		return s, nil
	case "off":
		return "none", nil
	}
	return nil, want(wantProvider)
}

func readAddress(v any, _ *setting) (any, error) {
	s := strings.TrimSpace(str(v))
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, want(wantAddress)
	}
	return s, nil
}

// maxName bounds the name of a model, in UTF-16 code units.
const maxName = 200

func readName(v any, _ *setting) (any, error) {
	s := strings.TrimSpace(str(v))
	if s == "" || text.Len(s) > maxName || s != text.OneLine(s) {
		return nil, want(wantName, maxName)
	}
	return s, nil
}

func readVariable(v any, _ *setting) (any, error) {
	s := strings.TrimSpace(str(v))
	for i, r := range s {
		letter := r == '_' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return nil, want(wantVariable)
		}
	}
	if s == "" || len(s) > 100 {
		return nil, want(wantVariable)
	}
	return s, nil
}

func readOwnFile(v any, _ *setting) (any, error) {
	s := strings.TrimSpace(str(v))
	if strings.ContainsRune(s, 0) || !filepath.IsAbs(s) && !isTilde(s) {
		return nil, want(wantOwnFile)
	}
	return s, nil
}

func isTilde(path string) bool { return strings.HasPrefix(path, "~/") || strings.HasPrefix(path, `~\`) }

// ownFile puts the user's home for ~, or warns and returns "".
func (l *loader) ownFile(where, written string) string {
	switch {
	case !isTilde(written):
		return filepath.Clean(written)
	case l.in.Home == "":
		l.warn(warnNoBase, where, written)
		return ""
	}
	return filepath.Join(l.in.Home, written[2:])
}

func readEffort(v any, _ *setting) (any, error) {
	s := strings.ToLower(strings.TrimSpace(str(v)))
	odd := strings.ContainsFunc(s, func(r rune) bool { return r != '-' && (r < 'a' || r > 'z') })
	if s == "" || odd || len(s) > 20 {
		return nil, want(wantEffort)
	}
	return s, nil
}

// The bounds of modelTimeout.
const (
	shortestCall = 100 * time.Millisecond
	longestCall  = 10 * time.Minute
)

func readTimeout(v any, _ *setting) (any, error) {
	d, err := time.ParseDuration(strings.TrimSpace(str(v)))
	if err != nil || d < shortestCall || d > longestCall {
		return nil, want(wantTimeout, shortestCall.String(), longestCall.String())
	}
	return d, nil
}

func readCommand(v any, _ *setting) (any, error) {
	s := strings.TrimSpace(str(v))
	if list, ok := v.([]any); ok {
		s = joinWords(list)
	}
	if words, ok := Words(s); !ok || len(words) == 0 {
		return nil, want(wantCommand)
	}
	return s, nil
}

// joinWords writes a list of words as one text that Words takes apart again, ""
// when that cannot be done.
func joinWords(list []any) string {
	var out []string
	for _, w := range list {
		s, ok := w.(string)
		switch {
		case !ok, strings.Contains(s, `"`) && strings.Contains(s, `'`):
			return ""
		case strings.Contains(s, `"`):
			s = `'` + s + `'`
		case s == "" || strings.ContainsAny(s, " \t'"):
			s = `"` + s + `"`
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

// Words takes a command apart: at blanks, but for those in single or double
// quotes. Nothing else has a meaning, for no shell is asked. ok is false when a
// quote is not closed or a word holds what no argument can.
func Words(command string) (words []string, ok bool) {
	var word strings.Builder
	open, quote := false, rune(0)
	for _, r := range command {
		switch {
		case r == 0:
			return nil, false
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			open, quote = true, r
		case quote == 0 && (r == ' ' || r == '\t' || r == '\n' || r == '\r'):
			if open {
				words = append(words, word.String())
				word.Reset()
			}
			open = false
		default:
			open = true
			word.WriteRune(r)
		}
	}
	if open {
		words = append(words, word.String())
	}
	return words, quote == 0
}

// CommandWords is the program of modelCommand with its arguments.
func (s Settings) CommandWords() []string {
	words, _ := Words(s.ModelCommand)
	return words
}

// discreet hides a bad value where a key may have been written in the place of a
// key's name.
func discreet(key, value string) string {
	switch key {
	case keyModelKeyEnv, keyModelKeyFile, keyModelURL:
		return "…"
	}
	return value
}
