package compose

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// Capabilities is the closed list of what an operation of a Source can be for.
func Capabilities() []string {
	return []string{
		"status", "project", "recall", "search", "read", "browse", "write", "archive",
		"graph", "related", "link", "forget", "maintain", "export", "import",
	}
}

func knownCapability(name string) bool { return slices.Contains(Capabilities(), name) }

// requiredText returns v trimmed. max counts UTF-16 code units.
func requiredText(v any, label string, max int) (string, error) {
	s, ok := v.(string)
	if !ok {
		return "", fmt.Errorf("%s must be a string", label)
	}
	s = trim(s)
	if s == "" {
		return "", fmt.Errorf("%s is required", label)
	}
	if jsonvalue.Len(s) > max {
		return "", fmt.Errorf("%s is too long (max %d characters)", label, max)
	}
	return s, nil
}

// id returns v as an identifier of a type, a route, a slot and the like.
func id(v any, label string) (string, error) {
	s, err := requiredText(v, label, 128)
	if err != nil {
		return "", err
	}
	if !isID(s) {
		return "", fmt.Errorf("%s must match [a-z][a-z0-9-]{0,127}", label)
	}
	return s, nil
}

// positiveInteger returns v if it is an integer within 1..max.
func positiveInteger(v any, label string, max int) (int, error) {
	if n, ok := integerWithin(v, 1, max); ok {
		return n, nil
	}
	return 0, fmt.Errorf("%s must be an integer within 1..%d", label, max)
}

func integerWithin(v any, low, high int) (int, bool) {
	f, ok := v.(float64)
	if !ok || math.Trunc(f) != f || f < float64(low) || f > float64(high) {
		return 0, false
	}
	return int(f), true
}

// uniqueIDs returns the elements of v, each an identifier and none twice.
func uniqueIDs(v any, label string) ([]string, error) { return uniqueTexts(v, label, id) }

// pluginCapabilities returns the elements of v, each what a plugin may provide
// or require and none twice.
func pluginCapabilities(v any, label string) ([]string, error) {
	return uniqueTexts(v, label, pluginCapability)
}

func uniqueTexts(v any, label string, parse func(any, string) (string, error)) ([]string, error) {
	list, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("%s must be an array", label)
	}
	out := make([]string, 0, len(list))
	seen := make(map[string]bool, len(list))
	for _, item := range list {
		s, err := parse(item, label)
		if err != nil {
			return nil, err
		}
		if seen[s] {
			return nil, fmt.Errorf("%s is duplicated: %s", label, s)
		}
		seen[s] = true
		out = append(out, s)
	}
	return out, nil
}

// capabilities returns the elements of v, each a known capability, none twice.
func capabilities(v any, label string) ([]string, error) {
	list, err := uniqueIDs(v, label)
	if err != nil {
		return nil, err
	}
	for _, c := range list {
		if !knownCapability(c) {
			return nil, fmt.Errorf("%s contains unsupported capability: %s", label, c)
		}
	}
	return list, nil
}

func pluginCapability(v any, label string) (string, error) {
	s, err := requiredText(v, label, 128)
	if err != nil {
		return "", err
	}
	if !isPluginCapability(s) {
		return "", fmt.Errorf("%s must match [a-z][a-z0-9.-]{0,127}", label)
	}
	return s, nil
}

// packageName returns v as the name of a package; kind is what names it.
func packageName(v any, kind string) (string, error) {
	s, err := requiredText(v, kind+" packageName", 214)
	if err != nil {
		return "", err
	}
	if !isPackageName(s) {
		return "", fmt.Errorf("invalid %s packageName: %s", kind, s)
	}
	return s, nil
}

// instanceKey returns v as the key of an instance of kind source, strategy or
// strategy-extension.
func instanceKey(v any, kind string) (string, error) {
	s, err := requiredText(v, kind+" instanceKey", 300)
	if err != nil {
		return "", err
	}
	if !isKey(s, kind+":", 299) {
		return "", fmt.Errorf("%s instanceKey must start with %s: and contain only stable identifier characters", kind, kind)
	}
	return s, nil
}

func pluginKey(v any) (string, error) {
	s, err := requiredText(v, "memory plugin instanceKey", 307)
	if err != nil {
		return "", err
	}
	if !isKey(s, "plugin:", 299) {
		return "", errors.New("memory plugin instanceKey must start with plugin: and contain only stable identifier characters")
	}
	return s, nil
}

func isID(s string) bool {
	return len(s) <= 128 && s != "" && lower(s[0]) && all(s[1:], func(c byte) bool {
		return lower(c) || digit(c) || c == '-'
	})
}

func isPluginCapability(s string) bool {
	return len(s) <= 128 && s != "" && lower(s[0]) && all(s[1:], func(c byte) bool {
		return lower(c) || digit(c) || c == '.' || c == '-'
	})
}

// isPackageName knows the names that npm has today, with or without a scope.
func isPackageName(s string) bool {
	if rest, ok := strings.CutPrefix(s, "@"); ok {
		scope, name, ok := strings.Cut(rest, "/")
		return ok && isPackagePart(scope) && isPackagePart(name)
	}
	return isPackagePart(s)
}

func isPackagePart(s string) bool {
	return s != "" && (lower(s[0]) || digit(s[0])) && all(s[1:], func(c byte) bool {
		return lower(c) || digit(c) || c == '.' || c == '_' || c == '-'
	})
}

// isKey says whether s is prefix, one letter or digit and at most rest stable
// characters.
func isKey(s, prefix string, rest int) bool {
	s, ok := strings.CutPrefix(s, prefix)
	if !ok || s == "" || len(s)-1 > rest || !alphanumeric(s[0]) {
		return false
	}
	return all(s[1:], func(c byte) bool {
		return alphanumeric(c) || strings.IndexByte("._:/-", c) >= 0
	})
}

func all(s string, f func(byte) bool) bool {
	for i := range len(s) {
		if !f(s[i]) {
			return false
		}
	}
	return true
}

func lower(c byte) bool        { return 'a' <= c && c <= 'z' }
func digit(c byte) bool        { return '0' <= c && c <= '9' }
func alphanumeric(c byte) bool { return lower(c) || digit(c) || 'A' <= c && c <= 'Z' }

// trim removes what String.prototype.trim removes, which is not what Go calls
// space: the byte order mark counts, U+0085 does not.
func trim(s string) string { return strings.TrimFunc(s, isSpace) }

func isSpace(r rune) bool {
	switch r {
	case '\t', '\n', '\v', '\f', '\r', ' ', 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff:
		return true
	}
	return 0x2000 <= r && r <= 0x200a
}
