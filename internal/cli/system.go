package cli

import (
	"crypto/rand"
	"encoding/hex"
	mathrand "math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// System returns the Env of this process. Its clock gives local time.
func System() *Env {
	return &Env{
		Args: os.Args[1:], In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		Getenv: os.Getenv, Environ: os.Environ, Getwd: os.Getwd,
		Home:       func() string { return home(os.Getenv, os.ReadFile, os.Getuid()) },
		Executable: executable,
		IsTerminal: func(stream any) bool {
			f, ok := stream.(*os.File)
			return ok && isTerminal(f.Fd())
		},
		Self: self, Caller: caller, Alive: alive,
		Now:    time.Now,
		NewID:  newID,
		Chance: mathrand.Float64,

		RandomBytes: func(b []byte) { _, _ = rand.Read(b) }, // never fails (crypto/rand)

		Interrupts: Interrupts,
		Carry:      carry,
	}
}

// executable returns the path under which this program can be started again,
// symbolic links kept, so that an upgrade behind a link is followed.
func executable() (string, error) {
	if filepath.IsAbs(os.Args[0]) {
		return filepath.Clean(os.Args[0]), nil
	}
	return os.Executable()
}

// newID returns the prefix and twelve hexadecimal digits of chance.
func newID(prefix string) string {
	var b [6]byte
	_, _ = rand.Read(b[:]) // never fails (crypto/rand)
	return prefix + hex.EncodeToString(b[:])
}

// home returns the user's home directory, from the environment or, as under a
// service manager, from the user database; "" when neither knows an absolute
// path. It reads /etc/passwd itself: os/user would cost more than the rest of
// the start.
func home(getenv func(string) string, readFile func(string) ([]byte, error), uid int) string {
	for _, name := range []string{"HOME", "USERPROFILE"} {
		if dir := strings.TrimSpace(getenv(name)); filepath.IsAbs(dir) {
			return filepath.Clean(dir)
		}
	}
	passwd, err := readFile("/etc/passwd")
	if err != nil {
		return ""
	}
	want := strconv.Itoa(uid)
	for line := range strings.Lines(string(passwd)) {
		field := strings.Split(strings.TrimSpace(line), ":")
		if len(field) >= 7 && field[2] == want && filepath.IsAbs(field[5]) {
			return filepath.Clean(field[5])
		}
	}
	return ""
}
