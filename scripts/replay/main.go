// Replay plays recorded scenarios through our own programs, and says where they
// answer otherwise than the recording.
//
//	go run ./scripts/replay mnemon PATH...
//	go run ./scripts/replay cordis DIR [--golden DIR] [--trusted] [--only SAMPLE] [--binary FILE]
//
// Scenarios of cordis are folders with a scenario.json; they are played against a
// host of the built binary, see internal/testkit/replay. The rest is of mnemon: a PATH is a scenario, or a folder: then each NAME.json in it that has a
// NAME.golden.json, or steps and should have one. The program that plays is testdata/oracle/mnemon/run.mjs, the
// same as under Node; its modules dsh-mnemon/* are ours. Packages of npm are
// found from the scenario's folder, and else in testdata/oracle/mnemon.
//
// It prints "same NAME", or "differs NAME" and one line for each difference with
// its path, or "fails NAME" and why it could not be played or compared. Exit
// codes: 0 all the same, 1 they are not, 64 usage.
//
// Recordings of rules that newer ones have replaced are compared with
// testdata/newer, which says what is to be in their place.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
)

const usage = `usage: replay mnemon PATH...  (a scenario, or a folder of them)
       replay cordis DIR [--golden DIR] [--trusted] [--only SAMPLE] [--binary FILE]`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

var errUsage = errors.New(usage)

func run(ctx context.Context, args []string, out, problems io.Writer) int {
	same, err := play(ctx, args, out)
	switch {
	case errors.Is(err, errUsage):
		fmt.Fprintln(problems, err)
		return 64
	case err != nil:
		fmt.Fprintln(problems, "replay:", err)
		return 1
	case !same:
		return 1
	}
	return 0
}

func play(ctx context.Context, args []string, out io.Writer) (same bool, err error) {
	switch {
	case len(args) < 2:
		return false, errUsage
	case args[0] == "cordis":
		return replayCordis(ctx, args[1:], out)
	case args[0] != "mnemon":
		return false, errUsage
	}
	files, err := scenarios(args[1:])
	if err != nil {
		return false, err
	}
	p, err := newPlayer()
	if err != nil {
		return false, err
	}
	same = true
	for _, file := range files {
		differences, err := p.check(ctx, file)
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		same = same && err == nil && len(differences) == 0
		tell(out, file, differences, err)
	}
	return same, nil
}

func tell(out io.Writer, file string, differences []string, failed error) {
	if failed != nil {
		fmt.Fprintf(out, "fails %s\n  %s\n", name(file), strings.ReplaceAll(failed.Error(), "\n", " "))
		return
	}
	if len(differences) == 0 {
		fmt.Fprintln(out, "same", name(file))
		return
	}
	fmt.Fprintln(out, "differs", name(file))
	for _, d := range differences {
		fmt.Fprintln(out, "  "+d)
	}
}
