package general

import (
	"slices"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// entry is one Source as the Strategy sees it.
type entry struct {
	key, typeID, role, availability string
	projects, resident, readOnly    bool
	raw                             *jsonvalue.Object
}

func entryOf(v any) entry {
	o, _ := v.(*jsonvalue.Object)
	e := entry{raw: o, projects: slices.Contains(texts(o, "capabilities"), "project")}
	e.key, _ = o.Text("sourceInstanceKey")
	e.typeID, _ = o.Text("sourceTypeId")
	e.role, _ = o.Text("role")
	e.availability, _ = o.Text("availability")
	return e
}

func texts(o *jsonvalue.Object, key string) []string {
	list, _ := o.Array(key)
	out := make([]string, 0, len(list))
	for _, v := range list {
		if s, ok := v.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

// proposal is a View in the making; the lists follow admitted.
type proposal struct {
	admitted        []entry
	characters      []int
	routes, actions [][]string
}

// share gives each Source that projects its part of the characters, by weight,
// and what is left over to the first ones.
func (p *proposal) share(budget int, slots *jsonvalue.Object) {
	if projection, ok := slots.Map("projection"); ok {
		most, _ := projection.Number("maxProjectionCharacters")
		budget = min(budget, int(most))
	}
	p.characters = make([]int, len(p.admitted))
	total := 0
	for _, e := range p.admitted {
		total += e.weight()
	}
	if total == 0 {
		return
	}
	left := budget
	for i, e := range p.admitted {
		p.characters[i] = budget * e.weight() / total
		left -= p.characters[i]
	}
	for i := 0; left > 0; i = (i + 1) % len(p.admitted) {
		if p.admitted[i].projects {
			p.characters[i]++
			left--
		}
	}
}

// weight is the Source's part of the characters: none if it does not project.
func (e entry) weight() int {
	switch {
	case !e.projects:
		return 0
	case e.resident:
		return residentWeight
	}
	return onDemandWeight
}

// deal gives each Source its first operation before any gets a second one.
func (p *proposal) deal(key string, most int) [][]string {
	offered := make([][]string, len(p.admitted))
	for i, e := range p.admitted {
		if key == "actionIds" && e.readOnly {
			continue
		}
		offered[i] = texts(e.raw, key)
	}
	dealt := make([][]string, len(p.admitted))
	for round := 0; most > 0; round++ {
		dealtOne := false
		for i, ids := range offered {
			if round < len(ids) && most > 0 {
				dealt[i] = append(dealt[i], ids[round])
				most--
				dealtOne = true
			}
		}
		if !dealtOne {
			break
		}
	}
	return dealt
}

// sources are the members of the proposal.
func (p *proposal) sources() []any {
	out := make([]any, len(p.admitted))
	for i, e := range p.admitted {
		o := jsonvalue.Of("sourceInstanceKey", e.key, "required", false)
		if p.characters[i] > 0 {
			o.Set("projection", jsonvalue.Of("mode", e.mode(), "maxCharacters", float64(p.characters[i])))
		}
		o.Set("routeIds", jsonvalue.Texts(p.routes[i]))
		o.Set("actionIds", jsonvalue.Texts(p.actions[i]))
		out[i] = o
	}
	return out
}

func (e entry) mode() string {
	if e.resident {
		return "eager"
	}
	return "routed"
}
