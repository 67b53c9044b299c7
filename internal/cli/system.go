package cli

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
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
		Now:        time.Now,
		NewID:      newID,
		Interrupts: Interrupts(listenAfter),
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

// listenAfter is how long a command runs before it listens for signals. Listening
// costs a quarter of a millisecond, more than a hook's own work; what ends sooner
// may just as well be ended by the signal itself, which a shell reports as 130.
const listenAfter = 20 * time.Millisecond

// patience is how long a command that was asked to stop may take to clean up.
const patience = 2 * time.Second

// Interrupts returns a function for Env that listens for signals from a while
// after the start, at once for zero. The first signal ends the context. A second
// one, or a command that does not come to an end, ends the process the hard way.
func Interrupts(after time.Duration) func(context.Context) (context.Context, func()) {
	return func(parent context.Context) (context.Context, func()) {
		ctx, cancel := context.WithCancelCause(parent)
		l := listener{signals: make(chan os.Signal, 1), done: make(chan struct{}), cancel: cancel}
		if after <= 0 {
			l.listen()
			return ctx, l.stop
		}
		timer := time.AfterFunc(after, l.listen)
		return ctx, func() {
			timer.Stop()
			l.stop()
		}
	}
}

// listener turns the first signal into the end of a context.
type listener struct {
	signals chan os.Signal
	done    chan struct{} // closed when the command has ended
	cancel  context.CancelCauseFunc
}

func (l listener) listen() {
	signal.Notify(l.signals, os.Interrupt, syscall.SIGTERM)
	go l.await()
}

func (l listener) await() {
	cause := ErrTerminated
	select {
	case s := <-l.signals:
		if s == os.Interrupt {
			cause = ErrInterrupted
		}
	case <-l.done:
		return
	}
	signal.Stop(l.signals)
	l.cancel(cause)
	select {
	case <-time.After(patience):
		os.Exit(codeOf(cause.Kind))
	case <-l.done:
	}
}

func (l listener) stop() {
	signal.Stop(l.signals)
	close(l.done)
	l.cancel(nil)
}
