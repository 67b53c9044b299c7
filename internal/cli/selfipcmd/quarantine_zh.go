package selfipcmd

import "github.com/dshkit/dshkit/internal/cli"

// quarantineChinese is quarantineEnglish in Chinese.
var quarantineChinese = cli.Table{
	{ID: "quarantine-empty", Text: "隔离区里没有内容"},
	{ID: "quarantine-row", Text: "%s  来源：%s；命中：%s；%d 字"},
	{ID: "quarantine-head", Text: "%s  隔离于 %s；来源：%s；命中：%s"},
	{ID: "quarantine-unreadable", Text: "%s  无法读取"},
	{ID: "source-unknown", Text: "未说明"},
	{ID: "purged", Text: "已永久删除：%s"},
	{ID: "purged-nothing", Text: "没有可删除的内容"},
	{ID: "op-release", Text: "解除隔离"},

	{ID: "no-aside", Text: "隔离区里没有编号 %q"},
	{ID: "no-aside.hint", Text: "%[1]s quarantine 会列出它们"},
	{ID: "many-asides", Text: "隔离区里有 %d 条的编号以 %q 开头"},
	{ID: "bad-aside", Text: "%s 不能作为隔离内容读取"},
	{ID: "not-shown", Text: "隔离的内容不给代理看"},
	{ID: "not-shown.hint", Text: "用户可以在自己的终端里运行同一命令"},
	{ID: "no-place", Text: "不知道用户设置的目录：无法记住解除了什么"},
	{ID: "release-awaits", Text: "没有解除任何内容：请读过 %s 的正文，再加上 --yes 重复该命令"},
	{ID: "purge-what", Text: "请指定编号、--all 或 --older-than 三者之一"},
	{ID: "bad-age", Text: "%q 不是时长（例如 30d、2w 或 12h）"},

	{ID: "help.quarantine.short", Text: "像是给代理下指令的内容"},
	{ID: "help.quarantine.long", Text: "不带子命令时，列出被隔离的内容，但不显示正文。"},
	{ID: "help.quarantine.example", Text: "{program} quarantine"},
	{ID: "help.quarantine.list.short", Text: "列出隔离的内容"},
	{ID: "help.quarantine.list.long", Text: "按编号列出，附上所声明的来源和命中的模式，不显示正文。不做任何改动。"},
	{ID: "help.quarantine.list.example", Text: "{program} quarantine list --json"},
	{ID: "help.quarantine.show.short", Text: "显示一条隔离的内容"},
	{ID: "help.quarantine.show.long", Text: "显示指定编号的正文，编号可以只写唯一的开头。它只给您看，由代理启动的进程会\n" +
		"被拒绝。不做任何改动。"},
	{ID: "help.quarantine.show.example", Text: "{program} quarantine show 2026-09-14T21-10-00-000+08-00-1"},
	{ID: "help.quarantine.release.short", Text: "仍把一条内容存为条目"},
	{ID: "help.quarantine.release.long", Text: "显示正文；加上 --yes 时以您的名义存为条目，与 remember 相同。代理会读到它：从此\n" +
		"注入和检索在这个库中会显示这一段原文，其他内容照旧。这件事记在您自己的设置目录\n" +
		"里，因此仓库无法自行解除隔离。代理不能执行这一命令。"},
	{ID: "help.quarantine.release.example", Text: "{program} quarantine release 2026-09-14T21-10-00-000+08-00-1\n" +
		"{program} quarantine release --yes --kind lesson 2026-09-14T21-10-00-000+08-00-1"},
	{ID: "help.quarantine.release.flag.kind", Text: "`类型`：fact、preference、lesson、method 或 resource"},
	{ID: "help.quarantine.release.flag.yes", Text: "您已读过正文并愿意保留"},
	{ID: "help.quarantine.purge.short", Text: "永久删除隔离的内容"},
	{ID: "help.quarantine.purge.long", Text: "删除指定编号、全部、或隔离时间超过某一时长的文件。无法恢复。"},
	{ID: "help.quarantine.purge.example", Text: "{program} quarantine purge --older-than 30d --dry-run\n{program} quarantine purge --all"},
	{ID: "help.quarantine.purge.flag.all", Text: "删除全部"},
	{ID: "help.quarantine.purge.flag.older-than", Text: "删除早于 `时长` 的内容：30d、2w、12h"},
}
