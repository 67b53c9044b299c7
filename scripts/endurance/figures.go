package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/control"
)

// figures are what the host has at a moment.
type figures struct {
	goroutines, processes, descriptors int
	heap, rss                          uint64
}

// The room that is left for chance: what is kept for reading (events, lines,
// messages) fills in the first cycles, and memory comes and goes in steps.
const (
	roomGoroutines = 3
	roomHeap       = 16 << 20
	roomRSS        = 48 << 20
)

func (f figures) String() string {
	return fmt.Sprintf("%4d goroutines  %3d processes  %3d descriptors  %6.1f MiB heap  %6.1f MiB RSS",
		f.goroutines, f.processes, f.descriptors, float64(f.heap)/(1<<20), float64(f.rss)/(1<<20))
}

// over is what of f is more than it was first.
func (f figures) over(first figures) error {
	if f.goroutines > first.goroutines+roomGoroutines || f.processes > first.processes || f.descriptors > first.descriptors+roomGoroutines ||
		f.heap > first.heap+roomHeap || f.rss > first.rss+roomRSS {
		return fmt.Errorf("the host keeps more than it had first:\nnow   %s\nfirst %s", f, first)
	}
	return nil
}

// look reads the figures.
func (h *host) look() (f figures, err error) {
	var s control.Status
	if err := h.call(h.conn, "status", nil, &s); err != nil {
		return f, err
	}
	f = figures{goroutines: s.Vitals.Goroutines, heap: s.Vitals.Heap, processes: len(h.processes())}
	open, err := os.ReadDir(h.proc("fd"))
	if err != nil {
		return f, err
	}
	f.descriptors = len(open)
	f.rss, err = h.rss()
	return f, err
}

// proc names a file of the host under /proc.
func (h *host) proc(name string) string {
	return filepath.Join("/proc", strconv.Itoa(h.cmd.Process.Pid), name)
}

func (h *host) rss() (uint64, error) {
	data, err := os.ReadFile(h.proc("status"))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(data)) {
		var kib uint64
		if _, err := fmt.Sscanf(line, "VmRSS: %d kB", &kib); err == nil {
			return kib << 10, nil
		}
	}
	return 0, fmt.Errorf("%s tells no VmRSS", h.proc("status"))
}

// processes are the children of the host.
func (h *host) processes() (pids []int) {
	tasks, _ := filepath.Glob(h.proc("task/*/children"))
	for _, name := range tasks {
		data, _ := os.ReadFile(name) // a thread may have ended
		for _, field := range strings.Fields(string(data)) {
			if pid, err := strconv.Atoi(field); err == nil {
				pids = append(pids, pid)
			}
		}
	}
	return pids
}

// settle waits until the host has no more than it had first, and prints it.
func (h *host) settle(when string, first figures) error {
	var f figures
	err := soon(time.Minute, func() (err error) {
		if f, err = h.look(); err != nil {
			return err
		}
		return f.over(first)
	})
	h.print(when, f)
	return err
}

func (h *host) print(when string, f figures) { fmt.Fprintf(h.out, "%-22s %s\n", when, f) }
