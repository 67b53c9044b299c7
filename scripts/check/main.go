// Check demands that rewriting the golden files and the generated files changes
// nothing: what is committed is what the code says now.
package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"sort"
	"strings"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "check:", err)
		os.Exit(1)
	}
}

func run() error {
	before, err := state()
	if err != nil {
		return err
	}
	for _, args := range [][]string{{"run", "./scripts/gen"}, {"test", "-short", "-count=1", "./..."}} {
		cmd := exec.Command("go", args...)
		cmd.Env = append(os.Environ(), "UPDATE=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, out)
		}
	}
	after, err := state()
	if err != nil {
		return err
	}
	var stale []string
	for name, sum := range after {
		if before[name] != sum {
			stale = append(stale, name)
		}
	}
	if len(stale) > 0 {
		sort.Strings(stale)
		return fmt.Errorf("out of date, run make gen and look at the difference:\n%s", strings.Join(stale, "\n"))
	}
	fmt.Println("generated and golden files are up to date")
	return nil
}

// state is the digest of every file that is or would be committed.
func state() (map[string][32]byte, error) {
	list, err := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		return nil, err
	}
	sums := map[string][32]byte{}
	for name := range bytes.SplitSeq(list, []byte{0}) {
		data, err := os.ReadFile(string(name))
		if len(name) == 0 || os.IsNotExist(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		sums[string(name)] = sha256.Sum256(data)
	}
	return sums, nil
}
