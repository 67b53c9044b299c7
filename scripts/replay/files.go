package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

const goldenSuffix = ".golden.json"

func name(file string) string { return strings.TrimSuffix(filepath.Base(file), ".json") }

func goldenOf(file string) string { return strings.TrimSuffix(file, ".json") + goldenSuffix }

// scenarios are the files that the paths name, in their order.
func scenarios(paths []string) ([]string, error) {
	var files []string
	for _, path := range paths {
		path, err := filepath.Abs(path)
		if err != nil {
			return nil, err
		}
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			files = append(files, path)
			continue
		}
		found, err := played(path)
		if err != nil {
			return nil, err
		}
		files = append(files, found...)
	}
	return files, nil
}

// played are the scenarios of a folder: what has an answer beside it, and what
// should have one.
func played(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, e := range entries {
		file := filepath.Join(dir, e.Name())
		if e.IsDir() || !strings.HasSuffix(file, ".json") || strings.HasSuffix(file, goldenSuffix) {
			continue
		}
		if _, err := os.Stat(goldenOf(file)); err == nil || hasSteps(file) {
			files = append(files, file)
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: no scenario", dir)
	}
	return files, nil
}

// hasSteps tells a scenario from other JSON.
func hasSteps(file string) bool {
	text, err := os.ReadFile(file)
	if err != nil {
		return false
	}
	v, err := jsonvalue.Parse(text)
	if err != nil {
		return false
	}
	o, ok := jsonvalue.Map(v)
	if !ok {
		return false
	}
	_, ok = o.Array("steps")
	return ok
}

// root is the folder of this repository.
func root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		above := filepath.Dir(dir)
		if above == dir {
			return "", errors.New("run it from within the repository")
		}
		dir = above
	}
}

// expected is the answer that a scenario should give. Where a newer rule has
// replaced the recorded one, it is ours.
func (p *player) expected(file string) ([]byte, error) {
	golden, err := os.ReadFile(goldenOf(file))
	if err != nil {
		return nil, err
	}
	newer, err := os.ReadFile(filepath.Join(p.root, "testdata", "newer", name(file)+goldenSuffix))
	if errors.Is(err, fs.ErrNotExist) {
		return golden, nil
	}
	if err != nil {
		return nil, err
	}
	old, err := os.ReadFile(filepath.Join(p.oracle, "scenarios", name(file)+goldenSuffix))
	if err != nil || !bytes.Equal(old, golden) {
		return golden, nil // another recording of that name
	}
	return newer, nil
}
