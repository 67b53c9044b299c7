package mnemoncmd

import "github.com/dshkit/dshkit/internal/cli"

// helpChinese holds the help of every command and flag, in the order of
// helpEnglish.
var helpChinese = cli.Table{
	{ID: "help.short", Text: "编程代理的记忆，由插件组合而成"},
	{ID: "help.long", Text: "一个回合里代理记得什么，由各自保管记忆的记忆源（Source）与决定展示、可读、可写内容的\n" +
		"策略（Strategy）组合而成。结果是一个 View，在回合期间不变。插件是 npm 软件包或目录，\n" +
		"其代码只有在您允许之后才会运行。"},
	{ID: "help.example", Text: "{program} init\n" +
		"{program} plugin add dsh-mnemon-source-runtime\n" +
		"{program} plugin add dsh-mnemon-strategy-default-three-tier\n" +
		"{program} turn begin\n" +
		"{program} wake"},

	{ID: "help.init.short", Text: "准备工作区"},
	{ID: "help.init.long", Text: "创建 .mnemon 目录与空的插件列表。已有的文件保持不变。"},
	{ID: "help.init.example", Text: "{program} init\n{program} init --dir ~/code/shop"},

	{ID: "help.plugin.short", Text: "工作区的插件"},
	{ID: "help.plugin.long", Text: "查看和修改 .mnemon/mnemon.yml 中的插件列表。不写动词则列出它们。"},
	{ID: "help.plugin.example", Text: "{program} plugin\n{program} plugin add ./plugins/notes"},
	{ID: "help.plugin.list.short", Text: "列出插件"},
	{ID: "help.plugin.list.long", Text: "按顺序列出各 Entry 的 id、名称以及是否运行。"},
	{ID: "help.plugin.list.example", Text: "{program} plugin list\n{program} plugin list --json"},
	{ID: "help.plugin.add.short", Text: "添加插件并允许其代码运行"},
	{ID: "help.plugin.add.long", Text: "SPEC 是目录或文件（./notes）、压缩包（notes.tgz）或 npm 软件包\n" +
		"（dsh-mnemon-source-runtime、@me/notes@1.2.0）。目录留在原处；其余由您的 npm 安装到\n" +
		".mnemon/plugins 下，不运行任何脚本，并一并安装它所依赖的和配置所提到的插件包。此后其代\n" +
		"码可以在本机运行：能读写记忆目录，以及 --allow 所列的其他内容。允许只针对现在的样子：代码\n" +
		"或配置改动之后需再次允许，除非用 --follow 跟随您自己的目录。"},
	{ID: "help.plugin.add.example", Text: "{program} plugin add dsh-mnemon-source-runtime\n" +
		"{program} plugin add ./plugins/notes --id work --config path='${workspace}/notes.txt'\n" +
		"{program} plugin add dsh-mnemon-source-documents --allow fs:read=."},
	{ID: "help.plugin.add.flag.id", Text: "Entry 的 `ID`，记忆源的键由它构成"},
	{ID: "help.plugin.add.flag.config", Text: "配置的一个成员：`KEY=VALUE`，值为 JSON 或文本"},
	{ID: "help.plugin.add.flag.allow", Text: "允许它访问自身数据之外的 `WHAT`：fs:read=目录、fs:write=目录、net=主机、run=程序、env=名称"},
	{ID: "help.plugin.add.flag.disabled", Text: "只添加，不启用"},
	{ID: "help.plugin.add.flag.follow", Text: "目录改动之后仍然允许：用于您正在编写的目录"},
	{ID: "help.plugin.install.short", Text: "安装缺少的软件包"},
	{ID: "help.plugin.install.long", Text: "克隆来的工作区会提到本机还没有的软件包。此命令让您的 npm 把它们安装到 .mnemon/plugins\n" +
		"下，不运行任何脚本：包括各 Entry 所用的，以及其配置所提到的（例如 Provider）。若有\n" +
		".mnemon/plugins/package-lock.json，则按其中的版本安装。在您允许之前，其中的代码都不会运行。"},
	{ID: "help.plugin.install.example", Text: "{program} plugin install\n{program} plugin install --dry-run"},
	{ID: "help.plugin.show.short", Text: "查看插件"},
	{ID: "help.plugin.show.long", Text: "查看一个 Entry 的配置、可访问的内容，以及不能运行的原因。"},
	{ID: "help.plugin.show.example", Text: "{program} plugin show work"},
	{ID: "help.plugin.allow.short", Text: "允许插件的代码在本机运行"},
	{ID: "help.plugin.allow.long", Text: "克隆来的工作区可能列有您没见过的插件。请先看代码，再允许。可访问的内容保持原样，\n" +
		"除非用 --allow 或 --nothing-more 另行说明。"},
	{ID: "help.plugin.allow.example", Text: "{program} plugin allow work\n{program} plugin allow work --allow net=api.mem0.ai --allow env=MEM0_API_KEY"},
	{ID: "help.plugin.allow.flag.allow", Text: "允许它访问自身数据之外的 `WHAT`，取代此前的授权"},
	{ID: "help.plugin.allow.flag.nothing-more", Text: "只允许访问自身数据"},
	{ID: "help.plugin.allow.flag.follow", Text: "目录改动之后仍然允许：用于您正在编写的目录"},
	{ID: "help.plugin.enable.short", Text: "启用插件"},
	{ID: "help.plugin.enable.long", Text: "插件参与此后开始的回合。"},
	{ID: "help.plugin.enable.example", Text: "{program} plugin enable work"},
	{ID: "help.plugin.disable.short", Text: "停用插件"},
	{ID: "help.plugin.disable.long", Text: "插件不参与此后开始的回合。它保存的内容不变，已带着它开始的回合照常进行。"},
	{ID: "help.plugin.disable.example", Text: "{program} plugin disable work"},
	{ID: "help.plugin.configure.short", Text: "修改插件的配置"},
	{ID: "help.plugin.configure.long", Text: "设置配置的成员。VALUE 是 JSON，否则按文本处理；不写值则去掉该成员。文本中的\n" +
		"${workspace} 与 ${home} 在插件启动时代入。"},
	{ID: "help.plugin.configure.example", Text: "{program} plugin configure light maxProjectionCharacters=2048\n{program} plugin configure work path="},
	{ID: "help.plugin.test.short", Text: "运行插件的测试"},
	{ID: "help.plugin.test.long", Text: "运行测试文件，或目录中的测试文件（*.test.ts、*.test.js 等）；不给 PATH 时为当前目录。测试用\n" +
		"node:test 和 node:assert 编写，用 dsh-mnemon/testing 的 MemoryCompositionRunner 挂载插\n" +
		"件。每个文件可读自己的软件包，并有全新的主目录和临时目录；您的记忆源所保存的内容无法访问。\n" +
		"测试打印的内容写到标准错误。"},
	{ID: "help.plugin.test.example", Text: "{program} plugin test ./plugins/notes\n{program} plugin test notes.test.ts --allow net=localhost"},
	{ID: "help.plugin.test.flag.allow", Text: "允许测试访问 `WHAT`，与 plugin add 相同"},
	{ID: "help.plugin.rm.short", Text: "从列表移除插件"},
	{ID: "help.plugin.rm.long", Text: "从列表移除该 Entry 并收回授权。插件保存的内容与 npm 安装的文件不变。"},
	{ID: "help.plugin.rm.example", Text: "{program} plugin rm work"},

	{ID: "help.strategy.short", Text: "由哪个策略组合"},
	{ID: "help.strategy.long", Text: "每个回合由一个策略组合。不写动词则列出已安装的策略。"},
	{ID: "help.strategy.example", Text: "{program} strategy\n{program} strategy use default-three-tier"},
	{ID: "help.strategy.list.short", Text: "列出策略"},
	{ID: "help.strategy.list.long", Text: "启动插件并列出其中的策略。星号标出组合下一个回合的策略。"},
	{ID: "help.strategy.list.example", Text: "{program} strategy list"},
	{ID: "help.strategy.list.flag.timeout", Text: "插件可用的时长：`DURATION`，例如 30s 或 5m"},
	{ID: "help.strategy.use.short", Text: "选择策略"},
	{ID: "help.strategy.use.long", Text: "此后开始的回合由该类型的策略组合。若它不在而只有另一个策略，则由那一个组合，回合会\n说明这一点。"},
	{ID: "help.strategy.use.example", Text: "{program} strategy use general"},

	{ID: "help.inspect.short", Text: "查看插件能否组合"},
	{ID: "help.inspect.long", Text: "启动插件并显示编译的结果：策略、记忆源，以及缺少或被拒绝的内容。"},
	{ID: "help.inspect.example", Text: "{program} inspect\n{program} inspect --json"},
	{ID: "help.inspect.flag.timeout", Text: "插件可用的时长：`DURATION`，例如 30s 或 5m"},

	{ID: "help.turn.short", Text: "回合"},
	{ID: "help.turn.long", Text: "回合是代理所用的一个 View。不写动词则列出各回合。"},
	{ID: "help.turn.example", Text: "{program} turn begin\n{program} turn end"},
	{ID: "help.turn.list.short", Text: "列出回合"},
	{ID: "help.turn.list.long", Text: "列出进行中和最近释放的回合，最新的在前。"},
	{ID: "help.turn.list.example", Text: "{program} turn list"},
	{ID: "help.turn.begin.short", Text: "组合 View 并以它开始回合"},
	{ID: "help.turn.begin.long", Text: "启动插件，组合 View 并存到 .mnemon/turns 下。回合的读写都依据这个 View，无论其间有\n" +
		"什么变化。用 --turn 指定时，再次调用返回已有的回合。"},
	{ID: "help.turn.begin.example", Text: "{program} turn begin\n{program} turn begin --turn session-7-3 --agent main --budget maxProjectionCharacters=4000"},
	{ID: "help.turn.begin.flag.turn", Text: "回合的 `ID`，不写则新建"},
	{ID: "help.turn.begin.flag.agent", Text: "为哪个代理（`AGENT`）"},
	{ID: "help.turn.begin.flag.session", Text: "在哪个会话（`SESSION`）"},
	{ID: "help.turn.begin.flag.scenario", Text: "用途：告诉记忆源与策略的 `SCENARIO`"},
	{ID: "help.turn.begin.flag.strategy", Text: "由该类型（`TYPE`）的策略组合"},
	{ID: "help.turn.begin.flag.budget", Text: "预算的一个成员：`KEY=NUMBER`"},
	{ID: "help.turn.begin.flag.timeout", Text: "插件可用的时长：`DURATION`，例如 30s 或 5m"},
	{ID: "help.turn.show.short", Text: "查看回合"},
	{ID: "help.turn.show.long", Text: "查看回合及其 View；不写名称则为最近开始的进行中的回合。"},
	{ID: "help.turn.show.example", Text: "{program} turn show\n{program} turn show session-7-3 --json"},
	{ID: "help.turn.end.short", Text: "释放回合"},
	{ID: "help.turn.end.long", Text: "结束回合；不写名称则为最近开始的进行中的回合。此后一段时间仍可查看，但不能再经由它\n读写。"},
	{ID: "help.turn.end.example", Text: "{program} turn end\n{program} turn end session-7-3"},

	{ID: "help.view.short", Text: "经由回合的 View 读写"},
	{ID: "help.view.long", Text: "View 的读取与写入操作就是其回合能读写的内容。"},
	{ID: "help.view.example", Text: "{program} view show\n{program} view route source:work/read"},
	{ID: "help.view.show.short", Text: "查看 View 及其文本"},
	{ID: "help.view.show.long", Text: "查看回合的 View：展示什么，提供哪些读取与写入操作。用 --json 则输出组合时的原样。"},
	{ID: "help.view.show.example", Text: "{program} view show\n{program} view show --json"},
	{ID: "help.view.show.flag.turn", Text: "该回合（`TURN`），不写则为最近开始的进行中的回合"},
	{ID: "help.view.route.short", Text: "按读取操作读取"},
	{ID: "help.view.route.long", Text: "通过提供该操作的记忆源读取，受 View 的上限约束：一个操作在回合中可调用的次数有限，\n失败的调用也计入。"},
	{ID: "help.view.route.example", Text: "{program} view route source:work/read\n{program} view route source:documents/search --input '{\"query\":\"cache\"}'"},
	{ID: "help.view.route.flag.turn", Text: "该回合（`TURN`），不写则为最近开始的进行中的回合"},
	{ID: "help.view.route.flag.input", Text: "`JSON` 格式的输入；- 表示从标准输入读取"},
	{ID: "help.view.route.flag.timeout", Text: "插件可用的时长：`DURATION`，例如 30s 或 5m"},
	{ID: "help.view.action.short", Text: "按写入操作写入"},
	{ID: "help.view.action.long", Text: "通过提供该操作的记忆源写入。提供不等于许可：没有 --authorize 就不写入。退出码与回执\n" +
		"一致：0 已提交，10 已受理或等待，11 部分或未知，1 失败。"},
	{ID: "help.view.action.example", Text: "{program} view action source:runtime/mutate --authorize \\\n  --input '{\"action\":\"add\",\"target\":\"memory\",\"content\":\"Uses pnpm.\"}'"},
	{ID: "help.view.action.flag.turn", Text: "该回合（`TURN`），不写则为最近开始的进行中的回合"},
	{ID: "help.view.action.flag.input", Text: "`JSON` 格式的输入；- 表示从标准输入读取"},
	{ID: "help.view.action.flag.authorize", Text: "许可这次写入"},
	{ID: "help.view.action.flag.timeout", Text: "插件可用的时长：`DURATION`，例如 30s 或 5m"},

	{ID: "help.wake.short", Text: "输出回合给提示词的内容"},
	{ID: "help.wake.long", Text: "输出策略的指引、View 展示的文本，以及代理可调用的读写操作，供钩子放进提示词。"},
	{ID: "help.wake.example", Text: "{program} wake\n{program} wake --turn session-7-3 --json"},
	{ID: "help.wake.flag.turn", Text: "该回合（`TURN`），不写则为最近开始的进行中的回合"},

	{ID: "help.version.short", Text: "输出版本"},
	{ID: "help.version.long", Text: "输出程序的版本；用 --json 还输出构建来源。"},
	{ID: "help.version.example", Text: "{program} version\n{program} version --json"},
}
