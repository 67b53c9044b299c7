package filestore

import (
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/dshkit/dshkit/pkg/fault"
)

// plan is what a dry run would have written. A nil plan is that of a real run
// and holds nothing.
type plan struct {
	mu    sync.Mutex
	files map[string][]byte // by name; nil: removed
}

// Planned returns the names of the files that a dry run would have changed,
// sorted; none when this is no dry run.
func (d *Dir) Planned() []string {
	if d.plan == nil {
		return nil
	}
	d.plan.mu.Lock()
	defer d.plan.mu.Unlock()
	return slices.Sorted(maps.Keys(d.plan.files))
}

// read returns a copy of the planned contents of a file, if a change is planned.
func (p *plan) read(name, path string) (data []byte, planned bool, err error) {
	if p == nil {
		return nil, false, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	data, planned = p.files[name]
	if planned && data == nil {
		return nil, true, fault.New(fault.NotFound, codeMissing, path).Because(fs.ErrNotExist)
	}
	return slices.Clone(data), planned, nil
}

// write plans that the named file has these contents; nil removes it.
func (p *plan) write(name string, data []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.files[name] = slices.Clone(data)
}

// list brings the names on disk below prefix to what is planned.
func (p *plan) list(prefix string, names []string) []string {
	if p == nil {
		return names
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	set := make(map[string]bool, len(names))
	for _, n := range names {
		set[n] = true
	}
	for name, data := range p.files {
		rest, below := strings.CutPrefix(name, prefix)
		if !below {
			continue
		}
		if i := strings.IndexByte(rest, '/'); i >= 0 {
			rest = rest[:i+1]
		}
		if data != nil {
			set[rest] = true
		} else if !strings.HasSuffix(rest, "/") {
			delete(set, rest)
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// The changes of a transaction, in a dry run. They fail where the real ones
// would for a reason that can be seen by reading.

func (tx *Tx) planAppend(name string, data []byte) error {
	old, err := tx.readOrNil(name)
	if err != nil {
		return err
	}
	tx.dir.plan.write(name, append(append(old, gapAfter(old, data)...), data...))
	return nil
}

func (tx *Tx) planReplace(name string, data []byte, exclusive bool) error {
	old, err := tx.readOrNil(name)
	if err != nil && fault.CodeOf(err) != codeTooLarge {
		return err
	}
	if exclusive && (old != nil || err != nil) {
		return fault.New(fault.Conflict, codeExists, tx.dir.Path(name)).Because(fs.ErrExist)
	}
	if data == nil {
		data = []byte{}
	}
	tx.dir.plan.write(name, data)
	return nil
}

func (tx *Tx) planPatch(name string, pieces []Piece) error {
	data, err := tx.dir.Read(name)
	if err != nil {
		return err
	}
	for _, p := range pieces {
		if p.At < 0 || p.At+int64(len(p.Data)) > int64(len(data)) {
			return fault.New(fault.Conflict, codeChanged, tx.dir.Path(name))
		}
		copy(data[p.At:], p.Data)
	}
	tx.dir.plan.write(name, data)
	return nil
}

func (tx *Tx) planRemove(name string) error {
	if _, err := tx.dir.Stat(name); err != nil {
		return err
	}
	tx.dir.plan.write(name, nil)
	return nil
}
