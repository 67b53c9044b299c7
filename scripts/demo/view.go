package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// modules is where make installs the published plugins.
const modules = "testdata/oracle/mnemon/node_modules"

// view composes a View of two published packages, writes through it and composes
// the next one. Where Node is on the machine, it composes the same.
func (d *demo) view() error {
	d.heading(d.say.view)
	packages, err := filepath.Abs(modules)
	if err != nil {
		return err
	}
	if _, err := os.Stat(packages); err != nil {
		fmt.Println(d.say.noPackages)
		return nil
	}
	source, strategy := filepath.Join(packages, "dsh-mnemon-source-runtime"), filepath.Join(packages, "dsh-mnemon-strategy-default-three-tier")
	for _, args := range [][]string{
		{"init"},
		{"plugin", "add", source},
		{"plugin", "add", strategy},
		{"turn", "begin", "--turn", "first"},
		{"view", "action", "source:runtime/mutate", "--authorize", "--input", `{"action":"add","target":"memory","content":"Orders are idempotent by their key."}`},
		{"turn", "end"},
		{"turn", "begin", "--turn", "second"},
	} {
		if err := d.showMnemon(args...); err != nil {
			return err
		}
	}
	if err := d.wake(); err != nil {
		return err
	}
	return d.sameInNode(packages)
}

// wakeLines is how much of the end of a wake is shown: what comes before is the
// Strategy's guidance, a page long.
const wakeLines = 14

func (d *demo) wake() error {
	fmt.Println("$ dsh-mnemon wake | tail")
	out, err := d.run(d.mnemon, "", "wake")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	for _, line := range lines[max(0, len(lines)-wakeLines):] {
		fmt.Println(oneLine(line, 120))
	}
	return err
}

// sameInNode compares the View's digest with that of the packages on their own
// runner.
func (d *demo) sameInNode(packages string) error {
	out, err := d.run(d.mnemon, "", "view", "show", "--json")
	if err != nil {
		return err
	}
	var view struct{ Digest string }
	if err := json.Unmarshal([]byte(out), &view); err != nil {
		return err
	}
	fmt.Printf("\ndsh-mnemon  %s\n", view.Digest)
	node, err := exec.LookPath("node")
	if err != nil {
		fmt.Println(d.say.noNode)
		return nil
	}
	script, err := filepath.Abs("scripts/demo/view.mjs")
	if err != nil {
		return err
	}
	out, err = d.run(node, "", script, packages, d.workspace)
	if err != nil {
		return err
	}
	fmt.Printf("node        %s", out)
	if strings.TrimSpace(out) != view.Digest {
		return errors.New("the digest of Node differs")
	}
	fmt.Println(d.say.equal)
	return nil
}

func (d *demo) showMnemon(args ...string) error {
	fmt.Println("$ dsh-mnemon " + strings.ReplaceAll(strings.Join(args, " "), d.packagesFolder(), "..."))
	out, err := d.run(d.mnemon, "", args...)
	fmt.Print(out)
	return err
}

// packagesFolder is cut from what is shown: it is long and says nothing.
func (d *demo) packagesFolder() string {
	folder, err := filepath.Abs(modules)
	if err != nil {
		return modules
	}
	return folder
}
