package selfipcmd

import (
	"slices"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/harness"
	"github.com/dshkit/dshkit/internal/harness/install"
	"github.com/dshkit/dshkit/internal/selfip"
)

type installReport struct {
	harness harness.Harness
	remove  bool
	print   bool
	dryRun  bool
	shared  bool // of no one harness
	plans   []installPlan
	skills  []selfip.SkillChange // that went with it
}

// installPlan is the change of one file, and whether it takes ours out.
type installPlan struct {
	install.Plan
	remove bool
}

func (r installReport) refusal() error {
	for _, p := range r.plans {
		if p.Refusal != nil {
			return p.Refusal
		}
	}
	return nil
}

// InstallJSON is what install and uninstall write with --json.
type InstallJSON struct {
	OK      bool            `json:"ok"`
	Harness string          `json:"harness"`
	Files   []InstalledJSON `json:"files"`
	Skills  []SkillJSON     `json:"skills,omitempty"` // that went with it
}

// InstalledJSON is the change of one file.
type InstalledJSON struct {
	File     string             `json:"file"`
	Changed  bool               `json:"changed"`
	Created  bool               `json:"created"`
	Removed  bool               `json:"removed"`
	Entries  []install.EntryRef `json:"entries"`
	Notes    []NoteJSON         `json:"notes"`
	Fragment string             `json:"fragment,omitempty"`
	Diff     string             `json:"diff,omitempty"`
}

func (r installReport) JSON() any {
	out := InstallJSON{OK: r.refusal() == nil, Harness: string(r.harness), Files: []InstalledJSON{}}
	for _, p := range r.plans {
		row := InstalledJSON{
			File: p.File, Changed: p.Changed(), Created: p.Created, Removed: p.Remove, Entries: p.Entries, Notes: []NoteJSON{},
			Fragment: string(p.Fragment),
		}
		if row.Entries == nil {
			row.Entries = []install.EntryRef{}
		}
		if r.dryRun {
			row.Diff = install.Diff(p.Before, p.After, p.File)
		}
		for _, n := range p.Notes {
			row.Notes = append(row.Notes, NoteJSON(n))
		}
		out.Files = append(out.Files, row)
	}
	for _, c := range r.skills {
		out.Skills = append(out.Skills, SkillJSON{c.Name, c.Playbook, c.File, string(c.Fate)})
	}
	return out
}

func (r installReport) Text(w *cli.Writer) {
	for _, p := range r.plans {
		r.plan(w, p)
	}
	for _, c := range r.skills {
		writeSkill(w, c)
	}
}

func (r installReport) plan(w *cli.Writer, p installPlan) {
	switch {
	case r.print:
		w.Print(string(p.Fragment))
		return
	case p.Refusal != nil:
		if len(p.Fragment) > 0 {
			w.Say("add-by-hand", p.File)
			w.Print(string(p.Fragment))
		}
		return
	case r.dryRun && p.Changed():
		w.Print(install.Diff(p.Before, p.After, p.File))
	case r.shared:
		r.file(w, p)
	case !p.Changed() && !p.remove && len(p.Entries) == 0: // of an event that is not asked for
	case !p.Changed() && p.remove:
		w.Say("not-installed", string(r.harness), p.File)
	case !p.Changed():
		w.Say("installed-already", string(r.harness), p.File)
	case p.remove, p.Remove:
		w.Say("uninstalled", string(r.harness), p.File)
	case p.Part == install.MCPPart:
		w.Say("mcp-installed", string(r.harness), p.File)
	default:
		w.Say("installed", string(r.harness), p.File, len(p.Entries))
	}
	for _, n := range p.Notes {
		w.Say(n.Code, n.Args...)
	}
}

// file tells of a file that is of no one harness. What was never there is not
// spoken of when it goes.
func (r installReport) file(w *cli.Writer, p installPlan) {
	switch {
	case p.Changed() && p.remove:
		w.Say("file-removed", p.File)
	case p.Changed():
		w.Say("file-written", p.File)
	case !p.remove:
		w.Say("file-there", p.File)
	case r.nothing():
		w.Say("file-none", p.File)
	}
}

// nothing reports whether nothing at all was there to take out.
func (r installReport) nothing() bool {
	return !slices.ContainsFunc(r.plans, func(p installPlan) bool { return p.Changed() })
}
