package gate_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/cordis/gate"
	"github.com/dshkit/dshkit/pkg/fault"
)

// Of all sample halves those are refused that the reference refuses, and the one
// that closes its wrapper there; each in the line of the recorded result without
// the wrapper, with its hint. CR-W19, CR-S11
func TestSamples(t *testing.T) {
	files, err := filepath.Glob("../../../testdata/cordis-samples/*/*.js")
	if err != nil || len(files) != 106 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	type seen struct {
		Half string
		Line int
		Hint string
	}
	got := map[string]seen{}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		half := gate.Host
		if strings.HasSuffix(name, "client.js") {
			half = gate.Client
		}
		if f, ok := errors.AsType[*fault.Error](gate.Check(half, string(text))); ok {
			if f.Code != gate.Code || f.Kind != fault.Usage {
				t.Errorf("%s: %v", name, f)
			}
			got[filepath.Base(filepath.Dir(name))[:2]+"/"+filepath.Base(name)] = seen{f.Args[0].(string), f.Args[1].(int), f.Args[3].(string)}
		}
	}
	want := map[string]seen{
		"10/escape.host.js":        {"code.host", 2, "function-body"},
		"12/balance.host.js":       {"code.host", 5, "function-body"},
		"12/decorator.host.js":     {"code.host", 1, "function-body"},
		"12/export.host.js":        {"code.host", 2, "function-body"},
		"12/host.js":               {"code.host", 1, "function-body"},
		"12/jsx.client.js":         {"code.client", 3, "function-body"},
		"12/ts-annotation.host.js": {"code.host", 1, "function-body"},
		"12/ts-as.host.js":         {"code.host", 1, "typescript"},
		"12/unterminated.host.js":  {"code.host", 1, "function-body"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("refused (-want +got)\n%s", diff)
	}
}

func report(t *testing.T, src string) string {
	t.Helper()
	r, ok := errors.AsType[*gate.Report](gate.Check(gate.Host, src))
	if !ok {
		t.Fatalf("%q passes", src)
	}
	return r.Error()
}

// The word as on another line is prose; the report shows line and caret. CR-S12
func TestReport(t *testing.T) {
	const body = "\n\nA half is the body of an async function in plain JavaScript: without import and export, JSX and types. Check that every bracket is closed, and closed once: an object that is returned ends with } and not with });"
	for src, want := range map[string]string{
		"const note = 'treat this as text'\nreturn {\n});": "code.host does not parse, line 3, column 2:\n});\n ^\nSyntaxError: Expected \";\" but found \")\"" + body,
		"return {\n\tname: '世界' b,\n}":                     "code.host does not parse, line 2, column 13:\n\tname: '世界' b,\n\t             ^\nSyntaxError: Expected \"}\" but found \"b\"" + body,
	} {
		if diff := cmp.Diff(want, report(t, src)); diff != "" {
			t.Errorf("%q (-want +got)\n%s", src, diff)
		}
	}
	if text := report(t, "const a = b as c"); !strings.Contains(text, "\n            ^^\n") || !strings.Contains(text, "not TypeScript") {
		t.Errorf("it says %s", text)
	}
	if text := report(t, "const alas = = basset"); strings.Contains(text, "TypeScript") {
		t.Errorf("a word that holds as is not as: %s", text)
	}
}

// CR-S13, CR-S14
func TestThrown(t *testing.T) {
	want := "code.host does not parse\nmade as by hand\n\nA half is the body of an async function in plain JavaScript: without import and export, JSX and types. Check that every bracket is closed, and closed once: an object that is returned ends with } and not with });"
	if diff := cmp.Diff(want, gate.Thrown(gate.Host, "made as by hand").Error()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
