package selfipcmd_test

import (
	"os"
	"path/filepath"
	"testing"
)

// TestWithoutAHome runs where nobody knows the user's home: what would lie there
// goes nowhere, least of all into the folder that happens to be the current one.
func TestWithoutAHome(t *testing.T) {
	b := newBox(t)
	here := t.TempDir()
	t.Chdir(here)
	b.vars["HOME"] = ""
	if err := os.RemoveAll(filepath.Join(b.ws, "self-improvement")); err != nil {
		t.Fatal(err)
	}
	lay(t, filepath.Join(b.ws, "self-improvement"), "a file in the place of the library")
	b.feed(jsonLine(t, b.event("s1", "UserPromptSubmit", "prompt", "begin")), "hook", "claude-code")
	b.run("status")
	b.run("doctor")
	if left, _ := os.ReadDir(here); len(left) > 0 {
		t.Errorf("left in the current folder: %v", left)
	}
}
