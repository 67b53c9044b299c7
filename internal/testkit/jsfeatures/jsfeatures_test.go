package jsfeatures_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/dshkit/dshkit/internal/testkit"
	"github.com/dshkit/dshkit/internal/testkit/jsfeatures"
)

// TestPageIsUpToDate asks scripts again what they find; UPDATE=1 writes the page.
func TestPageIsUpToDate(t *testing.T) {
	root := testkit.Root(t)
	page, err := jsfeatures.Page(root)
	if err != nil {
		t.Fatal(err)
	}
	testkit.Golden(t, filepath.Join(root, jsfeatures.Path), page)
	if n := strings.Count(string(page), "| yes"); n < 75 {
		t.Errorf("only %d features are there", n)
	}
	for line := range strings.Lines(string(page)) {
		if strings.HasSuffix(line, "| yes | **wrong** |\n") || strings.HasSuffix(line, "| yes | no |\n") {
			t.Errorf("the engine has it and a script here has not: %s", line)
		}
	}
}
