package cli_test

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/dshkit/dshkit/internal/cli"
)

// pipes gives a pipe of the system and one that is a reader alone.
func pipes(t *testing.T) map[string]func() (io.Reader, io.WriteCloser) {
	return map[string]func() (io.Reader, io.WriteCloser){
		"file": func() (io.Reader, io.WriteCloser) {
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { r.Close() })
			return r, w
		},
		"reader": func() (io.Reader, io.WriteCloser) {
			r, w := io.Pipe()
			return r, w
		},
	}
}

func TestCase72TimedReaderEndsWithAnOpenPipe(t *testing.T) {
	for name, open := range pipes(t) {
		t.Run(name, func(t *testing.T) {
			r, w := open()
			defer w.Close()
			if n, err := cli.Timed(r, time.Millisecond).Read(make([]byte, 8)); n != 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("Read of a silent pipe = %d, %v, want a deadline", n, err)
			}
		})
	}
}

func TestTimedReaderReadsWhatComes(t *testing.T) {
	for name, open := range pipes(t) {
		t.Run(name, func(t *testing.T) {
			r, w := open()
			go func() {
				_, _ = io.WriteString(w, "one ")
				_, _ = io.WriteString(w, "two")
				_ = w.Close()
			}()
			got, err := io.ReadAll(cli.Timed(r, time.Minute))
			if string(got) != "one two" || err != nil {
				t.Errorf("read %q, %v, want all of it", got, err)
			}
		})
	}
}

func TestTimedReaderStaysLate(t *testing.T) {
	late := cli.Timed(strings.NewReader("x"), 0)
	for range 2 {
		if n, err := late.Read(make([]byte, 1)); n != 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("Read after the time = %d, %v, want a deadline", n, err)
		}
	}
}

func TestTimedReaderOfAClosedFile(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	r.Close()
	if n, err := cli.Timed(r, time.Minute).Read(make([]byte, 1)); n != 0 || err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("Read of a closed file = %d, %v, want its own error", n, err)
	}
}
