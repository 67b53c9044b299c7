package mnemon

import (
	"time"

	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// turnVersion is that of turn.json (docs/formats/turn.md).
const turnVersion = 1

// codeTurnVersion is: the turn is of version %d, newer than this program.
const codeTurnVersion = "turn-newer"

// format writes turn.json.
func (t *Turn) format() []byte {
	entries := []any{}
	for _, e := range t.assembly.entries {
		o := jsonvalue.Of("id", e.id, "name", e.name, "digest", e.digest)
		if e.config.Len() > 0 {
			o.Set("config", e.config)
		}
		entries = append(entries, o)
	}
	o := jsonvalue.Of("version", float64(turnVersion), "id", t.ID, "begun", stamp(t.Begun), "scenario", t.Scenario,
		"budget", t.Budget.Object(), "entries", entries)
	for _, m := range [][2]string{{"agent", t.Agent}, {"session", t.Session}, {keyStrategy, t.assembly.strategyTypeID}} {
		if m[1] != "" {
			o.Set(m[0], m[1])
		}
	}
	if t.assembly.sourceTimeoutMs != nil {
		o.Set(keyTimeout, *t.assembly.sourceTimeoutMs)
	}
	return []byte(jsonvalue.FormatIndent(o, "  ") + "\n")
}

// parse reads turn.json into t.
func (t *Turn) parse(data []byte) (err error) {
	damaged := fault.New(fault.Damaged, codeTurnFile, t.ID)
	v, err := jsonvalue.Parse(data)
	o, ok := jsonvalue.Map(v)
	if err != nil || !ok {
		return damaged.Because(err)
	}
	switch n, _ := o.Number("version"); {
	case n > turnVersion:
		return fault.New(fault.Damaged, codeTurnVersion, int(n))
	case n != turnVersion:
		return damaged
	}
	begun, _ := o.Text("begun")
	if t.Begun, err = time.Parse(time.RFC3339Nano, begun); err != nil {
		return damaged.Because(err)
	}
	t.Scenario, _ = o.Text("scenario")
	t.Agent, _ = o.Text("agent")
	t.Session, _ = o.Text("session")
	t.assembly.strategyTypeID, _ = o.Text(keyStrategy)
	if n, ok := o.Number(keyTimeout); ok {
		t.assembly.sourceTimeoutMs = &n
	}
	budget, _ := o.Map("budget")
	for key, place := range budgetPlaces(&t.Budget) {
		n, _ := budget.Number(key)
		*place = int(n)
	}
	entries, _ := o.Array("entries")
	for _, v := range entries {
		entry, ok := jsonvalue.Map(v)
		if !ok {
			return damaged
		}
		t.assembly.entries = append(t.assembly.entries, parseEntry(entry))
	}
	return nil
}

func parseEntry(o *jsonvalue.Object) (e recordedEntry) {
	e.id, _ = o.Text("id")
	e.name, _ = o.Text("name")
	e.digest, _ = o.Text("digest")
	e.config, _ = o.Map("config")
	return e
}
