package jsrun

import (
	"errors"
	"slices"
	"strings"
)

var (
	errUndefined = errors.New("no condition matches") // the next alternative may still
	errExcluded  = errors.New("excluded by null")
)

// targetError is a value of a map that names no file of the package.
type targetError struct{ target string }

func (e *targetError) Error() string { return "invalid target " + e.target }

// lookUp finds what a map (exports or imports) gives for a key: the text of the
// target with the pattern filled in. It follows Node's algorithm for packages.
func lookUp(m mapping, key string, conditions []string) (string, error) {
	for _, entry := range m {
		if entry.key == key && !strings.Contains(key, "*") {
			return pick(entry.value, "", conditions)
		}
	}
	var best member
	var match string
	for _, entry := range m {
		prefix, suffix, ok := strings.Cut(entry.key, "*")
		if !ok || !strings.HasPrefix(key, prefix) || !strings.HasSuffix(key, suffix) {
			continue
		}
		if len(key) < len(entry.key) || prefix == key || strings.Contains(suffix, "*") {
			continue
		}
		if best.key == "" || morePrecise(entry.key, best.key) {
			best, match = entry, key[len(prefix):len(key)-len(suffix)]
		}
	}
	if best.key == "" {
		return "", errUndefined
	}
	return pick(best.value, match, conditions)
}

// morePrecise says whether pattern a is to be preferred to b: the longer text
// before the star, then the longer pattern.
func morePrecise(a, b string) bool {
	i, j := strings.IndexByte(a, '*'), strings.IndexByte(b, '*')
	if i != j {
		return i > j
	}
	return len(a) > len(b)
}

// pick chooses by condition, in the order of the author.
func pick(target any, match string, conditions []string) (string, error) {
	switch target := target.(type) {
	case nil:
		return "", errExcluded
	case string:
		return fill(target, match)
	case []any:
		return pickFirst(target, match, conditions)
	case mapping:
		for _, m := range target {
			if m.key != "default" && !slices.Contains(conditions, m.key) {
				continue
			}
			if s, err := pick(m.value, match, conditions); !errors.Is(err, errUndefined) {
				return s, err
			}
		}
		return "", errUndefined
	}
	return "", &targetError{target: "that is neither text nor a map"}
}

func pickFirst(list []any, match string, conditions []string) (string, error) {
	last := errUndefined
	for _, target := range list {
		s, err := pick(target, match, conditions)
		if err == nil {
			return s, nil
		}
		last = err
		if invalid := (*targetError)(nil); !errors.As(err, &invalid) && !errors.Is(err, errUndefined) && !errors.Is(err, errExcluded) {
			break
		}
	}
	return "", last
}

// fill puts the matched part into the target and refuses what would leave the
// package.
func fill(target, match string) (string, error) {
	full := strings.ReplaceAll(target, "*", match)
	rest := strings.TrimPrefix(full, "./")
	for segment := range strings.FieldsFuncSeq(rest, func(r rune) bool { return r == '/' || r == '\\' }) {
		switch strings.ToLower(segment) {
		case "..", ".", "node_modules":
			return "", &targetError{target: full}
		}
	}
	return full, nil
}

// asExports turns the three ways to write exports into one map from subpath.
func asExports(target any) mapping {
	if m, ok := target.(mapping); ok && (len(m) == 0 || strings.HasPrefix(m[0].key, ".")) {
		return m
	}
	return mapping{{key: ".", value: target}}
}
