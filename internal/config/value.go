package config

import (
	"strconv"
	"strings"
	"time"

	"github.com/dshkit/dshkit/pkg/fault"
)

// typed is a value that a person typed or a variable holds: always a string, to
// be read as whatever the setting is. A file must hold the right type instead.
type typed string

func want(code string, args ...any) error { return fault.New(fault.Usage, code, args...) }

func readScope(v any, _ *setting) (any, error) {
	s := strings.ToLower(strings.TrimSpace(str(v)))
	switch s {
	case "workspace", "global", "both":
		return s, nil
	}
	return nil, want(wantScope)
}

func readLanguage(v any, _ *setting) (any, error) {
	s := strings.ToLower(strings.ReplaceAll(strings.TrimSpace(str(v)), "_", "-"))
	switch {
	case s == "auto":
		return s, nil
	case s == "en" || strings.HasPrefix(s, "en-"):
		return "en", nil
	case s == "zh" || strings.HasPrefix(s, "zh-"):
		return "zh-CN", nil
	}
	return nil, want(wantLanguage)
}

func readWrites(v any, _ *setting) (any, error) {
	s := strings.ToLower(strings.TrimSpace(str(v)))
	switch s {
	case "auto", "ask", "off":
		return s, nil
	}
	return nil, want(wantWrites)
}

func readFolder(v any, _ *setting) (any, error) {
	s := strings.TrimSpace(str(v))
	if s == "" || strings.ContainsRune(s, 0) {
		return nil, want(wantFolder)
	}
	return s, nil
}

func readBool(v any, _ *setting) (any, error) {
	switch v := v.(type) {
	case bool:
		return v, nil
	case typed:
		switch strings.ToLower(strings.TrimSpace(string(v))) {
		case "true", "1", "on", "yes", "开":
			return true, nil
		case "false", "0", "off", "no", "关":
			return false, nil
		}
	}
	return nil, want(wantBool)
}

// readNumber reads a whole number. One out of the bounds of the setting is an
// error with the nearest bound beside it: nearer to what was meant than the
// default.
func readNumber(v any, s *setting) (any, error) {
	n, ok := whole(v)
	if !ok {
		return nil, want(wantNumber, s.low, s.high)
	}
	if in := min(max(n, s.low), s.high); in != n {
		return in, want(wantNumber, s.low, s.high)
	}
	return n, nil
}

func whole(v any) (int, bool) {
	switch v := v.(type) {
	case int:
		return v, true
	case int64:
		return int(v), true
	case float64:
		return int(v), v == float64(int(v))
	case typed:
		n, err := strconv.Atoi(strings.TrimSpace(string(v)))
		return n, err == nil
	}
	return 0, false
}

// longestWait bounds lockWait: whoever waits longer waits for a dead disk.
const longestWait = 10 * time.Minute

func readDuration(v any, _ *setting) (any, error) {
	d, err := time.ParseDuration(strings.TrimSpace(str(v)))
	if err != nil || d < 0 || d > longestWait {
		return nil, want(wantDuration, longestWait.String())
	}
	return d, nil
}

// str returns the string that v is, "" when it is none.
func str(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case typed:
		return string(v)
	}
	return ""
}
