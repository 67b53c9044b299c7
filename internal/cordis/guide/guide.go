// Package guide is what a model is told of dynamic plugins beside the tools: the
// section of its prompt, which is enough to write a plugin that works, and the
// skill, which it loads for more (spec/cordis.md 16). Both are in English and
// Chinese, as plain Markdown.
//
// What changes from host to host, names and signatures, is not here: that is
// asked by cordis_inspect_query.
package guide

import _ "embed"

// Where the section stands in a prompt, and what the skill is called.
const (
	PromptName  = "cordis"
	PromptOrder = 115
	SkillName   = "cordis-plugin-development"
)

// Chinese is the one language beside English; any other word means English.
const Chinese = "zh-CN"

//go:embed text/prompt.md
var promptEnglish string

//go:embed text/prompt.zh-CN.md
var promptChinese string

//go:embed text/skill.md
var skillEnglish string

//go:embed text/skill.zh-CN.md
var skillChinese string

// Prompt is the section of the prompt.
func Prompt(language string) string {
	if language == Chinese {
		return promptChinese
	}
	return promptEnglish
}

// Skill is the body of the skill.
func Skill(language string) string {
	if language == Chinese {
		return skillChinese
	}
	return skillEnglish
}

// SkillAbout is when to load the skill, in one sentence.
func SkillAbout(language string) string {
	if language == Chinese {
		return "用 Cordis 动态插件临时扩展正在运行的宿主时使用：选择半部、查询能力、写 Host 与 Client 代码、更新、修复。"
	}
	return "Use it to extend the running host for a while with Cordis dynamic plugins: choosing halves, asking what there is, writing Host and Client code, updating, repairing."
}
