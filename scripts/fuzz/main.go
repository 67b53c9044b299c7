// Fuzz runs every fuzz target of the module for a while, one after the other.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

func main() {
	length := flag.String("time", "20s", "how long each target runs, as go test -fuzztime takes it")
	flag.Parse()
	if err := run(*length); err != nil {
		fmt.Fprintln(os.Stderr, "fuzz:", err)
		os.Exit(1)
	}
}

func run(length string) error {
	list, err := exec.Command("go", "list", "./...").Output()
	if err != nil {
		return err
	}
	for _, pkg := range strings.Fields(string(list)) {
		names, err := exec.Command("go", "test", "-run", "^$", "-list", "^Fuzz", pkg).Output()
		if err != nil {
			return fmt.Errorf("%s: %w", pkg, err)
		}
		for _, name := range strings.Fields(string(names)) {
			if !strings.HasPrefix(name, "Fuzz") {
				continue
			}
			fmt.Println(pkg, name)
			cmd := exec.Command("go", "test", "-run", "^$", "-fuzz", "^"+name+"$", "-fuzztime", length, pkg)
			cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
			if err := cmd.Run(); err != nil {
				return fmt.Errorf("%s %s: %w", pkg, name, err)
			}
		}
	}
	return nil
}
