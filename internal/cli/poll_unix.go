//go:build unix

package cli

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// canPoll says that awaitInput works.
const canPoll = true

// awaitInput waits until something can be read from fd, its end included, or
// until the time has come.
func awaitInput(fd uintptr, until time.Time) error {
	fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
	if fds[0].Fd < 0 {
		return nil // closed: reading says so
	}
	for {
		left := time.Until(until)
		if left <= 0 {
			return os.ErrDeadlineExceeded
		}
		n, err := unix.Poll(fds, int(left.Milliseconds())+1)
		switch {
		case err == unix.EINTR || err == nil && n == 0:
			continue
		case err != nil:
			return nil // reading tells what is wrong
		}
		return nil
	}
}
