package service

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/dshkit/dshkit/internal/cordis/catalog"
	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// Limits of skills.
const (
	maxSkill  = 256 << 10
	maxSkills = 256
)

// skillFolders are where harnesses keep skills, the first that has one wins.
func skillFolders() []string {
	return []string{".agents/skills", ".claude/skills", ".dsh/skills", "skills"}
}

// skills are the files SKILL.md of the workspace. They are written to be handed
// to models, so reading them needs no grant; a link among them is not followed.
type skills struct{ files *files }

func newSkills(_ Settings, f *files) *skills { return &skills{f} }

// skill is one file.
type skill struct {
	name, description, path, content string
}

func (s *skills) list(c *call) (any, error) {
	all, err := s.all(c)
	if err != nil {
		return nil, err
	}
	list := []any{}
	for _, k := range all {
		list = append(list, k.show())
	}
	return list, nil
}

func (k skill) show() *jsonvalue.Object {
	return jsonvalue.Of("name", k.name, "description", k.description, "path", k.path)
}

func (s *skills) read(c *call) (any, error) {
	name := c.text(c.arg(0), "name")
	if c.bad != nil {
		return nil, c.bad
	}
	all, err := s.all(c)
	if err != nil {
		return nil, err
	}
	for _, k := range all {
		if k.name == name {
			return k.show().With("content", k.content), nil
		}
	}
	return nil, &wire.Thrown{Name: "Error", Code: "ENOENT", Message: "there is no skill " + jsonvalue.Quote(name)}
}

// all are the skills of the workspace, by name.
func (s *skills) all(c *call) ([]skill, error) {
	var all []skill
	for _, folder := range skillFolders() {
		found, err := s.in(c, folder)
		if err != nil {
			return nil, err
		}
		for _, k := range found {
			if !slices.ContainsFunc(all, func(o skill) bool { return o.name == k.name }) {
				all = append(all, k)
			}
		}
	}
	slices.SortFunc(all, func(a, b skill) int { return strings.Compare(a.name, b.name) })
	return all[:min(len(all), maxSkills)], nil
}

// in are the skills of one folder. What cannot be read is none.
func (s *skills) in(c *call, folder string) ([]skill, error) {
	path := filepath.Join(s.files.root, filepath.FromSlash(folder))
	dir, err := s.files.descend(path)
	if err != nil {
		return nil, nothingThere(err)
	}
	names, err := namesIn(dir)
	_ = dir.Close()
	if err != nil {
		return nil, err
	}
	var found []skill
	for _, name := range names {
		if err := c.ctx.Err(); err != nil {
			return nil, err
		}
		if k, ok := s.load(c, filepath.Join(path, name), name); ok {
			found = append(found, k)
		}
		if len(found) >= maxSkills {
			break
		}
	}
	return found, nil
}

func nothingThere(err error) error {
	if code, _ := system(err); code != "" || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var t *wire.Thrown
	if errors.As(err, &t) { // a link, or no folder
		return nil
	}
	return err
}

// load reads the skill in a folder.
func (s *skills) load(c *call, path, name string) (skill, bool) {
	dir, err := s.files.descend(path)
	if err != nil {
		return skill{}, false
	}
	place := spot{dir, "SKILL.md", filepath.Join(path, "SKILL.md")}
	defer place.close()
	data, _, err := place.read(c, maxSkill)
	if err != nil {
		return skill{}, false
	}
	k := skill{name: name, path: s.files.shown(place.path), content: decode(data)}
	k.describe()
	return k, true
}

// describe reads name and description from the front matter.
func (k *skill) describe() {
	rest, ok := strings.CutPrefix(strings.ReplaceAll(k.content, "\r\n", "\n"), "---\n")
	head, _, closed := strings.Cut(rest, "\n---")
	if !ok || !closed {
		return
	}
	var front struct{ Name, Description string }
	if yaml.Unmarshal([]byte(head), &front) != nil {
		return
	}
	if front.Name != "" {
		k.name = front.Name
	}
	k.description = front.Description
}

// descend opens a folder of the workspace without following links, grants or not.
func (f *files) descend(path string) (*os.Root, error) {
	if f.private(path) {
		return nil, fs.ErrNotExist
	}
	dir, err := os.OpenRoot(f.root)
	if err != nil {
		return nil, err
	}
	rel, err := filepath.Rel(f.root, path)
	if err != nil {
		_ = dir.Close()
		return nil, err
	}
	for name := range strings.SplitSeq(rel, string(filepath.Separator)) {
		next, err := f.enter(dir, name, false)
		_ = dir.Close()
		if err != nil {
			return nil, err
		}
		dir = next
	}
	return dir, nil
}

func (s *skills) table() *table {
	return &table{
		service: catalog.Service{Key: "skills", Description: "The skills of the workspace: files SKILL.md below .agents/skills, .claude/skills, .dsh/skills and skills. They can be read without a grant, and not be written."},
		types: []catalog.Type{
			{Name: "SkillInfo", Declaration: "interface SkillInfo { name: string; description: string; path: string }"},
			{Name: "Skill", Declaration: "interface Skill extends SkillInfo { content: string }"},
		},
		methods: []*method{
			{async: true, run: s.list, Method: catalog.Method{
				Name: "list", Signature: "list(): Promise<SkillInfo[]>",
				Description: "All skills, by name.", Returns: "At most 256, without their text.",
			}},
			{async: true, run: s.read, Method: catalog.Method{
				Name: "read", Signature: "read(name: string): Promise<Skill>",
				Description: "One skill with its text.", Parameters: params("name", "The name that list gives."), Returns: "The skill.",
				Throws: []string{"Error, code ENOENT: there is no such skill."},
			}},
		},
	}
}
