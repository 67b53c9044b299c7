package install

import (
	"path/filepath"

	"github.com/dshkit/dshkit/internal/harness"
	"github.com/dshkit/dshkit/pkg/fault"
)

// Skill is the word that stands in a harness's place for the skill, which many
// read.
const Skill = "skill"

// skillPlace is a folder of skills that a harness reads, beside or instead of the
// one that many do.
type skillPlace struct {
	harness harness.Harness
	home    string // the folder by which one sees that the harness is there
	skills  string // below it
}

// SkillTargets are the skill that teaches the shell commands: one in the folder
// that many harnesses read, and a copy where a harness does not and is there;
// isDir tells (spec/harness-hooks.md 21). To take them out all count.
func SkillTargets(scope Scope, env Env, isDir func(string) bool) ([]Target, error) {
	shared, err := pick(Skill, scope, filepath.Join(env.Home, ".agents", "skills"), filepath.Join(env.Dir, ".agents", "skills"))
	if err != nil {
		return nil, err
	}
	if !isAbsolute(shared) {
		return nil, fault.New(fault.Refused, codePlace, Skill, shared)
	}
	targets := []Target{skillTarget(scope, shared)}
	for _, place := range skillPlaces(scope, env) {
		if isDir(place.home) {
			targets = append(targets, skillTarget(scope, filepath.Join(place.home, place.skills)))
		}
	}
	return targets, nil
}

// skillTarget is the skill in one folder of skills.
func skillTarget(scope Scope, skills string) Target {
	return Target{
		Harness: Skill, Scope: scope, File: filepath.Join(skills, "selfip", "SKILL.md"), format: ownText,
		own: own{parts: []string{"skill.md"}, folder: true, silent: true},
	}
}

// skillPlaces are the folders of those that do not read the shared one.
func skillPlaces(scope Scope, env Env) []skillPlace {
	if scope == Project {
		return []skillPlace{
			{harness.ClaudeCode, filepath.Join(env.Dir, ".claude"), "skills"},
			{harness.QwenCode, filepath.Join(env.Dir, ".qwen"), "skills"},
			{harness.Kiro, filepath.Join(env.Dir, ".kiro"), "skills"},
			{harness.Hermes, filepath.Join(env.Dir, ".hermes"), "skills"},
			{harness.Goose, filepath.Join(env.Dir, ".goose"), "skills"},
		}
	}
	return []skillPlace{
		{harness.ClaudeCode, env.orElse("CLAUDE_CONFIG_DIR", ".claude"), "skills"},
		{harness.Codex, env.orElse("CODEX_HOME", ".codex"), "skills"},
		{harness.Cursor, filepath.Join(env.Home, ".cursor"), "skills"},
		{harness.QwenCode, env.orElse("QWEN_HOME", ".qwen"), "skills"},
		{harness.Kiro, filepath.Join(env.Home, ".kiro"), "skills"},
		{harness.Hermes, env.orElse("HERMES_HOME", ".hermes"), "skills"},
		{harness.Goose, filepath.Join(env.configHome(), "goose"), "skills"},
	}
}
