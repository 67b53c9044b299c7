package selfipcmd

import "github.com/dshkit/dshkit/internal/cli"

// playbookChinese is playbookEnglish in Chinese.
var playbookChinese = cli.Table{
	{ID: "no-playbooks", Text: "没有 SOP"},
	{ID: "playbook-row", Text: "%s  使用 %d 次，成功 %d，失败 %d"},
	{ID: "playbook-row-due", Text: "%s  使用 %d 次，成功 %d，失败 %d，待重验"},
	{ID: "skill-written", Text: "已写入：%s"},
	{ID: "skill-same", Text: "没有变化：%s"},
	{ID: "skill-removed", Text: "已删除：%s"},
	{ID: "skill-foreign", Text: "未动，不是我们的文件或无法写入：%s"},
	{ID: "skill-edited", Text: "未动，已被手工修改：%s"},
	{ID: "skill-unsafe", Text: "未导出，名称不能给代理看：%s"},
	{ID: "skills-none", Text: "还没有 SOP；写下第一个时会自动导出"},
	{ID: "skills-none-left", Text: "没有导出任何 SOP"},

	{ID: "no-playbook", Text: "没有名为 %q 的 SOP"},
	{ID: "no-playbook.hint", Text: "%[1]s playbook 会列出它们"},
	{ID: "no-skill-folder", Text: "没有安装任何带技能目录的宿主"},
	{ID: "no-skill-folder.hint", Text: "请先安装，或用 --to 指定目录"},
	{ID: "bad-skills", Text: "%s 无法读取：不是技能记录"},

	{ID: "help.playbook.short", Text: "SOP 及其使用结果"},
	{ID: "help.playbook.long", Text: "不带子命令时，列出本工作区的 SOP，经过验证的在前。它们位于\n" +
		"self-improvement/playbooks，每个一个文件，也可以手工编写。"},
	{ID: "help.playbook.example", Text: "{program} playbook\n{program} playbook use deploy success"},
	{ID: "help.playbook.list.short", Text: "列出 SOP"},
	{ID: "help.playbook.list.example", Text: "{program} playbook list --json"},
	{ID: "help.playbook.show.short", Text: "显示一个 SOP"},
	{ID: "help.playbook.show.long", Text: "显示指定 SOP 的统计和步骤。像是违背用户意愿的指令的行会略去。不做任何改动。"},
	{ID: "help.playbook.show.example", Text: "{program} playbook show deploy"},
	{ID: "help.playbook.use.short", Text: "记录一次 SOP 的使用结果"},
	{ID: "help.playbook.use.long", Text: "在指定的 SOP 文件开头记下一次成功或失败。其中的步骤保持原样。"},
	{ID: "help.playbook.use.example", Text: "{program} playbook use deploy success\n{program} playbook use deploy fail"},
	{ID: "help.playbook.export.short", Text: "把 SOP 作为技能提供"},
	{ID: "help.playbook.export.long", Text: "把每个 SOP 写成一个技能 selfip-名称/SKILL.md，放入本工作区中已装宿主查找技能的目\n" +
		"录，或指定的目录。此后技能自动跟随：SOP 变化时重写，SOP 消失或宿主卸载时删除。不\n" +
		"是我们的或被手工修改过的文件不会动。加上 --off 则删除这些技能。"},
	{ID: "help.playbook.export.example", Text: "{program} playbook export\n{program} playbook export --to ~/skills\n{program} playbook export --off"},
	{ID: "help.playbook.export.flag.to", Text: "写入这个技能 `目录`"},
	{ID: "help.playbook.export.flag.off", Text: "删除这些技能，不再提供"},
}
