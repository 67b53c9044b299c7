package phrase

// Skill holds the sentences of a playbook that is offered as a skill.
type Skill struct {
	Description string // name, successes, fails
	Due         string
	Report      string // name
}

var (
	skillEnglish = Skill{
		Description: "Procedure \"%s\" from earlier sessions in this project (successes: %d, failures: %d). Use it for the task that it names.",
		Due:         "It was not verified for over 30 days: check each step.",
		Report:      "When done: `selfip playbook use %s success`, or `fail`.",
	}
	skillChinese = Skill{
		Description: "本项目以往会话沉淀的 SOP「%s」（成功 %d、失败 %d）。做它所说的任务时使用。",
		Due:         "已超过 30 天未验证：请逐步核对。",
		Report:      "用后报告结果：`selfip playbook use %s success`，失败则用 `fail`。",
	}
)
