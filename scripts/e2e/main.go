// E2e runs the harnesses themselves: it installs them from npm into a cache,
// wires selfip into each with `selfip install`, lets it work headless against a
// stand-in for a model on loopback, and looks whether what the first session
// taught arrives in the model's requests of the second. It prints what ran, what
// could not and why, and fails when something that ran was wrong.
//
// The harnesses run in a network of their own that has nothing but loopback,
// where the system allows that; npm alone speaks to its registry.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// options are what the command line says.
type options struct {
	binary string
	cache  string
	only   []string
	keep   bool
	inside bool // in the closed network already
}

// Bounds in time: of one install from npm, of one session, of everything.
const (
	installTime = 8 * time.Minute
	sessionTime = 2 * time.Minute
	wholeTime   = 60 * time.Minute
)

func main() {
	opts := parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	ctx, cancel := context.WithTimeout(ctx, wholeTime)
	code := run(ctx, opts)
	cancel()
	stop()
	os.Exit(code)
}

func parse() options {
	var opts options
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	flag.StringVar(&opts.binary, "selfip", "bin/selfip", "the `binary` to test")
	flag.StringVar(&opts.cache, "cache", filepath.Join(cache, "dshkit-e2e"), "`folder` that keeps what npm installed")
	only := flag.String("only", "", "the harnesses to run, with commas between")
	flag.BoolVar(&opts.keep, "keep", false, "keep the folders of the sessions and say where they are")
	flag.BoolVar(&opts.inside, "inside", false, "run in this network, without installing anything (what e2e calls itself with)")
	flag.Parse()
	if *only != "" {
		opts.only = strings.Split(*only, ",")
	}
	return opts
}

// run installs what is missing, then starts itself in a closed network.
func run(ctx context.Context, opts options) int {
	binary, err := filepath.Abs(opts.binary)
	if err == nil {
		_, err = os.Stat(binary)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e: no binary to test:", err)
		return 1
	}
	opts.binary = binary
	for _, name := range opts.only {
		if name != insideName && !slices.ContainsFunc(cases(), func(c harnessCase) bool { return c.name == name }) {
			fmt.Fprintf(os.Stderr, "e2e: no case %q\n", name)
			return 1
		}
	}
	if opts.inside {
		return runCases(ctx, opts)
	}
	store := cache{dir: opts.cache}
	for _, c := range opts.chosen() {
		if err := store.fetch(ctx, c); err != nil {
			fmt.Fprintf(os.Stderr, "e2e: %s: %v\n", c.name, err) // the report says it again
		}
	}
	if code, ok := enclosed(ctx, opts); ok {
		return code
	}
	fmt.Println("network: not closed (no unshare here): the harnesses were told of loopback alone")
	return runCases(ctx, opts)
}

// chosen returns the cases to run.
func (o options) chosen() []harnessCase {
	return slices.DeleteFunc(cases(), func(c harnessCase) bool {
		return len(o.only) > 0 && !slices.Contains(o.only, c.name)
	})
}

// enclosed runs the cases in a network that has loopback only, unless the system
// has no such thing.
func enclosed(ctx context.Context, opts options) (code int, ok bool) {
	self, err := os.Executable()
	if err != nil {
		return 0, false
	}
	const up = "ip link set lo up && "
	if exec.CommandContext(ctx, "unshare", "--map-root-user", "--net", "sh", "-c", up+"true").Run() != nil {
		return 0, false
	}
	args := []string{"--map-root-user", "--net", "sh", "-c", up + `exec "$@"`, "sh", self, "-inside", "-selfip", opts.binary, "-cache", opts.cache}
	if len(opts.only) > 0 {
		args = append(args, "-only", strings.Join(opts.only, ","))
	}
	if opts.keep {
		args = append(args, "-keep")
	}
	fmt.Println("network: closed, loopback only")
	cmd := exec.CommandContext(ctx, "unshare", args...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	if err := cmd.Run(); err != nil {
		return 1, true
	}
	return 0, true
}

// runCases runs every case and prints the table.
func runCases(ctx context.Context, opts options) int {
	var results []result
	if len(opts.only) == 0 || slices.Contains(opts.only, insideName) {
		r := runInside(ctx, opts)
		r.print(os.Stdout)
		results = append(results, r)
	}
	for _, c := range opts.chosen() {
		r := runCase(ctx, opts, c)
		r.print(os.Stdout)
		results = append(results, r)
	}
	return summary(os.Stdout, results)
}
