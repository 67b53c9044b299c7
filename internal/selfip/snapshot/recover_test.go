package snapshot_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/snapshot"
	"pgregory.net/rapid"
)

// fixture10 lists the snapshots of the fixture; a later name is a newer file.
func fixture10(t *testing.T) []snapshot.File {
	t.Helper()
	names, _ := filepath.Glob(filepath.Join(logs("10-snapshot-recovery"), "partial-*.md"))
	var files []snapshot.File
	for n, name := range names {
		files = append(files, snapshot.File{
			Name:    filepath.Base(name),
			State:   snapshot.StateOf(read(t, name)),
			ModTime: now.Add(time.Duration(n) * time.Minute),
		})
	}
	if len(files) != 12 {
		t.Fatalf("%d snapshots in fixture 10, want 12", len(files))
	}
	return files
}

func TestW21FinishedSnapshotsDoNotFillTheWindow(t *testing.T) {
	take, skipped, prune := snapshot.Recover(fixture10(t), 10)
	diff(t, "take", take, []string{"partial-a12.md", "partial-a11.md", "partial-a10.md"})
	diff(t, "skipped", skipped, []string(nil))
	diff(t, "prune without logs", prune, []string(nil))
}

func TestFixture10PruneAfterLog(t *testing.T) {
	files := fixture10(t)
	for n := range 8 {
		files[n].Log = snapshot.Finalized
	}
	files[0].Queued = true // its log waits: keep the evidence
	files[1].Dead = true
	_, _, prune := snapshot.Recover(files, 10)
	slices.Sort(prune)
	diff(t, "prune", prune, []string{
		"partial-a03.md", "partial-a04.md", "partial-a05.md", "partial-a06.md", "partial-a07.md", "partial-a08.md",
	})
}

func TestW22QueuedOrDeadIsTakenCareOf(t *testing.T) {
	for name, test := range map[string]struct {
		file snapshot.File
		take bool
	}{
		"recovered and queued":                 {snapshot.File{State: snapshot.Recovered, Queued: true}, false},
		"recovered and dead":                   {snapshot.File{State: snapshot.Recovered, Dead: true}, false},
		"recovered, its row is gone":           {snapshot.File{State: snapshot.Recovered}, true},
		"open":                                 {snapshot.File{State: snapshot.Open}, true},
		"case73 killed before the mark":        {snapshot.File{State: snapshot.Open, Queued: true}, false},
		"case73 killed between log and row":    {snapshot.File{State: snapshot.Open, Log: snapshot.Finalized}, true},
		"case73 log queued, snapshot unmarked": {snapshot.File{State: snapshot.Open, Log: snapshot.Finalized, Queued: true}, false},
		"log done, snapshot unmarked":          {snapshot.File{State: snapshot.Open, Log: snapshot.Done}, false},
		"its session runs":                     {snapshot.File{State: snapshot.Open, Live: true}, false},
		"done":                                 {snapshot.File{State: snapshot.Done}, false},
		"finalized":                            {snapshot.File{State: snapshot.Finalized}, false},
	} {
		t.Run(name, func(t *testing.T) {
			take, _, _ := snapshot.Recover([]snapshot.File{test.file}, 10)
			diff(t, "taken", len(take) == 1, test.take)
		})
	}
}

func TestAU23SnapshotsOverTheLimit(t *testing.T) {
	var files []snapshot.File
	for n := range 12 {
		files = append(files, snapshot.File{
			Name: fmt.Sprintf("partial-%02d.md", n), State: snapshot.Open, ModTime: now.Add(time.Duration(n) * time.Minute),
		})
	}
	take, skipped, _ := snapshot.Recover(files, 10)
	diff(t, "taken", len(take), 10)
	diff(t, "newest first", take[0], "partial-11.md")
	t.Run("AU24", func(t *testing.T) { diff(t, "skipped", skipped, []string{"partial-01.md", "partial-00.md"}) })
}

// Every snapshot is in one list at most, nothing that is needed is pruned, the
// limit holds, and the order of the folder does not matter.
func TestRecoverProperties(t *testing.T) {
	states := []snapshot.State{snapshot.None, snapshot.Open, snapshot.Recovered, snapshot.Finalized, snapshot.Done}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 15).Draw(t, "files")
		byName := map[string]snapshot.File{}
		var files []snapshot.File
		for i := range n {
			f := snapshot.File{
				Name: fmt.Sprint(i), State: rapid.SampledFrom(states[1:]).Draw(t, "state"), Log: rapid.SampledFrom(states).Draw(t, "log"),
				Queued: rapid.Bool().Draw(t, "queued"), Dead: rapid.Bool().Draw(t, "dead"), Live: rapid.Bool().Draw(t, "live"),
				ModTime: now.Add(time.Duration(rapid.IntRange(0, 3).Draw(t, "minute")) * time.Minute),
			}
			files, byName[f.Name] = append(files, f), f
		}
		take, skipped, prune := snapshot.Recover(files, 3)
		all := slices.Concat(take, skipped, prune)
		slices.Sort(all)
		if len(take) > 3 || len(slices.Compact(all)) != len(take)+len(skipped)+len(prune) {
			t.Fatalf("take %v, skipped %v, prune %v: not disjoint or over the limit", take, skipped, prune)
		}
		for _, name := range prune {
			if f := byName[name]; f.Queued || f.Dead || f.Live || f.Log == snapshot.None {
				t.Fatalf("pruned %+v, which is needed", f)
			}
		}
		slices.Reverse(files)
		again, _, _ := snapshot.Recover(files, 3)
		if !slices.Equal(take, again) {
			t.Fatalf("take %v, of the reversed list %v", take, again)
		}
	})
}
