package model

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/dshkit/dshkit/pkg/fault"
)

// maxKey bounds a file with a key, in bytes.
const maxKey = 8 << 10

// KeyVariable returns the name of the environment variable that the settings take
// the key from, "" when they need none.
func (s Settings) KeyVariable() string {
	switch {
	case s.Provider != OpenAI && s.Provider != Anthropic, s.KeyFile != "":
		return ""
	case s.KeyEnv != "":
		return s.KeyEnv
	}
	base, err := baseOf(s)
	if err != nil {
		return ""
	}
	return serviceOf(base.Hostname()).variable
}

// key returns the key, "" when none is needed.
func (m *Model) key() (string, error) {
	key, err := m.findKey()
	if err == nil && key != "" && m.at.base.Scheme != "https" && !isNear(m.at.base.Hostname()) {
		return "", fault.New(fault.Refused, codePlainHTTP, m.at.host)
	}
	return key, err
}

func (m *Model) findKey() (string, error) {
	if m.set.KeyFile != "" {
		return readKey(m.set.KeyFile)
	}
	variable := m.set.KeyVariable()
	if variable == "" {
		return "", nil
	}
	key := strings.TrimSpace(m.world.Getenv(variable))
	if !isKey(key) {
		return "", fault.New(fault.Refused, codeNoKey, m.at.host, variable)
	}
	return key, nil
}

// readKey reads a key from a file that only its owner can read.
func readKey(path string) (string, error) {
	if !filepath.IsAbs(path) {
		return "", fault.New(fault.Refused, codeKeyFile, path)
	}
	info, err := os.Stat(path) // first: to open a pipe would wait for its writer
	switch {
	case err != nil:
		return "", fault.New(fault.Refused, codeKeyFile, path).Because(err)
	case !info.Mode().IsRegular() || info.Size() > maxKey:
		return "", fault.New(fault.Refused, codeKeyText, path)
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return "", fault.New(fault.Refused, codeKeyMode, path, fmt.Sprintf("%04o", info.Mode().Perm()))
	}
	f, err := os.Open(path)
	if err != nil {
		return "", fault.New(fault.Refused, codeKeyFile, path).Because(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxKey))
	if err != nil {
		return "", fault.New(fault.Refused, codeKeyFile, path).Because(err)
	}
	key := strings.TrimSpace(string(data))
	if !isKey(key) {
		return "", fault.New(fault.Refused, codeKeyText, path)
	}
	return key, nil
}

// isKey reports whether s can be a key: something, and all of it can stand in a
// header.
func isKey(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' })
}
