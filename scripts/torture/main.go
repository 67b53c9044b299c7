// Torture runs the real binary as a crowd in one library: sessions, notes,
// withdrawals, workers, sleep, compaction and searches at once, each process
// killed with SIGKILL at a random moment now and then. Afterwards it lets one
// worker finish, and proves from the files and the journal that every
// acknowledged change is there exactly once.
//
//	go run ./scripts/torture -selfip bin/selfip [-time 2m] [-seed 1] [-kill 0.3] [-keep]
//
// A change is acknowledged when its process ended by itself and said so. What a
// killed process did may be there or not, and never by half.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// options are what a run was asked.
type options struct {
	binary   string
	time     time.Duration
	seed     uint64
	kill     float64 // share of the processes that are killed
	sessions int     // at once
	keep     bool    // the folder
}

func main() {
	var o options
	flag.StringVar(&o.binary, "selfip", "bin/selfip", "the binary")
	flag.DurationVar(&o.time, "time", 2*time.Minute, "how long")
	flag.Uint64Var(&o.seed, "seed", 1, "of chance")
	flag.Float64Var(&o.kill, "kill", 0.3, "share of the processes that are killed")
	flag.IntVar(&o.sessions, "sessions", 10, "sessions at once")
	flag.BoolVar(&o.keep, "keep", false, "keep the folder")
	flag.Parse()
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, "torture:", err)
		os.Exit(1)
	}
}

func run(o options) error {
	binary, err := filepath.Abs(o.binary)
	if err != nil {
		return err
	}
	o.binary = binary
	dir, err := os.MkdirTemp("", "selfip-torture-")
	if err != nil {
		return err
	}
	if o.keep {
		fmt.Println("folder:", dir)
	} else {
		defer os.RemoveAll(dir)
	}
	c, err := newCrowd(o, dir)
	if err != nil {
		return err
	}
	c.torture()
	if err := c.finish(); err != nil {
		return err
	}
	found := c.check()
	c.report(found)
	if len(found) > 0 {
		return fmt.Errorf("%d acknowledged changes are not as they should be", len(found))
	}
	return nil
}

// report prints what was done and what was found.
func (c *crowd) report(found []string) {
	fmt.Printf("%d processes in %s, %d killed, %d refused\n", c.started, c.options.time, c.killed, c.refused)
	for _, name := range c.verbs() {
		fmt.Printf("  %-10s %5d started, %5d acknowledged\n", name, c.counts[name].started, c.counts[name].acked)
	}
	fmt.Printf("  %d marks; live entries: %d, withdrawn: %d, rows of the journal: %d\n", len(c.marks), c.live, c.withdrawn, c.rows)
	for n, s := range found {
		if n == 50 {
			fmt.Printf("... and %d more\n", len(found)-n)
			break
		}
		fmt.Println("WRONG:", s)
	}
	if len(found) == 0 {
		fmt.Println("every acknowledged change is there once")
	}
}
