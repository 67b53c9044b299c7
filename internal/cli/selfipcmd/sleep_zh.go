package selfipcmd

import "github.com/dshkit/dshkit/internal/cli"

// sleepChinese is sleepEnglish in Chinese.
var sleepChinese = cli.Table{
	{ID: "help.sleep.short", Text: "巩固记忆"},
	{ID: "help.sleep.long", Text: "通读当前范围所写入的整个经验库：合并含义相同的条目，把反复出现的教训归纳为\n" +
		"原则，把互相矛盾的条目列为假设，挑出下次会话最应先知道的要点，并列出到期待\n" +
		"重验的条目。它只引用已有条目，不编造。配置了模型时，再把经验库分段交给模型，\n" +
		"由它进一步合并；模型的结论只有条目能支撑时才采纳。任何条目都不会删除：被取代\n" +
		"的只是作废，undo 可以恢复。加 --due 时至多每六小时做一次，别的进程在做时不做。"},
	{ID: "help.sleep.example", Text: "{program} sleep\n{program} sleep --dry-run\n{program} sleep --due"},
	{ID: "help.sleep.flag.due", Text: "仅在到时且有变化时进行"},

	{ID: "sleep-awake", Text: "没有要做的：%s"},
	{ID: "awake-not-due", Text: "距上次巩固不足六小时"},
	{ID: "awake-nothing-new", Text: "上次巩固以来没有变化"},
	{ID: "awake-no-entries", Text: "没有条目"},
	{ID: "awake-queue-runs", Text: "正在复盘"},
	{ID: "awake-asleep", Text: "另一个进程正在做"},
	{ID: "awake-read-only", Text: "设置 writes 规定不再学习"},

	{ID: "op-sleep", Text: "巩固"},
	{ID: "slept", Text: "已巩固 %s（%s）"},
	{ID: "sleep-nothing", Text: "没有改动"},
	{ID: "sleep-merged", Text: "保留 %s：%s"},
	{ID: "sleep-merged-of", Text: "  因此作废：%s：%s"},
	{ID: "sleep-confirmed", Text: "仍然有效：%s：%s"},
	{ID: "sleep-principle", Text: "原则：%s"},
	{ID: "sleep-hypothesis", Text: "假设 %s：%s"},
	{ID: "sleep-prefetch", Text: "应先知道：%s"},
	{ID: "sleep-due", Text: "待重验，已超期 %d 天：%s：%s"},
	{ID: "sleep-more", Text: "此外待重验：%d"},
	{ID: "sleep-waiting", Text: "等现有假设有了结论再列出的矛盾：%d"},
	{ID: "sleep-candidates", Text: "在 proposals 中等您决定的合并：%d"},
	{ID: "sleep-aside", Text: "被隔离的行：%d"},
	{ID: "sleep-stale", Text: "与现状不再相符而放弃的合并：%d"},
	{ID: "sleep-refused", Text: "未采纳（%s）：%s"},
	{ID: "refused-invented", Text: "没有条目支撑"},
	{ID: "refused-reversed", Text: "与条目意思相反"},
	{ID: "refused-reworded", Text: "它改写了用户的原话"},
	{ID: "sleep-dropped", Text: "回答被截断，未使用：%s"},
	{ID: "sleep-failed", Text: "模型未能完成，半小时后再问：%s"},
	{ID: "status-slept", Text: "  上次巩固：%s"},
	{ID: "asleep", Text: "另一个进程此刻正在巩固 %s"},
	{ID: "asleep.hint", Text: "请等它结束"},

	{ID: "help.hypothesis.short", Text: "列出待验证的假设并作出结论"},
	{ID: "help.hypothesis.long", Text: "显示 sleep 得出的、或有人写进 memory/hypotheses.md 的假设。代理看到的是尚无\n" +
		"结论的那些。"},
	{ID: "help.hypothesis.example", Text: "{program} hypothesis"},
	{ID: "help.hypothesis.list.short", Text: "列出假设"},
	{ID: "help.hypothesis.list.long", Text: "列出当前范围可读经验库中的假设，包括已有结论的。不作改动。"},
	{ID: "help.hypothesis.list.example", Text: "{program} hypothesis list --json"},
	{ID: "help.hypothesis.confirm.short", Text: "确认一条假设"},
	{ID: "help.hypothesis.confirm.long", Text: "若是两条互相矛盾的条目，则以较新的为准：较旧的作废，较新的记为今天核实。其他\n" +
		"假设成为事实。undo 可以撤回。"},
	{ID: "help.hypothesis.confirm.example", Text: "{program} hypothesis confirm h1a2b3c4d --note \"问过运维\""},
	{ID: "help.hypothesis.confirm.flag.note", Text: "如何核实的 `说明`"},
	{ID: "help.hypothesis.refute.short", Text: "否定一条假设"},
	{ID: "help.hypothesis.refute.long", Text: "不再给代理看，也不再重新得出。条目不作改动：互相矛盾的两条都保留，可用 forget\n" +
		"作废错的那条。"},
	{ID: "help.hypothesis.refute.example", Text: "{program} hypothesis refute h1a2b3c4d"},
	{ID: "help.hypothesis.refute.flag.note", Text: "如何核实的 `说明`"},
	{ID: "no-hypotheses", Text: "没有假设"},
	{ID: "hypothesis-open", Text: "待验证"},
	{ID: "hypothesis-confirmed", Text: "已确认"},
	{ID: "hypothesis-refuted", Text: "已否定"},
	{ID: "hypothesis-decided", Text: "%s：%s：%s"},
	{ID: "hypothesis-holds", Text: "有效：%s：%s"},
	{ID: "no-hypothesis", Text: "没有假设 %q"},
	{ID: "no-hypothesis.hint", Text: "%[1]s hypothesis 列出它们及其 id"},
	{ID: "is-decided", Text: "假设 %s 已有结论：%s"},
	{ID: "is-decided.hint", Text: "%[1]s undo 可以撤回结论"},

	{ID: "help.schedule.short", Text: "输出定时任务所需的内容"},
	{ID: "help.schedule.long", Text: "输出 cron 的行、systemd 的单元或 launchd 的属性列表，用完整路径为本工作区启动\n" +
		"「sleep --due」和「queue run」。不写任何文件。钩子也会做这些事：两者可以同时\n" +
		"运行，由多少个调度器启动都可以。"},
	{ID: "help.schedule.example", Text: "{program} schedule\n{program} schedule systemd\n{program} schedule launchd --json"},
	{ID: "schedule-file", Text: "# %s"},
	{ID: "schedule-how-cron", Text: "用 crontab -e 把这些行加入您的 crontab"},
	{ID: "schedule-how-systemd", Text: "把每一部分写入其上方所列的文件，然后：\nsystemctl --user daemon-reload && systemctl --user enable --now TIMER"},
	{ID: "schedule-how-launchd", Text: "把每一部分写入其上方所列的文件，然后：\n对每个文件：launchctl bootstrap gui/$(id -u) FILE"},
	{ID: "unknown-scheduler", Text: "未知的调度器 %q（应为 %s 之一）"},
	{ID: "unschedulable", Text: "路径 %q 含有换行，调度器无法使用"},
}
