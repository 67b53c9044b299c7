package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// bench is one run: where it works, and what it compares with.
type bench struct {
	options
	table
	root  string // throw-away
	env   []string
	empty []string // the empty program
	plain []string // the plain locked append: file, text
	peak  []string // tells the peak of another command
	words *words
	built map[int]string // workspaces by size
	hash  []string       // reads files and hashes them

	packages *published // nil: not asked for yet, or not there
}

func newBench(o options) (*bench, error) {
	root, err := os.MkdirTemp("", "selfip-bench-")
	if err != nil {
		return nil, err
	}
	b := &bench{options: o, table: table{out: os.Stdout}, root: root, words: newWords(), built: map[int]string{}}
	home := filepath.Join(root, "home")
	b.env = append(os.Environ(),
		"HOME="+home, "XDG_CONFIG_HOME=", "XDG_CACHE_HOME="+filepath.Join(home, "cache"), "MNEMON_DATA_DIR=", "XDG_STATE_HOME="+filepath.Join(home, "state"), "DSH_HOME="+filepath.Join(home, ".dsh"),
		"SELFIP_BACKGROUND=false", "LC_ALL=C.UTF-8", "LANGUAGE=", "CLAUDECODE=")
	return b, os.MkdirAll(home, 0o755)
}

// command is a process to be measured.
type command struct {
	args  []string
	input string
	env   []string // beside that of all
}

func (b *bench) selfip(dir string, args ...string) command {
	return command{args: append([]string{b.binary, "-C", dir}, args...)}
}

// ran is what came of a process.
type ran struct {
	cpu, wall time.Duration
	code      int
	out       []byte
}

// start runs a process to its end.
func (b *bench) start(c command) (ran, error) {
	cmd := exec.Command(c.args[0], c.args[1:]...)
	cmd.Env = append(slices.Clip(b.env), c.env...)
	cmd.Stdin = strings.NewReader(c.input)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	begin := time.Now()
	err := cmd.Run()
	r := ran{wall: time.Since(begin), out: out.Bytes()}
	if cmd.ProcessState != nil {
		r.code = cmd.ProcessState.ExitCode()
		r.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	if exited := new(exec.ExitError); err != nil && !errors.As(err, &exited) {
		return r, err
	}
	return r, nil
}

// must is start for a process that has to succeed.
func (b *bench) must(c command) (ran, error) {
	r, err := b.start(c)
	if err == nil && r.code != 0 {
		err = fmt.Errorf("%s: exit %d: %s", strings.Join(c.args, " "), r.code, bytes.TrimSpace(r.out))
	}
	return r, err
}

// warmups are rounds that do not count.
const warmups = 3

// multiple is the CPU time of a command.
type multiple struct {
	times float64 // of the empty program, median of the rounds
	cpu   time.Duration
}

func (m multiple) detail() string { return "x (" + figure(milliseconds(m.cpu)) + " ms)" }

// multiples measures commands in turn with the empty program. each gives the
// commands of a round.
func (b *bench) multiples(rounds int, each func(round int) []command) ([]multiple, error) {
	var times [][]float64
	var cpus [][]time.Duration
	for round := -warmups; round < rounds; round++ {
		floor, err := b.must(command{args: b.empty})
		if err != nil {
			return nil, err
		}
		for i, c := range each(round + warmups) {
			r, err := b.must(c)
			if err != nil {
				return nil, err
			}
			if len(times) == i {
				times, cpus = append(times, nil), append(cpus, nil)
			}
			if round >= 0 {
				times[i] = append(times[i], float64(r.cpu)/float64(floor.cpu))
				cpus[i] = append(cpus[i], r.cpu)
			}
		}
	}
	out := make([]multiple, len(times))
	for i := range times {
		out[i] = multiple{median(times[i]), median(cpus[i])}
	}
	return out, nil
}

// peakOf returns the most memory that a command held, in MiB. Another small
// program starts it, for the peak of a process begins at that of its parent.
func (b *bench) peakOf(c command) (float64, error) {
	var peaks []float64
	for range 3 {
		r, err := b.must(command{args: append(slices.Clone(b.peak), c.args...), input: c.input})
		if err != nil {
			return 0, err
		}
		last := r.out[bytes.LastIndexByte(bytes.TrimSpace(r.out), '\n')+1:]
		kib, err := strconv.ParseFloat(strings.TrimSpace(string(last)), 64)
		if err != nil {
			return 0, err
		}
		peaks = append(peaks, kib/1024)
	}
	return median(peaks), nil
}

func median[T int | float64 | time.Duration](list []T) T {
	s := slices.Sorted(slices.Values(list))
	if len(s) == 0 {
		return 0
	}
	return s[len(s)/2]
}

// quantile is the value below which the part q of the list is.
func quantile(list []time.Duration, q float64) time.Duration {
	s := slices.Sorted(slices.Values(list))
	if len(s) == 0 {
		return 0
	}
	return s[int(q*float64(len(s)-1))]
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
