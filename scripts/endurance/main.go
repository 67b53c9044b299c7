// Endurance runs one real host for a long time and looks at what it keeps: first
// thousands of cycles of define, run, update, stop and undefine over its socket,
// then many plugins at once that tick, answer and call each other while their
// processes, the clients that call them and the pages that carry out requests
// are killed. At the end nothing is defined any more, and the host has the
// goroutines, processes and descriptors that it had after the first cycles, and
// hardly more memory. At last a host is killed, which its plugins do not outlive.
//
//	go run ./scripts/endurance -cordis bin/cordis [-trusted] [-cycles 10000] [-plugins 200] [-time 1m] [-seed 1]
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// options are what a run was asked.
type options struct {
	binary  string
	trusted bool
	cycles  int
	plugins int
	time    time.Duration // of the crowd
	seed    uint64
	out     io.Writer
}

func main() {
	o := options{out: os.Stdout}
	flag.StringVar(&o.binary, "cordis", filepath.Join("bin", "cordis"), "the `binary`")
	flag.BoolVar(&o.trusted, "trusted", false, "plugins run in the process of the host")
	flag.IntVar(&o.cycles, "cycles", 10_000, "define, run, update, stop, undefine")
	flag.IntVar(&o.plugins, "plugins", 200, "at once")
	flag.DurationVar(&o.time, "time", time.Minute, "how long they are troubled")
	flag.Uint64Var(&o.seed, "seed", 1, "of chance")
	flag.Parse()
	dir, err := os.MkdirTemp("", "cordis-endurance-")
	if err == nil {
		err = errors.Join(run(o, dir), os.RemoveAll(dir))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "endurance:", err)
		os.Exit(1)
	}
}

// run goes through both parts with one host, and has it stop. Another one is
// killed in the midst of its plugins.
func run(o options, dir string) (err error) {
	if o.binary, err = filepath.Abs(o.binary); err != nil {
		return err
	}
	h, err := startHost(o, dir)
	if err != nil {
		return err
	}
	if err := errors.Join(h.last(), h.end()); err != nil {
		return err
	}
	return killHost(o, dir)
}

// last goes through both parts.
func (h *host) last() error {
	first, err := h.cycles()
	if err != nil {
		return err
	}
	if err := h.crowd(); err != nil {
		return err
	}
	return h.settle("at the end", first)
}
