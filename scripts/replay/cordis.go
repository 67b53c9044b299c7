package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/dshkit/dshkit/internal/testkit/replay"
)

// cordisOptions are what the replay of cordis was asked.
type cordisOptions struct {
	samples, golden, binary, only string
	trusted                       bool
}

func parseCordis(args []string) (o cordisOptions, err error) {
	flags := flag.NewFlagSet("replay cordis", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&o.golden, "golden", "", "")
	flags.StringVar(&o.binary, "binary", "", "")
	flags.StringVar(&o.only, "only", "", "")
	flags.BoolVar(&o.trusted, "trusted", false, "")
	var rest []string
	for len(args) > 0 { // flags may stand after the folder
		if err := flags.Parse(args); err != nil {
			return o, errUsage
		}
		if args = flags.Args(); len(args) > 0 {
			rest, args = append(rest, args[0]), args[1:]
		}
	}
	if len(rest) != 1 {
		return o, errUsage
	}
	o.samples = rest[0]
	return o, nil
}

// replayCordis plays samples against our binary.
func replayCordis(ctx context.Context, args []string, out io.Writer) (same bool, err error) {
	o, err := parseCordis(args)
	if err != nil {
		return false, err
	}
	repository, err := root()
	if err != nil {
		return false, err
	}
	samples, err := replay.Samples(o.samples)
	if err != nil {
		return false, err
	}
	if o.only != "" {
		if samples = slices.DeleteFunc(samples, func(s replay.Sample) bool { return s.Name != o.only }); len(samples) == 0 {
			return false, fmt.Errorf("%s: no sample %q is here", o.samples, o.only)
		}
	}
	if o.golden == "" {
		o.golden = replay.Goldens(o.samples, repository)
	}
	binary, remove, err := cordisBinary(ctx, o.binary, repository)
	if err != nil {
		return false, err
	}
	defer remove()
	against := replay.Options{Binary: binary, Trusted: o.trusted, Pages: filepath.Join(repository, "testdata", "reference", "page.mjs"), Path: os.Getenv("PATH")}
	against.Node, _ = exec.LookPath("node") // without it samples with a page fail, and say so
	same = true
	for _, s := range samples {
		differences, err := replay.Check(ctx, against, o.golden, s)
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		same = same && err == nil && len(differences) == 0
		var lines []string
		for _, d := range differences {
			lines = append(lines, d.String())
		}
		tell(out, s.Name, lines, err)
	}
	return same, nil
}

// cordisBinary is the program to play against: the one that was named, or one
// that is built for it.
func cordisBinary(ctx context.Context, named, repository string) (path string, remove func(), err error) {
	if named != "" {
		path, err = filepath.Abs(named)
		return path, func() {}, err
	}
	dir, err := os.MkdirTemp("", "replay-")
	if err != nil {
		return "", nil, err
	}
	remove = func() { _ = os.RemoveAll(dir) }
	path = filepath.Join(dir, "cordis")
	build := exec.CommandContext(ctx, "go", "build", "-o", path, "./cmd/cordis")
	build.Dir = repository
	if text, err := build.CombinedOutput(); err != nil {
		remove()
		return "", nil, fmt.Errorf("cordis does not build: %w: %s", err, text)
	}
	return path, remove, nil
}
