package selfip

import (
	"path"

	"github.com/dshkit/dshkit/internal/selfip/catalog"
)

// Count is how many live entries the four partitions of a library have. Those
// of the archive are counted apart.
type Count struct {
	Partitions map[string]int // by name: facts, lessons, methods, resources
	Live       int
	Withdrawn  int
	Archived   int
	Damage     []Damage
}

// Count reads the counts of the library at base, also of one that is not in use.
func (m *Memory) Count(lib *Library) Count {
	out := Count{Partitions: map[string]int{}}
	if lib == nil {
		return out
	}
	now := m.Now()
	v := lib.live(now)
	seen := map[uint64]bool{} // an entry that came back from the archive has left a line there
	for _, r := range v.all() {
		if r.Has(catalog.Withdrawn) {
			out.Withdrawn++
			continue
		}
		seen[r.Key] = true
		out.Live++
		out.Partitions[Partitions[r.Source].Name]++
	}
	out.Damage = v.damage()
	if a, err := lib.archived(now); a != nil && err == nil {
		defer a.close()
		for _, r := range a.rows() {
			if !r.Has(catalog.Withdrawn) && !seen[r.Key] {
				seen[r.Key] = true
				out.Archived++
			}
		}
	}
	return out
}

// MemoryDir is where the entries of a library are.
func (l *Library) MemoryDir() string { return l.Path(path.Dir(Partitions[0].File)) }

// QuarantineDir is the folder of the texts that were set aside, absolute.
func (l *Library) QuarantineDir() string { return l.Path(quarantineDir) }

// Damaged returns the places in the libraries that are read which could not be
// read.
func (m *Memory) Damaged() []Damage {
	var out []Damage
	for _, lib := range m.readable() {
		out = append(out, lib.live(m.Now()).damage()...)
	}
	return out
}
