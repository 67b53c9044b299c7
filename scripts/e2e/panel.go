package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"os/exec"
	"path/filepath"
)

// panelScript drives a browser.
//
//go:embed panel.mjs
var panelScript string

// panelBrowser looks at `selfip panel` with a real browser: the Chromium of the
// machine, driven by a library from npm.
func panelBrowser() harnessCase {
	return harnessCase{
		name: "panel", npm: "playwright-core", version: "1.65.1", program: "playwright-core", node: 20,
		setup: func(*world) error { return nil },
		play:  look,
	}
}

// chromium is the browser of this machine.
func chromium() (string, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("no Chromium on the path (apt-get install chromium)")
}

func look(ctx context.Context, w *world, r *result) error {
	browser, err := chromium()
	if err != nil {
		r.missing = err.Error()
		return nil
	}
	if _, err := w.selfip(ctx, "remember", "<img src=x onerror=alert(1)><script>alert(2)</script>"); err != nil {
		return err
	}
	script := filepath.Join(w.root, "panel.mjs")
	if err := w.lay(script, panelScript); err != nil {
		return err
	}
	library := filepath.Join(filepath.Dir(filepath.Dir(w.program)), "playwright-core")
	out, err := w.run(ctx, []string{"SELFIP_BACKGROUND=false"}, "node", script, library, browser, w.binary)
	if err != nil {
		return err
	}
	var checks []struct {
		What, Said string
		OK         bool
	}
	if err := json.Unmarshal([]byte(lastLines(out, 1)), &checks); err != nil {
		return err
	}
	for _, c := range checks {
		r.check(c.What, want(c.OK, nil, "%s", c.Said))
	}
	return want(len(checks) > 15, nil, "%d checks", len(checks))
}
