package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// insideName is the word for what is not one harness but our files in any.
const insideName = "files"

// stubBinary stands in for selfip: what it does is said by a variable that the
// file of ours has to let through.
const stubBinary = `#!/bin/sh
env >"$SELFIP_E2E_DIR/env"
cat >"$SELFIP_E2E_DIR/input"
case $SELFIP_E2E in
context) echo '{"context":"what is known"}' ;;
words) echo 'no JSON' ;;
fails) echo 'trouble' >&2; exit 7 ;;
hangs) exec sleep 60 ;;
esac
`

// insideDriver plays OpenCode: it loads the plugin, gives it a prompt twice, and
// tells what was added and how long it took.
const insideDriver = `
import { Selfip } from "./plugin.mjs";
const hooks = await Selfip({ directory: process.cwd(), worktree: "/" });
const out = [];
for (let i = 0; i < 2; i++) {
  const output = { message: { id: "msg_1", sessionID: "ses_1" }, parts: [{ id: "prt_1", type: "text", text: "x".repeat(200000) }] };
  const begin = Date.now();
  let threw = false;
  try {
    await hooks["chat.message"]({ sessionID: "ses_1" }, output);
    await hooks.event({ event: { type: "session.error" } });
    await hooks["tool.execute.after"](undefined, undefined);
  } catch {
    threw = true;
  }
  out.push({ added: output.parts.slice(1).map((p) => p.text).join(), took: Date.now() - begin, threw });
}
console.log(JSON.stringify(out));
`

// insideTurn is what the driver tells of one prompt.
type insideTurn struct {
	Added string
	Took  int
	Threw bool
}

// runInside holds that a file of ours harms no harness: with a binary that
// answers, one that says something else, fails, hangs, or is not there.
func runInside(ctx context.Context, opts options) (r result) {
	r = result{name: insideName, version: "node " + fmt.Sprint(nodeMajor(ctx))}
	begin := time.Now()
	defer func() { r.took = time.Since(begin) }()
	if nodeMajor(ctx) == 0 {
		r.missing = "there is no node"
		return r
	}
	w, err := insideWorld(ctx, opts)
	if err != nil {
		r.fail("set up", err)
		return r
	}
	defer w.close(opts.keep, &r)
	for _, c := range []struct {
		how, added       string
		shortest, second int // of the first prompt, and the longest of the second, in ms
	}{
		{"context", "what is known", 0, 2000},
		{"words", "", 0, 2000},
		{"fails", "", 0, 2000},
		{"hangs", "", 4900, 500},
		{"missing", "", 0, 2000},
	} {
		turns, err := w.inside(ctx, c.how)
		switch {
		case err != nil:
		case turns[0].Threw || turns[1].Threw:
			err = fmt.Errorf("it threw: %+v", turns)
		case turns[0].Added != c.added || turns[1].Added != c.added:
			err = fmt.Errorf("it added %q and %q, want %q", turns[0].Added, turns[1].Added, c.added)
		case turns[0].Took < c.shortest || turns[0].Took > 8000 || turns[1].Took > c.second:
			err = fmt.Errorf("it took %d and %d ms", turns[0].Took, turns[1].Took)
		}
		r.check("a binary: "+c.how, err)
	}
	r.check("no key reaches the binary", w.noKey())
	return r
}

// insideWorld lays the plugin, the driver and the stand-in for the binary.
func insideWorld(ctx context.Context, opts options) (*world, error) {
	root, err := os.MkdirTemp("", "e2e-")
	if err != nil {
		return nil, err
	}
	w := &world{root: root, home: root, workspace: filepath.Join(root, "ws"), binary: opts.binary, path: os.Getenv("PATH")}
	if w.model, err = startStandIn(); err != nil {
		return nil, err
	}
	if err := w.lay(filepath.Join(w.workspace, "driver.mjs"), insideDriver); err != nil {
		return nil, err
	}
	stub := filepath.Join(w.workspace, "selfip")
	if err := w.lay(stub, stubBinary); err != nil {
		return nil, err
	}
	return w, os.Chmod(stub, 0o755)
}

// inside runs the driver with a binary that behaves so.
func (w *world) inside(ctx context.Context, how string) ([]insideTurn, error) {
	text, err := w.selfip(ctx, "install", "opencode", "--print")
	if err != nil {
		return nil, err
	}
	binary := filepath.Join(w.workspace, "selfip")
	if how == "missing" {
		binary += "-not-there"
	}
	line := regexp.MustCompile(`(?m)^const BINARY = .*$`)
	text = line.ReplaceAllLiteralString(text, "const BINARY = "+encoded(binary)+";")
	if err := w.lay(filepath.Join(w.workspace, "plugin.mjs"), text); err != nil {
		return nil, err
	}
	env := []string{"SELFIP_E2E=" + how, "SELFIP_E2E_DIR=" + w.root, "ACME_API_KEY=sk-secret-e2e"}
	out, err := w.run(ctx, env, "node", "driver.mjs")
	if err != nil {
		return nil, err
	}
	var turns []insideTurn
	if err := json.Unmarshal([]byte(out), &turns); err != nil || len(turns) != 2 {
		return nil, fmt.Errorf("the driver says %q (%w)", out, err)
	}
	return turns, nil
}

// noKey looks at the environment that the binary saw, and at its input.
func (w *world) noKey() error {
	seen, err := os.ReadFile(filepath.Join(w.root, "env"))
	if err != nil {
		return err
	}
	if strings.Contains(string(seen), "sk-secret-e2e") {
		return fmt.Errorf("it sees the environment: %s", firstLines(string(seen), 3))
	}
	input, err := os.ReadFile(filepath.Join(w.root, "input"))
	if err == nil && (len(input) > 70000 || !json.Valid(input)) {
		err = fmt.Errorf("the input has %d bytes", len(input))
	}
	return err
}
