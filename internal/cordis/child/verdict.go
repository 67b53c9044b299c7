package child

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/dshkit/dshkit/internal/cordis/half"
)

// maxStderr is how much of what a child process writes is kept.
const maxStderr = 4 << 10

// head keeps the beginning of what is written to it, and takes all.
type head struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (h *head) Write(text []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.text.Write(text[:min(len(text), maxStderr-h.text.Len())])
	return len(text), nil
}

func (h *head) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return strings.TrimSpace(h.text.String())
}

// deaths are the ways in which the Go runtime ends a process, by what it then
// writes.
var deaths = []struct{ says, limit string }{
	{"stack overflow", "stack"},
	{"goroutine stack exceeds", "stack"},
	{"out of memory", "memory"},
	{"cannot allocate", "memory"},
	{"failed to create new OS thread", "memory"},
	{"failed to map", "memory"},
	{"pthread_create failed", "memory"},
}

// verdict says why a process has ended; nil: it ended in order.
func verdict(state *os.ProcessState, stderr string, memory uint64) error {
	if state == nil || state.Success() {
		return nil
	}
	for _, d := range deaths {
		if !strings.Contains(stderr, d.says) {
			continue
		}
		limit := &half.LimitError{Limit: d.limit}
		if d.limit == "memory" {
			limit.Bound = mebibytes(memory)
		}
		return limit
	}
	if name := signalOf(state); name != "" {
		return fmt.Errorf("its process was ended by %s", name)
	}
	line, _, _ := strings.Cut(stderr, "\n")
	if line != "" {
		line = ": " + line
	}
	return fmt.Errorf("its process ended with code %d%s", state.ExitCode(), line)
}
