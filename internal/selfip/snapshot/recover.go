package snapshot

import (
	"cmp"
	"slices"
	"time"
)

// File is what is known of one snapshot.
type File struct {
	Name    string
	State   State     // what its marks tell, see StateOf
	ModTime time.Time // when it was last written
	Live    bool      // its session runs in another process
	Queued  bool      // a row of the queue names it, or the log of its session
	Dead    bool      // so does a row of the dead file
	Log     State     // of its session's log, if that is no older than the snapshot; None without one
}

// Recover sorts the snapshots that a start finds. take are those of killed
// sessions, to be queued and marked, newest first and limit at most; skipped are
// those beyond the limit, which wait for the next start; prune are those that
// nobody needs any more. All are names.
//
// Finished snapshots do not count towards the limit. A snapshot that is queued
// or dead, or whose log is, was taken care of, whether or not its mark was
// written: the start that queued it may have been killed in between
// (spec/selfip.md 29, W21 and W22).
func Recover(files []File, limit int) (take, skipped, prune []string) {
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b File) int {
		return cmp.Or(b.ModTime.Compare(a.ModTime), cmp.Compare(a.Name, b.Name))
	})
	for _, f := range files {
		switch {
		case f.spent():
			prune = append(prune, f.Name)
		case !f.lost():
		case len(take) < limit:
			take = append(take, f.Name)
		default:
			skipped = append(skipped, f.Name)
		}
	}
	return take, skipped, prune
}

// finished reports whether the snapshot has nothing to tell any more.
func (f File) finished() bool {
	return f.State == Finalized || f.State == Done || f.Log == Done
}

// spent reports whether nobody needs the snapshot: the log tells the same, and no
// row points here.
func (f File) spent() bool {
	return f.finished() && f.Log != None && !f.Queued && !f.Dead && !f.Live
}

// lost reports whether the session was killed and nothing remembers it. The mark
// of an earlier recovery does not save a snapshot whose row is gone.
func (f File) lost() bool {
	return !f.finished() && !f.Queued && !f.Dead && !f.Live
}
