// Package jsfeatures asks scripts what they find: on bare goja, and in the world
// that this module gives them. It writes the answers into docs/javascript.md.
package jsfeatures

import (
	"bytes"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Path is the page, seen from the root of the repository.
const Path = "docs/javascript.md"

//go:embed probes.txt
var probesText string

// The parts between these lines of the page are written by Page.
const (
	begin = "<!-- written by scripts/features: %s -->\n"
	end   = "<!-- end of %s -->\n"
)

// Page returns the page with its tables as they are now. Root is the root of the
// repository.
func Page(root string) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(root, Path))
	if err != nil {
		return nil, err
	}
	w, err := newWorld()
	if err != nil {
		return nil, err
	}
	defer w.close()
	parts := []struct {
		name string
		make func(*world) (string, error)
	}{{"features", features}, {"globals", globals}, {"modules", modules}}
	for _, part := range parts {
		content, err := part.make(w)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", part.name, err)
		}
		if text, err = replace(text, part.name, content); err != nil {
			return nil, err
		}
	}
	return text, nil
}

// replace puts content between the two lines of a part.
func replace(page []byte, name, content string) ([]byte, error) {
	before, rest, ok := bytes.Cut(page, fmt.Appendf(nil, begin, name))
	_, after, closed := bytes.Cut(rest, fmt.Appendf(nil, end, name))
	if !ok || !closed {
		return nil, fmt.Errorf("%s has no place for the part %s", Path, name)
	}
	var out bytes.Buffer
	out.Write(before)
	fmt.Fprintf(&out, begin, name)
	fmt.Fprintf(&out, "\n%s\n", strings.TrimSpace(content))
	fmt.Fprintf(&out, "\n"+end, name)
	out.Write(after)
	return out.Bytes(), nil
}

// probe is one row of a table.
type probe struct {
	group, name, note string
	module            string // extension of a file of its own; else the body of a function
	code              string
}

func parseProbes(text string) []probe {
	var list []probe
	group := ""
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "# "):
		case strings.HasPrefix(line, "== "):
			group = strings.TrimSpace(line[3:])
		case strings.HasPrefix(line, "-- "):
			list = append(list, probe{group: group, name: strings.TrimSpace(line[3:])})
		case len(list) == 0:
		default:
			list[len(list)-1].add(line)
		}
	}
	return list
}

func (p *probe) add(line string) {
	switch note, isNote := strings.CutPrefix(line, "note "); {
	case isNote && p.code == "":
		p.note = strings.TrimSpace(note)
	case line == "module\n" && p.code == "":
		p.module = ".mjs"
	case line == "module cjs\n" && p.code == "":
		p.module = ".cjs"
	default:
		p.code += line
	}
}

// body is the probe as an expression.
func (p probe) body() string {
	if strings.Contains(p.code, "await ") {
		return "(async function () {\n" + p.code + "})()"
	}
	return "(function () {\n" + p.code + "})()"
}

func features(w *world) (string, error) {
	var out strings.Builder
	group := ""
	for _, p := range parseProbes(probesText) {
		if p.group != group {
			group = p.group
			fmt.Fprintf(&out, "\n### %s\n\n| | bare goja | here |\n| --- | --- | --- |\n", group)
		}
		here, err := w.here(p)
		if err != nil {
			return "", fmt.Errorf("%s: %w", p.name, err)
		}
		if here == yes && p.note != "" {
			here += "; " + p.note
		}
		fmt.Fprintf(&out, "| %s | %s | %s |\n", p.name, bare(p), here)
	}
	return out.String(), nil
}
