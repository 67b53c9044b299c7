package selfip

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dshkit/dshkit/internal/selfip/gate"
	"github.com/dshkit/dshkit/internal/selfip/playbook"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/filestore"
)

// Skills remembers, with the user's own files, in which folders the playbooks of
// which workspaces are offered as skills (spec/selfip.md 26.3,
// docs/formats/skills.md).
type Skills struct {
	dir *filestore.Dir
	dry bool // nothing is written
}

// skillsFile is the name of the record in the user's folder.
const skillsFile = "skills.json"

// SkillsLock is the name of its lock, which is held while skills are written.
const SkillsLock = skillsFile + ".lock"

// OpenSkills names the record in the user's folder. It does no I/O.
func OpenSkills(dir *filestore.Dir, dry bool) *Skills { return &Skills{dir, dry} }

// skillRecord is the content of the record.
type skillRecord struct {
	Version    int           `json:"version"`
	Workspaces []offeredFrom `json:"workspaces"`
}

// offeredFrom is a workspace whose playbooks are offered.
type offeredFrom struct {
	Root    string         `json:"root"`
	Folders []SkillFolder  `json:"folders"`
	Skills  []offeredSkill `json:"skills"`
}

// SkillFolder is a folder of skills. One that belongs to a harness goes with it.
type SkillFolder struct {
	Path     string   `json:"path"`                // absolute
	Harness  []string `json:"harnesses,omitempty"` // that read it; none: the user has named it
	Confined bool     `json:"confined,omitempty"`  // links may not lead out of the workspace
}

// offeredSkill is a file that was written.
type offeredSkill struct {
	File string `json:"file"` // absolute
	Hash string `json:"hash"` // of its content
}

// SkillFate says what became of a skill.
type SkillFate string

// The fates.
const (
	SkillWritten SkillFate = "written"
	SkillSame    SkillFate = "same"    // it says this already
	SkillRemoved SkillFate = "removed" // its playbook, or its folder, is not offered any more
	SkillForeign SkillFate = "foreign" // a file that is not ours stands there: left alone
	SkillEdited  SkillFate = "edited"  // ours, changed by hand since: left alone
	SkillUnsafe  SkillFate = "unsafe"  // the name of the playbook cannot be shown to an agent
)

// SkillChange is what became of one skill.
type SkillChange struct {
	Name     string
	Playbook string // its file; "" of one that is gone
	File     string // absolute
	Fate     SkillFate
}

// Offer has the playbooks of the workspace offered as skills in more folders from
// now on, and brings all of its skills up to date.
func (m *Memory) Offer(ctx context.Context, folders []SkillFolder) ([]SkillChange, error) {
	return m.offer(ctx, func(w *offeredFrom) {
		for _, f := range folders {
			i := slices.IndexFunc(w.Folders, func(old SkillFolder) bool { return old.Path == f.Path })
			if i < 0 {
				w.Folders = append(w.Folders, f)
				continue
			}
			for _, h := range f.Harness {
				if !slices.Contains(w.Folders[i].Harness, h) {
					w.Folders[i].Harness = append(w.Folders[i].Harness, h)
				}
			}
		}
	})
}

// Withhold has the playbooks of the workspace offered in these folders no more,
// with none named nowhere, and removes their skills.
func (m *Memory) Withhold(ctx context.Context, folders []string) ([]SkillChange, error) {
	return m.offer(ctx, func(w *offeredFrom) {
		w.Folders = slices.DeleteFunc(w.Folders, func(f SkillFolder) bool {
			return len(folders) == 0 || slices.Contains(folders, f.Path)
		})
	})
}

// SyncSkills brings the skills of the workspace up to date, when its playbooks are
// offered at all.
func (m *Memory) SyncSkills(ctx context.Context) ([]SkillChange, error) {
	if m.Skills == nil || m.Workspace == nil {
		return nil, nil
	}
	data, err := m.Skills.dir.Read(skillsFile)
	if err != nil || !bytes.Contains(data, []byte(skillRoot(m.Workspace))) {
		return nil, ignoreMissing(err)
	}
	return m.offer(ctx, func(*offeredFrom) {})
}

