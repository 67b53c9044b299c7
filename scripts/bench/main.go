// Bench measures the real binaries beside what it is compared with, in one run: an
// empty Go program, a plain locked append, and Node when it is there. It prints
// one table: what was measured, the goal, and whether it is met.
//
//	go run ./scripts/bench -selfip bin/selfip -mnemon bin/dsh-mnemon -cordis bin/cordis [-only start,save] [-sizes 1000,10000] [-retrieval DIR]
//
// CPU times are those of whole processes, as multiples of the empty program's in
// the same round; quoted is the median. Goals are about the machine at rest: on
// a busy one the multiples still hold by and large, times and rates do not.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// options are what a run was asked.
type options struct {
	binary string
	mnemon string

	cordisBinary string

	only      []string
	sizes     []int
	rounds    int
	kills     int
	writers   int
	saves     int
	retrieval string
}

func main() {
	o, err := parse(os.Args[1:])
	if err == nil {
		err = run(o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// parts are what can be measured, in the order of the table.
var parts = []struct {
	name    string
	measure func(*bench) error
}{
	{"version", (*bench).version},
	{"start", (*bench).starts},
	{"prompt", (*bench).prompts},
	{"save", (*bench).saves},
	{"search", (*bench).searches},
	{"import", (*bench).imports},
	{"writers", (*bench).writers},
	{"kills", (*bench).kills},
	{"trouble", (*bench).trouble},
	{"retrieval", (*bench).retrieval},
	{"commands", (*bench).commands},
	{"compile", (*bench).compile},
	{"strategies", (*bench).strategies},
	{"realms", (*bench).realms},
	{"growth", (*bench).growth},
	{"cordis", (*bench).cordis},
}

func parse(args []string) (options, error) {
	o := options{retrieval: filepath.Join("..", "shared", "retrieval", "data")}
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	var only, sizes string
	flags.StringVar(&o.binary, "selfip", filepath.Join("bin", "selfip"), "the `binary` to measure")
	flags.StringVar(&o.mnemon, "mnemon", filepath.Join("bin", "dsh-mnemon"), "the other `binary` to measure")
	flags.StringVar(&o.cordisBinary, "cordis", filepath.Join("bin", "cordis"), "the third `binary` to measure")
	flags.StringVar(&only, "only", "", "comma-separated `parts`: "+strings.Join(names(), ","))
	flags.StringVar(&sizes, "sizes", "1000,10000,100000", "entries in the stores, comma-separated `numbers`")
	flags.IntVar(&o.rounds, "rounds", 21, "counted runs of each command")
	flags.IntVar(&o.kills, "kills", 200, "saves that are killed")
	flags.IntVar(&o.writers, "writers", 8, "processes that save at the same time")
	flags.IntVar(&o.saves, "saves", 200, "saves of each of them")
	flags.StringVar(&o.retrieval, "retrieval", o.retrieval, "`folder` of collections of notes and queries; skipped when it is not there")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	for _, name := range strings.FieldsFunc(only, isComma) {
		if !slices.Contains(names(), name) {
			return o, fmt.Errorf("unknown part %q (want %s)", name, strings.Join(names(), ", "))
		}
		o.only = append(o.only, name)
	}
	for _, size := range strings.FieldsFunc(sizes, isComma) {
		n, err := strconv.Atoi(size)
		if err != nil || n < 1 {
			return o, fmt.Errorf("bad size %q", size)
		}
		o.sizes = append(o.sizes, n)
	}
	var err error
	for _, path := range []*string{&o.binary, &o.mnemon, &o.cordisBinary} {
		if *path, err = filepath.Abs(*path); err != nil {
			return o, err
		}
	}
	return o, nil
}

func names() (list []string) {
	for _, p := range parts {
		list = append(list, p.name)
	}
	return list
}

func isComma(r rune) bool { return r == ',' }

func run(o options) error {
	b, err := newBench(o)
	if err != nil {
		return err
	}
	defer os.RemoveAll(b.root)
	if err := b.floor(); err != nil {
		return err
	}
	for _, p := range parts {
		if len(o.only) > 0 && !slices.Contains(o.only, p.name) {
			continue
		}
		if err := p.measure(b); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	b.table.close()
	return nil
}
