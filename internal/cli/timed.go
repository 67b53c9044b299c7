package cli

import (
	"io"
	"os"
	"time"
)

// Timed returns a reader of r whose Read waits no longer than until wait has
// passed from now, and then fails with os.ErrDeadlineExceeded: a caller that
// keeps a pipe open and silent must not keep us.
//
// Where the system can tell when a file has something to read, that costs
// nothing. Elsewhere a goroutine reads; one that waits for r is left behind, and
// ends with r or the process.
func Timed(r io.Reader, wait time.Duration) io.Reader {
	until := time.Now().Add(wait)
	if f, ok := r.(*os.File); ok && canPoll {
		return timedFile{f, until}
	}
	return &timedReader{from: r, until: until}
}

// timedFile asks the system before it reads.
type timedFile struct {
	file  *os.File
	until time.Time
}

func (t timedFile) Read(p []byte) (int, error) {
	if err := awaitInput(t.file.Fd(), t.until); err != nil {
		return 0, err
	}
	return t.file.Read(p)
}

// timedReader reads in a goroutine, one read at a time.
type timedReader struct {
	from  io.Reader
	until time.Time
	late  bool // a read is left behind: nothing can be read any more
}

func (t *timedReader) Read(p []byte) (int, error) {
	left := time.Until(t.until)
	if t.late || left <= 0 {
		return 0, os.ErrDeadlineExceeded
	}
	type piece struct {
		n   int
		err error
	}
	buffer, got := make([]byte, len(p)), make(chan piece, 1)
	go func() {
		n, err := t.from.Read(buffer)
		got <- piece{n, err}
	}()
	timer := time.NewTimer(left)
	defer timer.Stop()
	select {
	case r := <-got:
		return copy(p, buffer[:r.n]), r.err
	case <-timer.C:
		t.late = true
		return 0, os.ErrDeadlineExceeded
	}
}