// skillRoot is a library as the record names it: with its path as JSON has it.
func skillRoot(l *Library) string {
	root, _ := json.Marshal(filepath.Dir(l.Root)) // of a string it does not fail
	return string(root)
}

// offer changes what is offered from the workspace and makes it so, under the
// lock of the record.
func (m *Memory) offer(ctx context.Context, change func(*offeredFrom)) (out []SkillChange, err error) {
	lib, err := m.workspace()
	if err != nil {
		return nil, err
	}
	if m.Skills == nil {
		return nil, fault.New(fault.Refused, codeNoPlace)
	}
	root := filepath.Dir(lib.Root)
	return out, m.Skills.change(ctx, func(r *skillRecord) error {
		i := slices.IndexFunc(r.Workspaces, func(w offeredFrom) bool { return w.Root == root })
		if i < 0 {
			r.Workspaces = append(r.Workspaces, offeredFrom{Root: root})
			i = len(r.Workspaces) - 1
		}
		w := &r.Workspaces[i]
		change(w)
		want, unsafe := m.skills(lib)
		out = append(unsafe, w.sync(m.Skills, want)...)
		if len(w.Folders) == 0 {
			r.Workspaces = slices.Delete(r.Workspaces, i, i+1)
		}
		return nil
	})
}

// Abandon removes the skills of a harness that is gone, in all workspaces.
func (s *Skills) Abandon(ctx context.Context, harness string) (out []SkillChange, err error) {
	if data, err := s.dir.Read(skillsFile); err != nil || !bytes.Contains(data, []byte(`"`+harness+`"`)) {
		return nil, ignoreMissing(err)
	}
	return out, s.change(ctx, func(r *skillRecord) error {
		for i := range r.Workspaces {
			out = append(out, r.Workspaces[i].abandon(s, harness)...)
		}
		r.Workspaces = slices.DeleteFunc(r.Workspaces, func(w offeredFrom) bool { return len(w.Folders) == 0 })
		return nil
	})
}

func (w *offeredFrom) abandon(s *Skills, harness string) []SkillChange {
	var gone []string
	for i := range w.Folders {
		f := &w.Folders[i]
		if !slices.Contains(f.Harness, harness) {
			continue
		}
		f.Harness = slices.DeleteFunc(f.Harness, func(h string) bool { return h == harness })
		if len(f.Harness) == 0 {
			gone = append(gone, f.Path)
		}
	}
	w.Folders = slices.DeleteFunc(w.Folders, func(f SkillFolder) bool { return slices.Contains(gone, f.Path) })
	return w.removeOthers(s, func(file string) bool {
		return !slices.Contains(gone, filepath.Dir(filepath.Dir(file)))
	})
}

// change reads the record, changes it and writes it, under its lock.
func (s *Skills) change(ctx context.Context, f func(*skillRecord) error) error {
	return s.dir.Update(ctx, skillsFile, func(old []byte) ([]byte, error) {
		r := skillRecord{}
		if len(old) > 0 {
			if err := json.Unmarshal(old, &r); err != nil {
				return nil, fault.New(fault.Damaged, codeBadSkills, s.dir.Path(skillsFile)).Because(err)
			}
		}
		r.Version = 1
		if err := f(&r); err != nil {
			return nil, err
		}
		if old == nil && len(r.Workspaces) == 0 {
			return nil, nil
		}
		data, err := json.MarshalIndent(r, "", "  ")
		return append(data, '\n'), err
	})
}

// skill is one as it should be.
type skill struct {
	name, playbook string
	content        []byte
}

