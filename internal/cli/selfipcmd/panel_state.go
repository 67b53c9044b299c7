package selfipcmd

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/gate"
	"github.com/dshkit/dshkit/internal/selfip/state"
	"github.com/dshkit/dshkit/pkg/text"
)

// Lengths of what a panel shows, in UTF-16 code units, and how many entries of a
// section it lists (spec/selfip.md 27.5). Counts are of the whole library (W41).
const (
	panelText     = 240
	panelFree     = 700
	panelHandoff  = 400
	panelSection  = 40
	panelAddition = 400
)

// PanelJSON is what the panel shows (spec/selfip.md 27.5).
type PanelJSON struct {
	OK          bool   `json:"ok"`
	CWD         string `json:"cwd"` // the workspace
	GlobalDir   string `json:"globalDir"`
	Scope       string `json:"scope"`
	ScopeLabel  string `json:"scopeLabel"`
	AutoPromote bool   `json:"autoPromote"`

	Workspace *PanelLibraryJSON `json:"workspace"`
	Global    *PanelLibraryJSON `json:"global"`

	EffectiveIsGlobal bool              `json:"effectiveIsGlobal"`
	EffectiveLabel    string            `json:"effectiveLabel"`
	Effective         *PanelLibraryJSON `json:"effective"` // the library that is written

	Counts        map[string]int `json:"counts"` // of the library in effect, by section
	TotalEntries  int            `json:"totalEntries"`
	GlobalEntries int            `json:"globalEntries"`

	Pending    int             `json:"pending"` // rows of the queue
	SleptAt    *string         `json:"sleptAt"`
	Cost       json.RawMessage `json:"cost"`
	Handoff    string          `json:"handoff"` // one line
	Proposals  []ProposalJSON  `json:"proposals"`
	Candidates []CandidateJSON `json:"candidates"` // entries that wait for the user's word
	Elsewhere  []any           `json:"proposalsElsewhere"`
	Diag       string          `json:"diag"` // how the scope was found
	Stamp      string          `json:"stamp"`
}

// PanelLibraryJSON is one library.
type PanelLibraryJSON struct {
	Label     string             `json:"label"`
	Dir       string             `json:"dir"` // the base: the library is its folder self-improvement
	Sections  []PanelSectionJSON `json:"sections"`
	Proposals []ProposalJSON     `json:"proposals"`
	Live      int                `json:"live"`
}

// PanelSectionJSON is a partition, or principles and hypotheses.
type PanelSectionJSON struct {
	Key      string           `json:"key"`
	Title    string           `json:"title"`
	Entries  []PanelEntryJSON `json:"entries"` // the heaviest
	Count    int              `json:"count"`   // of all
	Freeform string           `json:"freeform"`
}

// PanelEntryJSON is one entry.
type PanelEntryJSON struct {
	ID    string     `json:"id"`
	At    string     `json:"at"`
	Kind  entry.Kind `json:"kind"`
	Text  string     `json:"text"`
	Marks []string   `json:"marks"` // in words
}

// section is a partition as the panel names it.
type section struct {
	key, partition string
	kind           entry.Kind // of what is added
}

// sections are what the panel shows, in its order; principles and hypotheses
// behind them are no partitions.
var sections = [...]section{
	{"FACTS", "facts", entry.Fact},
	{"LESSONS", "lessons", entry.Lesson},
	{"METHODS", "methods", entry.Method},
	{"RESOURCES", "resources", entry.Resource},
}

// panelState looks at everything that a panel shows.
func (v visit) panelState() (PanelJSON, error) {
	m, s := v.memory, v.settings
	out := PanelJSON{
		OK: true, CWD: v.workspace.Root, GlobalDir: s.GlobalDir, Scope: s.Scope, ScopeLabel: v.env.Say("scope-meaning-" + s.Scope),
		AutoPromote: s.AutoPromote, Cost: json.RawMessage("null"), Diag: originPhrase(v.env.Writer(), s.Origin("scope")), Stamp: m.Pulse(),
		Elsewhere: []any{},
	}
	listed, err := m.ListBoth(entry.Entry.Live)
	if err != nil {
		return out, err
	}
	out.Workspace = v.panelLibrary(m.Workspace, v.workspace.Root, listed)
	out.Global = v.panelLibrary(m.Global, s.GlobalDir, listed)
	out.Effective, out.EffectiveLabel = out.Workspace, v.env.Say("panel-workspace")
	if lib := m.Effective(); lib != nil && lib == m.Global {
		out.EffectiveIsGlobal, out.Effective, out.EffectiveLabel = true, out.Global, v.env.Say("panel-global")
	}
	out.Counts = map[string]int{}
	if out.Effective != nil {
		for _, section := range out.Effective.Sections {
			out.Counts[section.Key] = section.Count
		}
		out.TotalEntries = out.Effective.Live
	}
	if out.Global != nil {
		out.GlobalEntries = out.Global.Live
	}
	return out, v.panelWork(&out)
}

