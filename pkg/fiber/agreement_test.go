package fiber_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestAgreement plays scripts of which the published kernel (4.0.4) has shown
// what happens, line by line: testdata/agreement/scripts.jsonl and log.jsonl,
// made by record.mjs. With CORDIS set to the folder of that package, and node at
// hand, it runs the published kernel again and compares with that.
func TestAgreement(t *testing.T) {
	scripts := read(t, "scripts.jsonl")
	logs := read(t, "log.jsonl")
	if home := os.Getenv("CORDIS"); home != "" {
		logs = record(t, scripts)
		if os.Getenv("RECORD") != "" {
			write(t, "log.jsonl", logs)
		}
	}
	if len(scripts) == 0 {
		t.Fatal("no scripts")
	}
	compare(t, scripts, logs)
}

// compare plays scripts and compares with logs.
func compare(t *testing.T, scripts, logs [][]byte) {
	t.Helper()
	if len(scripts) != len(logs) {
		t.Fatalf("%d scripts, %d logs", len(scripts), len(logs))
	}
	for i, line := range scripts {
		var s script
		var want []string
		decode(t, line, &s)
		decode(t, logs[i], &want)
		if diff := cmp.Diff(settled(want), settled(play(t, s))); diff != "" {
			t.Errorf("script %d (-published +ours):\n%s\n%s", i+1, line, diff)
		}
	}
}

// settled moves errors that were logged to the end of their step: that they are
// logged is promised, not when.
func settled(log []string) []string {
	var out, late []string
	for _, line := range log {
		switch {
		case strings.HasPrefix(line, "log "):
			late = append(late, line)
			continue
		case line == "--":
			out, late = append(out, late...), nil
		}
		out = append(out, line)
	}
	return append(out, late...)
}

// record runs scripts on the published kernel.
func record(t *testing.T, scripts [][]byte) [][]byte {
	t.Helper()
	cmd := exec.Command("node", filepath.Join("testdata", "agreement", "record.mjs"))
	cmd.Stdin = bytes.NewReader(append(bytes.Join(scripts, []byte("\n")), '\n'))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return lines(t, out)
}

func read(t *testing.T, name string) [][]byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "agreement", name))
	if err != nil {
		t.Fatal(err)
	}
	return lines(t, b)
}

func write(t *testing.T, name string, list [][]byte) {
	t.Helper()
	b := append(bytes.Join(list, []byte("\n")), '\n')
	if err := os.WriteFile(filepath.Join("testdata", "agreement", name), b, 0o644); err != nil {
		t.Fatal(err)
	}
}

func lines(t *testing.T, b []byte) [][]byte {
	t.Helper()
	var list [][]byte
	sc := bufio.NewScanner(bytes.NewReader(b))
	sc.Buffer(nil, 1<<24)
	for sc.Scan() {
		list = append(list, bytes.Clone(sc.Bytes()))
	}
	return list
}

func decode(t *testing.T, b []byte, v any) {
	t.Helper()
	if err := json.Unmarshal(b, v); err != nil {
		t.Fatalf("%v in %s", err, b)
	}
}

// TestLive draws scripts and plays them on both kernels. It needs CORDIS; what
// it draws for is in scripts.jsonl too, a hundred of them.
func TestLive(t *testing.T) {
	if os.Getenv("CORDIS") == "" {
		t.Log("CORDIS is not set: TestAgreement holds ours against what was recorded")
		return
	}
	gen := rapid.Custom(scripts)
	seed, _ := strconv.Atoi(os.Getenv("SEED"))
	var list [][]byte
	for i := range 300 {
		b, err := json.Marshal(gen.Example(seed + i))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, b)
	}
	compare(t, list, record(t, list))
}
