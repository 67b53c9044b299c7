package cordiscmd

import (
	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/cordis/guide"
)

func newGuide(env *cli.Env) *cobra.Command {
	return &cobra.Command{Use: "guide", Args: cli.ArgCount(0, 0), RunE: func(*cobra.Command, []string) error {
		return env.Report(guideReport{GuideJSON{guide.PromptName, guide.PromptOrder, guide.Prompt(string(env.Lang()))}})
	}}
}

// GuideJSON is what guide writes with --json.
type GuideJSON struct {
	Name  string `json:"name"`  // of the section in a prompt
	Order int    `json:"order"` // its place among the others
	Text  string `json:"text"`  // Markdown
}

type guideReport struct{ GuideJSON }

func (r guideReport) JSON() any          { return r.GuideJSON }
func (r guideReport) Text(w *cli.Writer) { w.Line(r.GuideJSON.Text) }

func newSkill(env *cli.Env) *cobra.Command {
	return &cobra.Command{Use: "skill", Args: cli.ArgCount(0, 0), RunE: func(*cobra.Command, []string) error {
		lang := string(env.Lang())
		return env.Report(skillReport{SkillJSON{guide.SkillName, guide.SkillAbout(lang), guide.Skill(lang)}})
	}}
}

// SkillJSON is what skill writes with --json.
type SkillJSON struct {
	Name        string `json:"name"`
	Description string `json:"description"` // when to load it
	Text        string `json:"text"`        // Markdown
}

type skillReport struct{ SkillJSON }

func (r skillReport) JSON() any          { return r.SkillJSON }
func (r skillReport) Text(w *cli.Writer) { w.Line(r.SkillJSON.Text) }
