package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// sources and lines are how many native Sources a View is compiled of, and how
// many entries each has.
const sources, lines = 10, 1000

// compile measures a View of native Sources beside reading and hashing the same
// bytes, and the same again when nothing changed.
func (b *bench) compile() error {
	native := filepath.Join(b.root, "program", "native")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", native, "./scripts/bench/native")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building native: %w: %s", err, out)
	}
	files, err := b.entryFiles()
	if err != nil {
		return err
	}
	with := func(args ...string) command { return command{args: append(args, files...)} }
	cold, again := with(native), with(native, "-keep")
	first, err := b.must(cold)
	if err != nil {
		return err
	}
	if _, err := b.must(again); err != nil { // leaves what is kept
		return err
	}
	ms, err := b.multiples(b.rounds, func(int) []command { return []command{cold, again, with(b.hash...)} })
	if err != nil {
		return err
	}
	second, err := b.must(again)
	if err != nil {
		return err
	}
	what, total := fmt.Sprintf("View of %d native Sources", sources), sources*lines
	b.most(what+", cold", total, ms[0].times, 8, "x", " ("+figure(milliseconds(ms[0].cpu))+" ms)")
	b.most(what+", of reading and hashing", total, float64(ms[0].cpu)/float64(ms[2].cpu), 1.5, "x", " ("+figure(milliseconds(ms[2].cpu))+" ms)")
	b.most(what+", unchanged again", total, ms[1].times, 4, "x", " ("+figure(milliseconds(ms[1].cpu))+" ms)")
	same, verdict := bytes.Equal(first.out, second.out), "the same bytes"
	if !same {
		verdict = "other bytes"
	}
	b.check(what+", unchanged again", total, verdict, "the same", same)
	return nil
}

// entryFiles writes the entries of the Sources.
func (b *bench) entryFiles() ([]string, error) {
	var files []string
	for i := range sources {
		var text strings.Builder
		for range lines {
			line, _ := b.words.text()
			text.WriteString("- " + line + "\n")
		}
		name := filepath.Join(b.root, fmt.Sprintf("source%d.md", i))
		if err := os.WriteFile(name, []byte(text.String()), 0o600); err != nil {
			return nil, err
		}
		files = append(files, name)
	}
	return files, nil
}
