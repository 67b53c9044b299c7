package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// cache keeps what npm installed, one folder for each package and version.
type cache struct{ dir string }

// nodePackage is the Node that is installed for harnesses that need a later one
// than the machine has.
const nodePackage, nodeVersion = "node", "22.23.3"

// problemFile says why an install failed, for the report.
const problemFile = "problem.txt"

// place is the folder of a package.
func (c cache) place(name, version string) string {
	return filepath.Join(c.dir, strings.ReplaceAll(name, "/", "+")+"@"+version)
}

// bin is the program of a package.
func (c cache) bin(name, version, program string) string {
	return filepath.Join(c.place(name, version), "node_modules", ".bin", program)
}

// fetch installs the package of a case, and a Node when it needs one.
func (c cache) fetch(ctx context.Context, h harnessCase) error {
	if h.node > nodeMajor(ctx) {
		if err := c.install(ctx, harnessCase{npm: nodePackage, version: nodeVersion, program: "node"}); err != nil {
			return err
		}
	}
	return c.install(ctx, h)
}

// nodeMajor is the major version of the machine's Node, 0 when it has none.
func nodeMajor(ctx context.Context) int {
	out, err := exec.CommandContext(ctx, "node", "--version").Output()
	if err != nil {
		return 0
	}
	major, _, _ := strings.Cut(strings.TrimPrefix(string(out), "v"), ".")
	n, _ := strconv.Atoi(major)
	return n
}

// install puts one version of a package into its folder, unless it is there.
func (c cache) install(ctx context.Context, h harnessCase) error {
	if _, err := os.Stat(c.bin(h.npm, h.version, h.program)); err == nil {
		return nil
	}
	dir := c.place(h.npm, h.version)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	manifest, err := json.Marshal(map[string]any{"private": true, "overrides": h.pins})
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "package.json"), manifest, 0o644); err != nil {
		return err
	}
	fmt.Printf("npm: installing %s@%s\n", h.npm, h.version)
	ctx, cancel := context.WithTimeout(ctx, installTime)
	defer cancel()
	args := []string{"install", "--legacy-peer-deps", "--no-audit", "--no-fund", "--loglevel=error", h.npm + "@" + h.version}
	cmd := exec.CommandContext(ctx, "npm", append(args, h.peers...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("npm: %w: %s", err, firstLines(string(out), 3))
		return errors.Join(err, os.WriteFile(filepath.Join(dir, problemFile), []byte(err.Error()), 0o644))
	}
	_ = os.Remove(filepath.Join(dir, problemFile))
	return nil
}

// ready tells why a case cannot run, nil when it can.
func (c cache) ready(h harnessCase) error {
	if _, err := os.Stat(c.bin(h.npm, h.version, h.program)); err == nil {
		return nil
	}
	if said, err := os.ReadFile(filepath.Join(c.place(h.npm, h.version), problemFile)); err == nil {
		return errors.New(string(said))
	}
	return fmt.Errorf("%s@%s is not installed", h.npm, h.version)
}

// firstLines keeps the beginning of a text.
func firstLines(s string, n int) string {
	lines := strings.SplitN(strings.TrimSpace(s), "\n", n+1)
	return strings.Join(lines[:min(n, len(lines))], " / ")
}
