package selfipcmd

import "github.com/dshkit/dshkit/internal/cli"

// proposalsChinese is proposalsEnglish in Chinese.
var proposalsChinese = cli.Table{
	{ID: "proposals-head", Text: "待决定的提案 %d 个"},
	{ID: "candidates-head", Text: "等待您同意的候选条目 %d 条"},
	{ID: "candidates-bad", Text: "proposals/candidates.jsonl 中无法读取的行：%d"},
	{ID: "candidate-replaces", Text: "  将取代 %s"},
	{ID: "candidate-aside", Text: "内容像是给代理的指令；采纳它会放入隔离区"},
	{ID: "candidate-from", Text: "  提出者：%s，%s"},
	{ID: "decided-pending", Text: "待决定"},
	{ID: "decided-waiting", Text: "待决定"},
	{ID: "decided-accepted", Text: "已采纳"},
	{ID: "decided-rejected", Text: "已否决"},
	{ID: "decided-note", Text: "  理由：%s"},

	{ID: "proposal-accepted", Text: "已采纳 %s：%s"},
	{ID: "proposal-rejected", Text: "已否决 %s：%s"},
	{ID: "candidate-put-aside", Text: "内容像是给代理的指令，已放入隔离区：%s"},
	{ID: "take-back", Text: "撤回：selfip undo %s"},
	{ID: "learned-waiting", Text: "  等待您同意的候选条目 %d 条（selfip proposals）"},
	{ID: "learned-unwanted", Text: "  未提出 %d 条：您否决过同样的内容，或等待的已经太多"},

	{ID: "no-proposals", Text: "没有等待决定的提案"},
	{ID: "no-proposals.hint", Text: "候选用编号指明，%[1]s proposals 会列出编号"},
	{ID: "no-proposal", Text: "没有待决定的提案 %q"},
	{ID: "no-proposal.hint", Text: "%[1]s proposals 会列出待决定的提案"},
	{ID: "no-candidate", Text: "没有待决定的候选条目 %q"},
	{ID: "no-candidate.hint", Text: "%[1]s proposals 会列出待决定的候选条目"},
	{ID: "proposal-decisions-damaged", Text: "proposals/status.json 中的决定无法读取：第 %d 行"},
	{ID: "writes-off", Text: "设置 writes 为 off：这里不学习任何内容"},
	{ID: "users-word", Text: "代理不能决定这件事：须由用户决定"},
	{ID: "users-word.hint", Text: "用户可以在自己的终端里运行同一命令"},
	{ID: "awaits-word", Text: "条目 %s 等待用户同意"},
	{ID: "awaits-word.hint", Text: "用户可以用 %[1]s proposals 查看"},
	{ID: "rejected-before", Text: "用户不希望保留这一内容（候选 %s）"},

	{ID: "help.proposals.short", Text: "等待用户决定的内容"},
	{ID: "help.proposals.long", Text: "不带子命令时，列出提案（对工作方式的改动）和候选条目（设置 writes 为 ask\n" +
		"时，代理和引擎要存的内容）。它们都不会自行生效。"},
	{ID: "help.proposals.example", Text: "{program} proposals\n{program} proposals accept latest"},
	{ID: "help.proposals.list.short", Text: "列出待决定的内容"},
	{ID: "help.proposals.list.long", Text: "列出待决定的提案和候选条目及其编号；加上 --all 也列出已决定的。不做任何改动。"},
	{ID: "help.proposals.list.example", Text: "{program} proposals list --json"},
	{ID: "help.proposals.list.flag.all", Text: "也列出已决定的"},
	{ID: "help.proposals.show.short", Text: "显示一个提案或候选条目"},
	{ID: "help.proposals.show.long", Text: "显示指定编号的提案或最新提案的正文；对候选条目，显示其内容、将取代什么以及依据。\n" +
		"不做任何改动。"},
	{ID: "help.proposals.show.example", Text: "{program} proposals show\n{program} proposals show --json latest"},
	{ID: "help.proposals.accept.short", Text: "采纳提案或候选条目"},
	{ID: "help.proposals.accept.long", Text: "记录用户采纳指定编号的提案，或最新的一个，可附上说明。不会执行提案的内容。候选条\n" +
		"目会成为条目，它所取代的内容随之作废；undo 可以撤回。可以一次指定多个候选条目。\n" +
		"候选条目只能由用户决定。"},
	{ID: "help.proposals.accept.example", Text: "{program} proposals accept\n{program} proposals accept latest 先试用\n{program} proposals accept --all"},
	{ID: "help.proposals.accept.flag.all", Text: "采纳所有待决定的内容"},
	{ID: "help.proposals.accept.flag.note", Text: "`理由`，不写在编号之后时使用"},
	{ID: "help.proposals.reject.short", Text: "否决提案或候选条目"},
	{ID: "help.proposals.reject.long", Text: "记录用户否决指定编号的提案，或最新的一个，并把理由存为一条教训，使同类建议不再\n" +
		"出现。提案本身留在文件中。否决的候选条目会被记住，同样的内容不再提出；附有理由时\n" +
		"也留下一条教训。"},
	{ID: "help.proposals.reject.example", Text: "{program} proposals reject\n{program} proposals reject latest 每次提交都跑太慢\n" +
		"{program} proposals reject --all --note 太琐碎"},
	{ID: "help.proposals.reject.flag.all", Text: "否决所有待决定的内容"},
	{ID: "help.proposals.reject.flag.note", Text: "`理由`，不写在编号之后时使用"},
}
