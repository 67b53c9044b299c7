package selfipcmd

import "github.com/dshkit/dshkit/internal/cli"

// helpChinese holds the help of every command and flag, in the order of
// helpEnglish.
var helpChinese = cli.Table{
	{ID: "help.short", Text: "编程代理的记忆，存为纯文本文件"},
	{ID: "help.long", Text: "把代理在一次会话中学到的东西带到下一次：事实、偏好、教训、方法与资料，每条一行，\n" +
		"存放在项目的 self-improvement/ 下的文本文件中。不需要服务、账号或模型；除非您设\n" +
		"置了模型，不向任何地方发送内容。条目从不删除：作废的可以恢复，改动的可以撤销。"},
	{ID: "help.example", Text: "{program} install claude-code\n" +
		"{program} remember \"教训：npm ci 失败 -> 锁文件过期 -> 先运行 npm install\"\n" +
		"{program} memory npm\n" +
		"{program} status"},

	{ID: "help.remember.short", Text: "存入一条"},
	{ID: "help.remember.long", Text: "把一条经验存入当前范围所写的库。第一个冒号之前的类型，或 --kind，说明它是什么；\n" +
		"不写则为事实。类型也可写作中文：事实、偏好、教训、方法、资料。先抹去其中的凭据。\n" +
		"已有的内容只刷新，不会重复存入。读起来像给代理的指令的文字会被隔离，不会给任何\n" +
		"代理看。"},
	{ID: "help.remember.example", Text: "{program} remember 预发布数据库周日只读\n" +
		"{program} remember \"资料：Go 代理 | https://proxy.golang.org | 下载模块\"\n" +
		"{program} remember --kind preference --importance 9 \"提交说明用英文书写\"\n" +
		"{program} remember --replaces \"端口 8080\" \"fact: 服务监听端口 9090\""},
	{ID: "help.remember.flag.kind", Text: "`类型`：fact、preference、lesson、method 或 resource"},
	{ID: "help.remember.flag.importance", Text: "重要性：1 到 10 的 `数字`，不写则取该类型的默认值"},
	{ID: "help.remember.flag.source", Text: "知识的 `来源`：user、agent、web、tool 或 doc"},
	{ID: "help.remember.flag.replaces", Text: "使 `文字或编号` 所指的条目作废，由本条取代"},

	{ID: "help.memory.short", Text: "列出或检索条目"},
	{ID: "help.memory.long", Text: "列出当前范围所读各库中的有效条目及其编号。给出关键词时，显示最相关的十条；同\n" +
		"时给出 --kind 或 --all 时，列出包含该词的条目。不改动任何条目；与 search 不同，\n" +
		"命中不计入使用次数。"},
	{ID: "help.memory.example", Text: "{program} memory\n{program} memory --kind lesson\n{program} memory docker 构建\n{program} memory --all 端口"},
	{ID: "help.memory.flag.kind", Text: "只列出此 `类型`：fact、preference、lesson、method 或 resource"},
	{ID: "help.memory.flag.all", Text: "连同已作废的条目一起列出，并注明"},

	{ID: "help.search.short", Text: "按关键词查找条目"},
	{ID: "help.search.long", Text: "在当前范围所读的各库及其归档中查找，最相关的在前。中文、日文和韩文的词之间不需\n" +
		"要空格。来自外部、自动归纳或可能已失效的条目带有标记。排在前面的命中会计入使用\n" +
		"次数，从而增加权重。不显示已作废的条目和读起来像指令的条目。"},
	{ID: "help.search.example", Text: "{program} search 偶发失败 测试\n{program} search --limit 3 --json 数据库 端口"},
	{ID: "help.search.flag.limit", Text: "最多 `数字` 条，不限长度"},

	{ID: "help.forget.short", Text: "使条目作废"},
	{ID: "help.forget.long", Text: "使编号、全文或部分文字相符的所有有效条目作废。部分文字至少为四个字母或两个汉字，\n" +
		"否则须为一个完整的词。什么也不删除：作废的条目留在文件中，只是不再显示；\n" +
		"restore 或 undo 可以把它找回来。"},
	{ID: "help.forget.example", Text: "{program} forget \"服务监听端口 8080\"\n{program} forget --dry-run docker"},

	{ID: "help.restore.short", Text: "恢复已作废的条目"},
	{ID: "help.restore.long", Text: "使编号、全文或部分文字相符的所有已作废条目重新有效。有效的条目保持原样。"},
	{ID: "help.restore.example", Text: "{program} restore \"服务监听端口 8080\""},

	{ID: "help.why.short", Text: "说明一个条目的来历与现状"},
	{ID: "help.why.long", Text: "对编号、全文或部分文字相符的每个条目（包括已作废的）显示：所在文件、由何种途径\n" +
		"写入、可信程度、得分的构成，以及每次变更和它所依据的原话。不做任何改动。"},
	{ID: "help.why.example", Text: "{program} why docker\n{program} why --json \"端口 9090\""},

	{ID: "help.log.short", Text: "显示条目的变更"},
	{ID: "help.log.long", Text: "从旧到新列出各次变更：编号、时间、做了什么、由谁所为；其下 + 表示新条目，~ 表\n" +
		"示改动，- 表示作废。给出文字或编号时，只列出与之有关的变更。不做任何改动。"},
	{ID: "help.log.example", Text: "{program} log\n{program} log --limit 0 docker"},
	{ID: "help.log.flag.limit", Text: "只显示最后 `数字` 次变更；0 为全部"},

	{ID: "help.undo.short", Text: "撤销一次变更"},
	{ID: "help.undo.long", Text: "撤销最近一次尚未撤销的变更，或指定编号的变更（编号见 log）。新条目会作废，改动\n" +
		"过的条目恢复原来的一行。若其中某个条目后来又有改动，则什么也不做。撤销本身也是\n" +
		"一次变更，可按其编号再撤销。"},
	{ID: "help.undo.example", Text: "{program} undo\n{program} undo --dry-run"},

	{ID: "help.inject.short", Text: "输出会话开始时读到的文字"},
	{ID: "help.inject.long", Text: "输出会话开始时读到的文字，长度不超过设置 injectChars 的预算。加上 --explain 则\n" +
		"改为说明每个有效条目的去向：得分及其构成，以及为何显示或省略。不改动任何条目。"},
	{ID: "help.inject.example", Text: "{program} inject\n{program} inject --explain"},
	{ID: "help.inject.flag.explain", Text: "说明每个条目为何显示或省略"},

	{ID: "help.scope.short", Text: "显示或设定经验的范围"},
	{ID: "help.scope.long", Text: "显示范围，或把它写入工作区的 config.json：\n" +
		"  workspace  只读写本工作区（默认）\n" +
		"  global     只读写所有工作区共用的全局库\n" +
		"  both       两者都读，只写本工作区\n" +
		"切换范围不会移动任何条目；会说明哪些内容不再可见，以及如何恢复可见。"},
	{ID: "help.scope.example", Text: "{program} scope\n{program} scope both\n{program} scope --global workspace"},
	{ID: "help.scope.flag.global", Text: "写入用户的 config.json，用于所有未自行设定的工作区"},

	{ID: "help.config.short", Text: "显示或修改设置"},
	{ID: "help.config.long", Text: "不带参数时显示生效的设置。来源从强到弱依次为：环境变量、工作区文件、用户文件、\n" +
		"默认值。"},
	{ID: "help.config.example", Text: "{program} config\n{program} config show --origin"},
	{ID: "help.config.show.short", Text: "显示生效的设置"},
	{ID: "help.config.show.long", Text: "显示每项设置的值；加上 --origin 则同时显示它来自哪个文件或环境变量。不做任何改\n" +
		"动。"},
	{ID: "help.config.show.example", Text: "{program} config show --origin"},
	{ID: "help.config.show.flag.origin", Text: "显示每个值的出处"},
	{ID: "help.config.set.short", Text: "设定一项设置"},
	{ID: "help.config.set.long", Text: "把一项设置写入它所属的文件：scope、globalDir 和 autoPromote 写入 config.json，\n" +
		"其余写入 settings.json。文件中的其他内容保持原样。已损坏或不是 JSON 的文件不会\n" +
		"改动。"},
	{ID: "help.config.set.example", Text: "{program} config set language zh-CN\n" +
		"{program} config set --global injectChars 4000\n" +
		"{program} config set globalDir ~/notes/agents"},
	{ID: "help.config.set.flag.global", Text: "用于所有未自行设定的工作区"},
	{ID: "help.config.unset.short", Text: "从文件中去掉一项设置"},
	{ID: "help.config.unset.long", Text: "从所属文件中去掉一项设置，改由下一个来源决定。文件中的其他内容保持原样。"},
	{ID: "help.config.unset.example", Text: "{program} config unset language\n{program} config unset --global injectChars"},
	{ID: "help.config.unset.flag.global", Text: "从用于所有工作区的文件中去掉"},

	{ID: "help.promote.short", Text: "说明为何不把经验提升到全局库"},
	{ID: "help.promote.long", Text: "在任何范围下，都不会把一个工作区的经验复制到所有工作区共用的全局库。共享是单向\n" +
		"的：否则在一个项目中学到的、也许需要保密的内容，会出现在所有其他项目中。所有项\n" +
		"目都可以知道的经验，可在范围 global 中记住，它会直接写入全局库。本命令从不做任\n" +
		"何改动，给出的数目不起作用。"},
	{ID: "help.promote.example", Text: "{program} promote"},

	{ID: "help.queue.short", Text: "等待复盘的会话"},
	{ID: "help.queue.long", Text: "结束的会话在这里等待复盘，复盘从会话的经过中得出教训、事实、方法与资料。不带子\n" +
		"命令时列出队列。进入队列的不会丢失：失败次数太多的成为死信。"},
	{ID: "help.queue.example", Text: "{program} queue\n{program} queue run"},
	{ID: "help.queue.list.short", Text: "列出等待复盘的会话"},
	{ID: "help.queue.list.example", Text: "{program} queue list"},
	{ID: "help.queue.dead.short", Text: "列出死信"},
	{ID: "help.queue.dead.long", Text: "列出已放弃复盘的会话，连同原因和最后一次错误。会话日志仍在；retry 可以把它们放\n" +
		"回队列。"},
	{ID: "help.queue.dead.example", Text: "{program} queue dead"},
	{ID: "help.queue.run.short", Text: "执行到期的复盘"},
	{ID: "help.queue.run.long", Text: "先接手被中途结束的会话，再对每个到期的会话复盘：设置了模型就用模型，否则用不需要\n" +
		"网络的内置引擎。每一行都注明依据，并像 remember 那样检查。失败的最多尝试五次，每\n" +
		"次相隔半小时。中途被结束不会丢失任何内容，同时运行两个也互不妨碍，因此适合定时运\n" +
		"行。钩子会自行启动它。"},
	{ID: "help.queue.run.example", Text: "{program} queue run\n{program} queue run --detach -C ~/code/app"},
	{ID: "help.queue.run.flag.detach", Text: "转到后台继续，立即返回"},
	{ID: "help.queue.retry.short", Text: "把死信放回队列"},
	{ID: "help.queue.retry.long", Text: "把所有死信，或指定键的那一个，放回队列，如同从未尝试过。"},
	{ID: "help.queue.retry.example", Text: "{program} queue retry"},
	{ID: "help.queue.drop.short", Text: "把会话移出队列"},
	{ID: "help.queue.drop.long", Text: "把指定键的那一行永久移出队列，不再对该会话复盘。会话日志仍留在\n" +
		"self-improvement/logs。死信不在此列，留着也无妨。"},
	{ID: "help.queue.drop.example", Text: "{program} queue drop --dry-run session-1.md"},

	{ID: "help.session.short", Text: "尚未复盘的会话"},
	{ID: "help.session.long", Text: "不带子命令时，列出钩子报告过而尚未复盘的会话。"},
	{ID: "help.session.example", Text: "{program} session"},
	{ID: "help.session.list.short", Text: "列出会话"},
	{ID: "help.session.list.long", Text: "列出各会话的各项计数，以及注入了多少字。不做任何改动。"},
	{ID: "help.session.list.example", Text: "{program} session list --json"},
	{ID: "help.session.show.short", Text: "显示一个会话的已知经过"},
	{ID: "help.session.show.long", Text: "输出复盘将会读到的会话日志，其中不含凭据。不做任何改动。"},
	{ID: "help.session.show.example", Text: "{program} session show 0f3c2a71-5d0e-4a53-9a54-5f3f6a1d2b11"},
	{ID: "help.session.end.short", Text: "结束宿主没有结束的会话"},
	{ID: "help.session.end.long", Text: "写下会话日志并放入队列，与宿主正常结束时一样。什么也没发生的会话不留任何痕迹。"},
	{ID: "help.session.end.example", Text: "{program} session end 0f3c2a71-5d0e-4a53-9a54-5f3f6a1d2b11"},

	{ID: "help.hook.short", Text: "回应宿主的事件"},
	{ID: "help.hook.long", Text: "由宿主调用，事件以 JSON 形式从标准输入传来；install 会安排好。会话开始时给出完\n" +
		"整的注入块，每次提问时只给出对本会话而言新的内容；错误和回复会记录下来，会话结\n" +
		"束时放入队列。不用模型，不用网络，不等待任何人，无论发生什么都以 0 退出；出错\n" +
		"的情况记录下来，供 status 和 doctor 查看。在不是工作区的目录中什么也不做。"},
	{ID: "help.hook.example", Text: "{program} hook claude-code SessionStart < event.json\n{program} hook codex < event.json"},

	{ID: "help.install.short", Text: "把钩子装入宿主"},
	{ID: "help.install.long", Text: "把钩子加入某个宿主的设置。不写名称时会说出认识哪些宿主；{program} doctor 会列出哪\n" +
		"些还没有安装。若钩子自成一个文件，就新建该文件。别人的钩子、它们的顺序以及其他\n" +
		"每个字节都保持原样，并在文件旁保留备份。无法理解的文件不会改动，而是输出可供手\n" +
		"工加入的片段。再次安装不会改变什么，或把变动过的修好。项目的设置与他人共享，因\n" +
		"此那里的钩子只写程序名 {program}。\n\n" +
		"没有钩子的代理可以通过技能（--skill）或 AGENTS.md 中的一段说明\n" +
		"（--agents-md）学会命令，或者使用 {program} mcp 的工具（--mcp）。"},
	{ID: "help.install.example", Text: "{program} install claude-code\n" +
		"{program} install codex --dry-run\n" +
		"{program} install claude-code --scope project\n" +
		"{program} install claude-code --events SessionStart,UserPromptSubmit,SessionEnd\n" +
		"{program} install --skill\n" +
		"{program} install codex --mcp --print"},
	{ID: "help.install.flag.scope", Text: "谁的设置：`范围` user 或 project"},
	{ID: "help.install.flag.events", Text: "只装这些 `事件`，以逗号分隔"},
	{ID: "help.install.flag.trace", Text: "也接收成功的工具调用"},
	{ID: "help.install.flag.print", Text: "只输出可供手工加入的片段，不做任何改动"},
	{ID: "help.uninstall.short", Text: "把钩子从宿主卸载"},
	{ID: "help.uninstall.long", Text: "从设置中去掉我们的钩子以及 install 为它们所建的内容，其余不动。已有的经验留在\n" +
		"原处。重复卸载不算错误。"},
	{ID: "help.uninstall.example", Text: "{program} uninstall claude-code\n{program} uninstall codex --dry-run\n{program} uninstall --skill"},
	{ID: "help.uninstall.flag.scope", Text: "谁的设置：`范围` user 或 project"},

	{ID: "help.status.short", Text: "显示记忆的现状"},
	{ID: "help.status.long", Text: "显示范围、各库及其计数、注入的长度、队列、提案、隔离、交接、会话，以及钩子最近\n" +
		"的故障。不改动任何条目。"},
	{ID: "help.status.example", Text: "{program} status\n{program} status --json -C ~/code/app"},

	{ID: "help.doctor.short", Text: "查找不正常之处"},
	{ID: "help.doctor.long", Text: "检查设置、各库及其锁、队列，以及每个宿主的钩子：是否恰好各有一个，所调用的程序\n" +
		"是否存在，最近一次事件何时到达。它什么也不修理。发现问题时以 1 退出。"},
	{ID: "help.doctor.example", Text: "{program} doctor"},

	{ID: "help.version.short", Text: "显示版本"},
	{ID: "help.version.long", Text: "显示程序的版本；加上 --json 还显示构建信息。用 --version 代替命令名也一样。"},
	{ID: "help.version.example", Text: "{program} version --json"},
}
