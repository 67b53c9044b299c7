package config

import (
	"bytes"
	"errors"
	"path/filepath"
	"sort"
	"strconv"
	"strings"

	"github.com/spf13/viper"

	"github.com/dshkit/dshkit/pkg/fault"
)

// parseForeign reads YAML or TOML with viper. It lower-cases keys, so there the
// case of a key does not matter; a known key comes back in our spelling.
func parseForeign(path string, content []byte) ([]rawValue, error) {
	v := viper.NewWithOptions(viper.KeyDelimiter("\x00")) // no key holds it
	v.SetConfigType(strings.TrimPrefix(filepath.Ext(path), "."))
	if err := v.ReadConfig(bytes.NewReader(content)); err != nil {
		return nil, foreignError(content, err)
	}
	var values []rawValue
	for key, value := range v.AllSettings() {
		for _, set := range settings {
			if strings.EqualFold(set.key, key) {
				key = set.key
			}
		}
		values = append(values, rawValue{key, value, path})
	}
	sort.Slice(values, func(i, j int) bool { return values[i].key < values[j].key })
	return values, nil
}

// foreignError gives the error of a decoder a line and a column. TOML's knows
// both; YAML's names a line in its text, and the column is that of the first
// character there.
func foreignError(content []byte, err error) error {
	var placed interface{ Position() (line, column int) }
	if errors.As(err, &placed) {
		line, column := placed.Position()
		return fault.New(fault.Damaged, codeForeign, line, column, reason(err))
	}
	line := lineIn(err.Error())
	column := 1
	if lines := bytes.Split(content, []byte("\n")); line <= len(lines) {
		column += len(lines[line-1]) - len(bytes.TrimLeft(lines[line-1], " \t"))
	}
	return fault.New(fault.Damaged, codeForeign, line, column, reason(err))
}

// lineIn finds the number in "line 3:", 1 when there is none.
func lineIn(s string) int {
	_, rest, _ := strings.Cut(s, "line ")
	end := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		end = len(rest)
	}
	if n, err := strconv.Atoi(rest[:end]); err == nil && n > 0 {
		return n
	}
	return 1
}

// reason returns what a decoder says without what is said already.
func reason(err error) string {
	s := err.Error()
	for _, before := range []string{"While parsing config: ", "yaml: ", "toml: "} {
		s = strings.TrimPrefix(s, before)
	}
	if rest, ok := strings.CutPrefix(s, "line "+strconv.Itoa(lineIn(s))+": "); ok {
		s = rest
	}
	first, _, _ := strings.Cut(s, "\n")
	return first
}