// panelWork adds what is of the workspace whatever the scope: queue, hand-off,
// proposals (W26).
func (v visit) panelWork(out *PanelJSON) error {
	m := v.memory
	if m.Workspace == nil {
		return nil
	}
	queue, err := m.Queue()
	if err != nil {
		return err
	}
	waiting, err := waitingProposals(m, false)
	if err != nil {
		return err
	}
	out.Pending = len(queue.Waiting)
	out.Handoff = text.Ellipsize(text.OneLine(m.Handoff().Text), panelHandoff)
	out.Proposals, out.Candidates = proposalsJSON(waiting.waiting), candidatesJSON(waiting.candidates)
	if st, err := m.Workspace.State(); err == nil {
		out.Cost = rawOrNull(st, state.Cost)
		var store StoreJSON
		store.counters(st)
		out.SleptAt = store.SleptAt
	}
	return nil
}

func (v visit) panelLibrary(lib *selfip.Library, dir string, listed []selfip.Listing) *PanelLibraryJSON {
	if lib == nil {
		return nil
	}
	count := v.memory.Count(lib)
	out := &PanelLibraryJSON{Label: string(lib.Label), Dir: dir, Live: count.Live, Sections: []PanelSectionJSON{}, Proposals: []ProposalJSON{}}
	i := slices.IndexFunc(listed, func(l selfip.Listing) bool { return l.Library == lib.Label })
	for _, section := range sections {
		s := PanelSectionJSON{Key: section.key, Title: v.env.Say("panel-section-" + section.partition), Count: count.Partitions[section.partition]}
		if i >= 0 {
			s.Entries = v.panelEntries(listed[i].Entries, section.partition)
		}
		if s.Count > 0 {
			out.Sections = append(out.Sections, s)
		}
	}
	for _, free := range [][2]string{{"principles", lib.Principles()}, {"hypotheses", lib.Hypotheses()}} {
		if s := strings.TrimSpace(free[1]); s != "" {
			out.Sections = append(out.Sections, PanelSectionJSON{
				Key: strings.ToUpper(free[0]), Title: v.env.Say("panel-section-" + free[0]), Count: bullets(s),
				Freeform: text.Ellipsize(s, panelFree), Entries: []PanelEntryJSON{},
			})
		}
	}
	return out
}

// bullets counts the lines of a list.
func bullets(s string) int {
	n := 0
	for line := range strings.Lines(s) {
		if strings.HasPrefix(strings.TrimSpace(line), "- ") {
			n++
		}
	}
	return n
}

// panelEntries are the heaviest entries of a partition.
func (v visit) panelEntries(all []selfip.Entry, partition string) []PanelEntryJSON {
	i := slices.IndexFunc(selfip.Partitions[:], func(p selfip.Partition) bool { return p.Name == partition })
	now := v.memory.Now()
	type weighed struct {
		selfip.Entry
		score float64
	}
	var own []weighed
	for _, e := range all {
		if e.File == selfip.Partitions[i].File {
			w, _ := e.Entry.Weigh(now)
			own = append(own, weighed{e, w.Score()})
		}
	}
	slices.SortStableFunc(own, func(a, b weighed) int { return cmp.Compare(b.score, a.score) })
	out := []PanelEntryJSON{}
	for _, e := range own[:min(len(own), panelSection)] {
		out = append(out, v.panelEntry(e.Entry))
	}
	return out
}

func (v visit) panelEntry(e selfip.Entry) PanelEntryJSON {
	out := PanelEntryJSON{ID: e.ID, At: e.Entry.Stamp, Kind: e.Kind, Text: text.Ellipsize(e.Text, panelText), Marks: []string{}}
	for _, mark := range marks(selfip.Hit{Entry: e, Trust: e.Entry.Trust(), Expired: e.Entry.Expired(v.memory.Now())}) {
		out.Marks = append(out.Marks, v.env.Say("mark-"+mark))
	}
	if _, verdict := gate.Entry(e.Entry); verdict.Poison != nil {
		out.Marks = append(out.Marks, v.env.Say("panel-blocked"))
	}
	if at, ok := entry.ParseTime(e.Entry.Stamp, v.memory.Now().Location()); ok {
		out.At = entry.Stamp(at.In(v.memory.Now().Location()))
	}
	return out
}
