// Gen writes everything that follows from the code: the command reference, the
// pages of exit codes and of JSON, and the completion scripts. A test of internal/archtest
// finds files that are out of date.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/cli/selfipcmd"
	"github.com/dshkit/dshkit/internal/testkit/jsonref"
)

func main() {
	files, err := cli.Generate(cli.System(), selfipcmd.New)
	if err == nil {
		files[jsonref.Path], err = jsonref.Page(".")
	}
	for name, content := range files {
		if err == nil {
			err = write(name, content)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func write(name string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, content, 0o644)
}
