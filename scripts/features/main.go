// Features writes the tables of docs/javascript.md: what scripts find here, as
// they themselves say. With -check it writes nothing and fails when the page is
// out of date.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/dshkit/dshkit/internal/testkit/jsfeatures"
)

func main() {
	check := flag.Bool("check", false, "write nothing, fail when the page is out of date")
	flag.Parse()
	if err := run(*check); err != nil {
		fmt.Fprintln(os.Stderr, "features:", err)
		os.Exit(1)
	}
}

func run(check bool) error {
	page, err := jsfeatures.Page(".")
	if err != nil {
		return err
	}
	if !check {
		return os.WriteFile(jsfeatures.Path, page, 0o644)
	}
	old, err := os.ReadFile(jsfeatures.Path)
	if err != nil {
		return err
	}
	if !bytes.Equal(old, page) {
		return errors.New(jsfeatures.Path + " is out of date: run go run ./scripts/features and look at the difference")
	}
	return nil
}
