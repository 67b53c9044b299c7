// Gen writes everything that follows from the code: the command reference, the
// pages of exit codes, of JSON and of what scripts find, and the completion
// scripts. Tests find files that are out of date.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/cli/cordiscmd"
	"github.com/dshkit/dshkit/internal/cli/mnemoncmd"
	"github.com/dshkit/dshkit/internal/cli/selfipcmd"
	"github.com/dshkit/dshkit/internal/testkit/jsfeatures"
	"github.com/dshkit/dshkit/internal/testkit/jsonref"
)

func main() {
	if err := generate(); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func generate() error {
	for _, newRoot := range []func(*cli.Env) *cobra.Command{selfipcmd.New, mnemoncmd.New, cordiscmd.New} {
		files, err := cli.Generate(cli.System(), newRoot)
		if err != nil {
			return err
		}
		for name, content := range files {
			if err := write(name, content); err != nil {
				return err
			}
		}
	}
	for _, program := range []jsonref.Program{jsonref.Selfip, jsonref.Mnemon, jsonref.Cordis} {
		page, err := program.Page(".")
		if err == nil {
			err = write(program.Path, page)
		}
		if err != nil {
			return err
		}
	}
	page, err := jsfeatures.Page(".")
	if err != nil {
		return err
	}
	return write(jsfeatures.Path, page)
}

func write(name string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, content, 0o644)
}
