package replay

import (
	"context"
	"os"
	"path/filepath"
)

// Check plays a sample and lists where it comes out otherwise than it should. A
// sample that could not be played is an error.
func Check(ctx context.Context, o Options, goldens string, s Sample) ([]Mismatch, error) {
	golden, err := Golden(goldens, s.Name)
	if err != nil {
		return nil, err
	}
	want, err := Expected(s.Name, golden, Differences())
	if err != nil {
		return nil, err
	}
	var found []Mismatch
	for range s.attempts() {
		got, err := Play(ctx, o, s)
		if err != nil {
			return nil, err
		}
		if found = Unmeant(want, got, Compare(want, got)); len(found) == 0 {
			break
		}
	}
	return found, nil
}

// attempts is how often a sample is played until it comes out as it should. One
// that tells time, by timers of its own that run against those of the scenario,
// may come out otherwise on a busy machine; what is wrong is wrong each time.
func (s Sample) attempts() int {
	for _, step := range s.Steps {
		switch text(step, "do") {
		case "wait", "join":
			return 3
		}
	}
	return 1
}

// Goldens finds the recordings of the samples of a folder: beside it, or those of
// the repository.
func Goldens(samples, repository string) string {
	for _, dir := range []string{filepath.Join(samples, "golden"), filepath.Join(filepath.Dir(samples), "golden")} {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			return dir
		}
	}
	return filepath.Join(repository, "testdata", "oracle", "cordis", "golden")
}