// skills makes the skills of a library. Those whose name cannot be shown are told.
func (m *Memory) skills(l *Library) (want []skill, unsafe []SkillChange) {
	for _, p := range l.playbooks() {
		if !isSafeName(p.File) || playbook.Slug(p.Name()) != p.Name() && !isPlainName(p.Name()) {
			unsafe = append(unsafe, SkillChange{Playbook: p.File, Fate: SkillUnsafe})
			continue
		}
		steps := gate.Block(p.Body)
		if strings.TrimSpace(steps.Text) == "" {
			continue
		}
		want = append(want, skill{playbook.SkillName(p.Name()), p.File, p.Skill(m.Settings.Language, steps.Text, m.Now())})
	}
	return want, unsafe
}

// isPlainName reports whether a name can stand in a command line as it is.
func isPlainName(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-", r))
	})
}

// sync writes the skills that are wanted and removes those that are not.
func (w *offeredFrom) sync(s *Skills, want []skill) (out []SkillChange) {
	keep := map[string]bool{}
	for _, folder := range w.Folders {
		for _, one := range want {
			file := filepath.Join(folder.Path, one.name, playbook.SkillFile)
			keep[file] = true
			out = append(out, SkillChange{one.name, one.playbook, file, w.write(s, folder, one, file)})
		}
	}
	return append(out, w.removeOthers(s, func(file string) bool { return keep[file] })...)
}

// write puts one skill into a folder, unless something else stands there.
func (w *offeredFrom) write(s *Skills, folder SkillFolder, one skill, file string) SkillFate {
	dir, name := w.place(folder, file)
	old, err := dir.Read(name)
	known := slices.IndexFunc(w.Skills, func(o offeredSkill) bool { return o.File == file })
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist), err == nil && !playbook.IsSkill(old):
		return SkillForeign
	case err == nil && bytes.Equal(old, one.content):
		w.remember(file, known, one.content)
		return SkillSame
	case err == nil && known >= 0 && w.Skills[known].Hash != hashOf(old):
		return SkillEdited
	}
	if !s.dry {
		if !folder.Confined { // the user has named it: it may be made
			_ = os.MkdirAll(folder.Path, 0o755)
		}
		if err := dir.WriteDerived(name, one.content); err != nil {
			return SkillForeign
		}
		_ = os.Chmod(file, 0o644) // others who work in the folder read it too; if not, no harm is done
	}
	w.remember(file, known, one.content)
	return SkillWritten
}

// place is the folder that a skill's file is written through, and its name there.
func (w *offeredFrom) place(folder SkillFolder, file string) (*filestore.Dir, string) {
	root := folder.Path
	if folder.Confined {
		root = w.Root
	}
	rel, _ := filepath.Rel(root, file) // the file lies below
	return filestore.Open(root, filestore.Options{Confined: folder.Confined}), filepath.ToSlash(rel)
}

func (w *offeredFrom) remember(file string, known int, content []byte) {
	if known < 0 {
		w.Skills = append(w.Skills, offeredSkill{File: file})
		known = len(w.Skills) - 1
	}
	w.Skills[known].Hash = hashOf(content)
}

// removeOthers removes the skills of the record whose files are not kept. One that
// was changed by hand since is left and forgotten.
func (w *offeredFrom) removeOthers(s *Skills, keep func(file string) bool) (out []SkillChange) {
	w.Skills = slices.DeleteFunc(w.Skills, func(o offeredSkill) bool {
		if keep(o.File) {
			return false
		}
		change := SkillChange{Name: path.Base(filepath.ToSlash(filepath.Dir(o.File))), File: o.File, Fate: SkillRemoved}
		if data, err := os.ReadFile(o.File); err == nil && hashOf(data) != o.Hash {
			change.Fate = SkillEdited
		} else if !s.dry {
			_ = os.Remove(o.File)
			_ = os.Remove(filepath.Dir(o.File)) // when nothing else lies in it
		}
		out = append(out, change)
		return true
	})
	return out
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}
