package selfipcmd

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/harness"
	"github.com/dshkit/dshkit/internal/harness/install"
	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/pkg/fault"
)

type exportSkills struct {
	to  string
	off bool
}

func newPlaybookExport(env *cli.Env) *cobra.Command {
	var opts exportSkills
	cmd := &cobra.Command{
		Use:  "export",
		Args: cli.ArgCount(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error { return runPlaybookExport(cmd.Context(), env, opts) },
	}
	cmd.Flags().StringVar(&opts.to, "to", "", "")
	cmd.Flags().BoolVar(&opts.off, "off", false, "")
	cli.DryRunFlag(env, cmd)
	return cli.Exits(cmd, fault.Refused, fault.Busy, fault.Damaged)
}

func runPlaybookExport(ctx context.Context, env *cli.Env, opts exportSkills) error {
	o, err := openedForChange(env)
	if err != nil {
		return err
	}
	var folders []selfip.SkillFolder
	switch {
	case opts.to != "":
		to, err := env.Folder(opts.to)
		if err != nil {
			return err
		}
		folders = []selfip.SkillFolder{{Path: filepath.Clean(to)}}
	case !opts.off && o.workspace.Root != "":
		if folders = skillFolders(env, o.workspace.Root); len(folders) == 0 {
			return fault.New(fault.Refused, "no-skill-folder")
		}
	}
	var changes []selfip.SkillChange
	if opts.off {
		var paths []string
		for _, f := range folders {
			paths = append(paths, f.Path)
		}
		changes, err = o.memory.Withhold(ctx, paths)
	} else {
		changes, err = o.memory.Offer(ctx, folders)
	}
	if err != nil {
		return err
	}
	return env.Report(skillsReport{changes, folders, opts.off})
}

// skillFolders are the folders of the workspace in which the installed harnesses
// look for skills.
func skillFolders(env *cli.Env, root string) (folders []selfip.SkillFolder) {
	for _, r := range openRecords(env).all {
		if r.Scope == install.Project && !below(r.File, root) {
			continue
		}
		folder := r.Harness.SkillFolder()
		if folder == "" {
			continue
		}
		path := filepath.Join(root, filepath.FromSlash(folder))
		i := slices.IndexFunc(folders, func(f selfip.SkillFolder) bool { return f.Path == path })
		if i < 0 {
			folders = append(folders, selfip.SkillFolder{Path: path, Confined: true})
			i = len(folders) - 1
		}
		if h := string(r.Harness); !slices.Contains(folders[i].Harness, h) {
			folders[i].Harness = append(folders[i].Harness, h)
		}
	}
	return folders
}

// abandonSkills removes the skills of a harness that has no hooks of ours any more.
func abandonSkills(ctx context.Context, env *cli.Env, h harness.Harness) ([]selfip.SkillChange, error) {
	for _, r := range openRecords(env).all {
		if r.Harness == h {
			return nil, nil // in another scope it is still there
		}
	}
	skills := openSkills(env)
	if skills == nil {
		return nil, nil
	}
	return skills.Abandon(ctx, string(h))
}

type skillsReport struct {
	changes []selfip.SkillChange
	folders []selfip.SkillFolder
	off     bool
}

// SkillsJSON is what playbook export writes with --json.
type SkillsJSON struct {
	OK      bool        `json:"ok"`
	Folders []string    `json:"folders"`
	Skills  []SkillJSON `json:"skills"`
}

// SkillJSON is what became of one skill.
type SkillJSON struct {
	Name     string `json:"name,omitempty"`
	Playbook string `json:"playbook,omitempty"`
	File     string `json:"file,omitempty"`
	Fate     string `json:"fate"` // written, same, removed, foreign, edited, unsafe
}

func (r skillsReport) JSON() any {
	out := SkillsJSON{OK: true, Folders: []string{}, Skills: []SkillJSON{}}
	for _, f := range r.folders {
		out.Folders = append(out.Folders, f.Path)
	}
	for _, c := range r.changes {
		out.Skills = append(out.Skills, SkillJSON{c.Name, c.Playbook, c.File, string(c.Fate)})
	}
	return out
}

func (r skillsReport) Text(w *cli.Writer) {
	for _, c := range r.changes {
		writeSkill(w, c)
	}
	if len(r.changes) == 0 {
		id := "skills-none"
		if r.off {
			id = "skills-none-left"
		}
		w.Say(id)
	}
}

func writeSkill(w *cli.Writer, c selfip.SkillChange) {
	what := c.File
	if what == "" {
		what = c.Playbook
	}
	w.Say("skill-"+string(c.Fate), what)
}
