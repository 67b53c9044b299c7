package cordiscmd

import "github.com/dshkit/dshkit/internal/cli"

// helpChinese holds the help of every command and flag, in the order of
// helpEnglish.
var helpChinese = cli.Table{
	{ID: "help.short", Text: "编程代理的动态插件"},
	{ID: "help.long", Text: "运行代理在工作中写下的插件，撤销时不留痕迹。插件有 Host 半部（在本机独立的进程中运行）、\n" +
		"Client 半部（在有人允许之后于页面中运行），或两者都有。每个工作区由一个宿主进程保管它们，\n" +
		"只在内存里：宿主结束，插件也就消失。工作区自身数据之外的一切，在您授权之前都无法触及。\n" +
		"沙箱防止意外；对您已授权的内容，它不是安全边界。"},
	{ID: "help.example", Text: "{program} host start\n" +
		"{program} define --new clock --name Clock --purpose \"报时\" --host-file clock.js\n" +
		"{program} run clock-1 pkg-1\n" +
		"{program} invoke clock-1 now\n" +
		"{program} host stop"},
	{ID: "help.group.plugins", Text: "插件："},
	{ID: "help.group.person", Text: "由人决定："},
	{ID: "help.group.model", Text: "供代理与 harness 使用："},
	{ID: "help.group.host", Text: "宿主："},
	{ID: "help.group.alone", Text: "无需宿主："},

	{ID: "flag.autostart", Text: "没有宿主时启动它"},
	{ID: "flag.timeout", Text: "经过 `DURATION` 后放弃，例如 30s 或 5m"},
	{ID: "flag.session", Text: "代表这个 `SESSION`，否则取 $CORDIS_SESSION，再否则为 default"},
	{ID: "flag.trusted", Text: "让 Host 半部在宿主自己的进程中运行：插件因此可能使宿主结束"},

	{ID: "help.define.short", Text: "定义插件的一个版本"},
	{ID: "help.define.long", Text: "检查两个半部的语法，并保存为不再改变的 Package。这里什么也不运行，运行由 run 负责。\n" +
		"--new 以三到六个小写字母的前缀新建插件；--plugin 为已有插件添加版本。FILE 为 - 时读标准\n" +
		"输入；--from 接受工具 cordis_define 的参数。宿主跨所有 Session 为插件和 Package 编号：请使用它\n" +
		"打印的 id。"},
	{ID: "help.define.example", Text: "{program} define --new clock --name Clock --purpose \"报时\" --host-file clock.js\n" +
		"{program} define --plugin clock-1 --name \"Clock 2\" --purpose \"更好地报时\" --host-file clock.js --client-file face.js\n" +
		"cat call.json | {program} define --from - --json"},
	{ID: "help.define.flag.new", Text: "新建插件，其 id 以此 `PREFIX` 开头"},
	{ID: "help.define.flag.plugin", Text: "为此 `PLUGIN` 添加版本"},
	{ID: "help.define.flag.name", Text: "名称：`TEXT`"},
	{ID: "help.define.flag.purpose", Text: "用途：`TEXT`"},
	{ID: "help.define.flag.host-file", Text: "Host 半部的 `FILE`"},
	{ID: "help.define.flag.client-file", Text: "Client 半部的 `FILE`"},
	{ID: "help.define.flag.from", Text: "以 `JSON` 给出全部内容，- 表示标准输入"},

	{ID: "help.run.short", Text: "运行插件的一个版本"},
	{ID: "help.run.long", Text: "运行一个 Package。--mode run 用于启动、重新启动，或在更新失败后回到当前版本；--mode update\n" +
		"切换到另一个版本，也包括较旧的版本。带 Client 半部的 Package 需要页面，第一次还需要有人\n" +
		"允许：这时立即以 10 退出，结果由 feedback 告知。--wait 会等到有结果：0 表示在运行，3 表示\n" +
		"被拒绝，7 表示失败，8 表示被取消或时间已到。--wait 的值用 = 连接。"},
	{ID: "help.run.example", Text: "{program} run clock-1 pkg-1\n{program} run clock-1 pkg-2 --mode update --wait=2m"},
	{ID: "help.run.flag.mode", Text: "`run` 或 update"},
	{ID: "help.run.flag.wait", Text: "等到有结果，最长 `DURATION`"},

	{ID: "help.stop.short", Text: "停止插件"},
	{ID: "help.stop.long", Text: "撤销插件做过的一切，包括正在进行的启动。各版本以及哪个是当前版本保持不变。插件没有运行\n也可以。"},
	{ID: "help.stop.example", Text: "{program} stop clock-1"},
	{ID: "help.undefine.short", Text: "删除插件"},
	{ID: "help.undefine.long", Text: "停止插件，并忘记它的各版本以及有人为它允许过的内容。"},
	{ID: "help.undefine.example", Text: "{program} undefine clock-1"},

	{ID: "help.invoke.short", Text: "调用插件的 handler"},
	{ID: "help.invoke.long", Text: "调用 Host 半部用 harness.handle 声明的方法，如同它的 Client 半部那样。参数是 JSON，省略为\nnull，- 表示标准输入。"},
	{ID: "help.invoke.example", Text: "{program} invoke clock-1 now\n{program} invoke clock-1 now '{\"zone\":\"UTC\"}' --json"},
	{ID: "help.invoke.flag.run", Text: "只在此 `RUN` 是活动运行时调用"},

	{ID: "help.inventory.short", Text: "列出所有 Session 的插件"},
	{ID: "help.inventory.long", Text: "列出每个插件的 Session、状态、正在运行的内容、当前版本与下一版本。不显示源码。"},
	{ID: "help.inventory.example", Text: "{program} inventory\n{program} inventory --json"},

	{ID: "help.inspect.short", Text: "插件代码能用什么，Session 拥有什么"},
	{ID: "help.inspect.long", Text: "provider 描述插件代码可用的内容：服务、事件、内建名称、工具，有页面时还有 slot 与主题。\n不写动词则列出它们。"},
	{ID: "help.inspect.example", Text: "{program} inspect\n{program} inspect query host Service listService --input '{\"service\":\"fs\"}'\n{program} inspect self clock-1"},
	{ID: "help.inspect.list.short", Text: "列出 provider"},
	{ID: "help.inspect.list.long", Text: "先列出宿主的 provider，再列出页面告知的 provider。"},
	{ID: "help.inspect.list.example", Text: "{program} inspect list"},
	{ID: "help.inspect.query.short", Text: "查询 provider"},
	{ID: "help.inspect.query.long", Text: "查询 provider 的一个方法。对 client 的查询需要已连接过的页面，并等待它的回答，\n直到时间用完。"},
	{ID: "help.inspect.query.example", Text: "{program} inspect query host Builtin listBuiltins\n{program} inspect query client Slots listSubTree --timeout 5s"},
	{ID: "help.inspect.query.flag.input", Text: "输入，`JSON` 或 -（标准输入）"},
	{ID: "help.inspect.self.short", Text: "查看 Session 的插件、一个插件，或一个版本及其源码"},
	{ID: "help.inspect.self.long", Text: "不带名称时为该 Session 的插件；带 PLUGIN 时为它的各版本；带 PACKAGE 时为该版本的源码与状态。"},
	{ID: "help.inspect.self.example", Text: "{program} inspect self\n{program} inspect self clock-1 pkg-1"},

	{ID: "help.approvals.short", Text: "列出等待人或页面的请求"},
	{ID: "help.approvals.long", Text: "列出已请求而尚无结果的运行：需要有人允许的，以及还要由页面执行的。"},
	{ID: "help.approvals.example", Text: "{program} approvals"},
	{ID: "help.approve.short", Text: "允许一次运行"},
	{ID: "help.approve.long", Text: "允许该版本的 Client 半部；加上 --future 则也允许该插件今后的所有版本，并把运行交给页面。\n没有页面时以 10 退出：运行已被允许，由第一个连接的页面执行。"},
	{ID: "help.approve.example", Text: "{program} approve approval-1\n{program} approve approval-1 --future"},
	{ID: "help.approve.flag.future", Text: "也允许该插件今后的所有版本"},
	{ID: "help.decline.short", Text: "拒绝一次运行"},
	{ID: "help.decline.long", Text: "拒绝所请求的内容。什么也不会执行，并告知代理不要再次请求。"},
	{ID: "help.decline.example", Text: "{program} decline approval-1"},

	{ID: "help.panel.short", Text: "执行人在页面面板中的操作"},
	{ID: "help.panel.long", Text: "以人自己的名义运行、停止、删除任一 Session 的插件：代理在下一步得知，不会被唤醒。"},
	{ID: "help.panel.example", Text: "{program} panel stop clock-1"},
	{ID: "help.panel.run.short", Text: "运行插件的一个版本"},
	{ID: "help.panel.run.long", Text: "像人那样运行一个 Package：不再需要有人允许。Client 半部需要页面。"},
	{ID: "help.panel.run.example", Text: "{program} panel run clock-1 pkg-1"},
	{ID: "help.panel.run.flag.mode", Text: "`run` 或 update"},
	{ID: "help.panel.stop.short", Text: "停止插件"},
	{ID: "help.panel.stop.long", Text: "停止任一 Session 的插件。"},
	{ID: "help.panel.stop.example", Text: "{program} panel stop clock-1"},
	{ID: "help.panel.remove.short", Text: "删除插件"},
	{ID: "help.panel.remove.long", Text: "停止任一 Session 的插件并忘记它。"},
	{ID: "help.panel.remove.example", Text: "{program} panel remove clock-1"},

	{ID: "help.page.short", Text: "运行 Client 半部的页面"},
	{ID: "help.page.long", Text: "告知宿主提供的页面在哪里。"},
	{ID: "help.page.example", Text: "{program} page url"},
	{ID: "help.page.url.short", Text: "打印页面的地址"},
	{ID: "help.page.url.long", Text: "打印地址，其中含有秘密：得到它的人可以代您操作。"},
	{ID: "help.page.url.example", Text: "{program} page url"},
	{ID: "help.page.open.short", Text: "打印打开页面的地址"},
	{ID: "help.page.open.long", Text: "与 page url 一样打印地址，供您在浏览器中打开；不会启动浏览器。"},
	{ID: "help.page.open.example", Text: "{program} page open"},

	{ID: "help.grant.short", Text: "工作区的插件可以触及什么"},
	{ID: "help.grant.long", Text: "插件可以读写自己的数据。此外能触及什么在这里授权，只对本机上的这个工作区有效；授权保存在\n" +
		"您自己的目录里，因此克隆来的仓库不会带来授权。不写动词则列出它们。更改立即生效。"},
	{ID: "help.grant.example", Text: "{program} grant\n{program} grant allow fs:read ./docs\n{program} grant allow shell git"},
	{ID: "help.grant.list.short", Text: "列出授权"},
	{ID: "help.grant.list.long", Text: "列出本工作区的插件可以触及的内容。"},
	{ID: "help.grant.list.example", Text: "{program} grant list"},
	{ID: "help.grant.allow.short", Text: "允许插件触及某项内容"},
	{ID: "help.grant.allow.long", Text: "KIND 为 fs:read 或 fs:write（目标是目录或文件）、shell（目标是程序，* 表示任意命令行），或\n" +
		"web（目标是主机：example.org、*.example.org，* 表示所有公网主机）。路径从工作区算起。"},
	{ID: "help.grant.allow.example", Text: "{program} grant allow fs:write ./out\n{program} grant allow web api.example.org"},
	{ID: "help.grant.revoke.short", Text: "收回授权"},
	{ID: "help.grant.revoke.long", Text: "从下一次调用起，插件不能再触及它。"},
	{ID: "help.grant.revoke.example", Text: "{program} grant revoke shell git"},

	{ID: "help.mcp.short", Text: "通过 MCP 为代理服务"},
	{ID: "help.mcp.long", Text: "在标准输入与输出上说 Model Context Protocol，每行一条消息，直到输入结束。代理得到 cordis 的\n" +
		"七个工具，以及其 Session 的插件注册的工具；后者变化时会告知代理。宿主中途结束时，下一次\n" +
		"调用会重新寻找它；--autostart 会启动它。"},
	{ID: "help.mcp.example", Text: "{program} mcp --autostart\n{program} mcp -C ~/src/project --session review"},

	{ID: "help.tool.short", Text: "插件注册的工具"},
	{ID: "help.tool.long", Text: "列出并调用插件向某个 Session 的代理提供的工具。不写动词则列出。"},
	{ID: "help.tool.example", Text: "{program} tool\n{program} tool call translate '{\"word\":\"two\"}'"},
	{ID: "help.tool.list.short", Text: "列出工具"},
	{ID: "help.tool.list.long", Text: "列出该 Session 可以调用的工具，不含 cordis 的七个工具。"},
	{ID: "help.tool.list.example", Text: "{program} tool list --json"},
	{ID: "help.tool.call.short", Text: "调用工具"},
	{ID: "help.tool.call.long", Text: "以 JSON 参数调用工具，省略为 {}，- 表示标准输入。打印工具为模型呈现的文字；--json 还给出值。"},
	{ID: "help.tool.call.example", Text: "{program} tool call translate '{\"word\":\"two\"}'"},

	{ID: "help.tool-call.short", Text: "像代理那样调用七个工具之一"},
	{ID: "help.tool-call.long", Text: "供连接 harness 的程序使用：以 JSON 接受 cordis_define、cordis_run 等工具的参数，打印给模型的\n文字，加 --json 则打印值。"},
	{ID: "help.tool-call.example", Text: "{program} tool-call cordis_inspect_self '{}' --json"},
	{ID: "help.schema.short", Text: "打印七个工具的 schema"},
	{ID: "help.schema.long", Text: "打印模型得知的工具说明；带 NAME 与 --json 时只打印该工具参数的 JSON Schema。"},
	{ID: "help.schema.example", Text: "{program} schema cordis_define --json"},
	{ID: "help.mention.short", Text: "打印文字中 @PLUGIN 所代表的内容"},
	{ID: "help.mention.long", Text: "用户的文字用 @ 提到插件时，打印应附在其后的上下文，供 harness 使用。"},
	{ID: "help.mention.example", Text: "{program} mention --text \"让 @clock-1 走慢一点\""},
	{ID: "help.mention.flag.text", Text: "用户写的文字：`TEXT` 或 -（标准输入）"},
	{ID: "help.prompt.short", Text: "打印插件向代理的提示词补充的内容"},
	{ID: "help.prompt.long", Text: "打印仍在运行的插件通过 systemPrompt 登记的内容：先是各节，再是工具建议，最后是上下文。\nharness 在每一轮之前询问；--json 把各部分分开。MCP 客户端以提示词 \"plugins\" 得到它。"},
	{ID: "help.prompt.example", Text: "{program} prompt\n{program} prompt --json"},
	{ID: "help.feedback.short", Text: "取走要告知某个 Session 的代理的内容"},
	{ID: "help.feedback.long", Text: "打印并移除等待某个 Session 的消息：steer 唤醒代理或进入它的下一步，context 随下一步到来。\n--keep 则留下它们。"},
	{ID: "help.feedback.example", Text: "{program} feedback\n{program} feedback --wait 30s --kind steer --json"},
	{ID: "help.feedback.flag.wait", Text: "等待第一条，最长 `DURATION`"},
	{ID: "help.feedback.flag.kind", Text: "只要 `steer` 或 context"},
	{ID: "help.feedback.flag.keep", Text: "留在队列中"},
	{ID: "help.feedback.flag.format", Text: "`json` 或 text"},
	{ID: "help.guide.short", Text: "打印告知代理的动态插件说明"},
	{ID: "help.guide.long", Text: "打印代理提示词中的一节：足以写出能运行的插件。"},
	{ID: "help.guide.example", Text: "{program} guide >> AGENTS.md"},
	{ID: "help.skill.short", Text: "打印编写插件的 skill"},
	{ID: "help.skill.long", Text: "打印带示例与做法的较长文字，供代理在编写插件时加载。"},
	{ID: "help.skill.example", Text: "{program} skill\n{program} skill --lang zh-CN --json"},

	{ID: "help.host.short", Text: "工作区的宿主进程"},
	{ID: "help.host.long", Text: "每个工作区由一个宿主保管插件。它在被停止时结束，所保管的一切随之消失。"},
	{ID: "help.host.example", Text: "{program} host start\n{program} host status\n{program} host stop"},
	{ID: "help.host.start.short", Text: "在后台启动宿主"},
	{ID: "help.host.start.long", Text: "启动与本终端分离的宿主，等它应答后返回。已在运行也可以。它写入 .cordis/host.log。"},
	{ID: "help.host.start.example", Text: "{program} host start\n{program} host start --idle 2h"},
	{ID: "help.host.start.flag.eval-timeout", Text: "求值持续 `DURATION` 不让出时终止它（5s）"},
	{ID: "help.host.start.flag.idle", Text: "没有客户端也没有运行中的插件达 `DURATION` 后结束"},
	{ID: "help.host.status.short", Text: "查看宿主"},
	{ID: "help.host.status.long", Text: "显示进程、套接字、运行时长，以及插件、运行与请求的数量。"},
	{ID: "help.host.status.example", Text: "{program} host status --json"},
	{ID: "help.host.stop.short", Text: "停止宿主"},
	{ID: "help.host.stop.long", Text: "请宿主结束，并等到所有插件都已撤销。没有宿主也可以。"},
	{ID: "help.host.stop.example", Text: "{program} host stop"},
	{ID: "help.host.logs.short", Text: "打印宿主与插件的日志"},
	{ID: "help.host.logs.long", Text: "打印 .cordis/host.log 的末尾，宿主结束后也可以。"},
	{ID: "help.host.logs.example", Text: "{program} host logs\n{program} host logs -f"},
	{ID: "help.host.logs.flag.follow", Text: "继续打印新增的内容"},
	{ID: "help.host.logs.flag.lines", Text: "末尾的 `LINES` 行；0 表示全部"},
	{ID: "help.serve.short", Text: "在前台充当宿主"},
	{ID: "help.serve.long", Text: "充当宿主，直到被中断或停止；用于服务管理器，或旁观：插件的日志写到标准错误。"},
	{ID: "help.serve.example", Text: "{program} serve\n{program} serve --idle 30m"},
	{ID: "help.serve.flag.eval-timeout", Text: "求值持续 `DURATION` 不让出时终止它（5s）"},
	{ID: "help.serve.flag.idle", Text: "没有客户端也没有运行中的插件达 `DURATION` 后结束"},
	{ID: "help.events.short", Text: "打印告知页面的事件"},
	{ID: "help.events.long", Text: "打印保留的事件，每行一个；加 --follow 则继续打印新到的事件。加 --json 时每行是一个 JSON 文档。"},
	{ID: "help.events.example", Text: "{program} events --follow --json"},
	{ID: "help.events.flag.since", Text: "只要此 `NUMBER` 之后的"},
	{ID: "help.events.flag.follow", Text: "继续打印新到的事件"},
	{ID: "help.journal.short", Text: "打印工作区里发生过的事"},
	{ID: "help.journal.long", Text: "打印 .cordis/journal.jsonl 的末尾：定义、运行、决定、失败，也包括先前的宿主。它只供阅读，\n不用于恢复。"},
	{ID: "help.journal.example", Text: "{program} journal\n{program} journal --lines 0 --json"},
	{ID: "help.journal.flag.lines", Text: "末尾的 `LINES` 行；0 表示全部"},
	{ID: "help.doctor.short", Text: "检查一切是否正常"},
	{ID: "help.doctor.long", Text: "检查工作区、宿主、授权，以及 Host 半部能否运行。不作任何更改。"},
	{ID: "help.doctor.example", Text: "{program} doctor\n{program} doctor --json"},

	{ID: "help.exec.short", Text: "不用宿主运行一个 Host 半部"},
	{ID: "help.exec.long", Text: "求值并应用该半部，按选项的顺序调用 handler 与工具，然后撤销它：用于测试与脚本。它的日志写到\n" +
		"标准错误，调用的结果写到标准输出。调用结束即退出：只设定时器或监听事件的\n" +
		"半部要用 --for 停留到它们触发。它拥有工作区的授权。"},
	{ID: "help.exec.example", Text: "{program} exec clock.js --invoke 'now {\"zone\":\"UTC\"}'\n{program} exec ticker.js --for 3s"},
	{ID: "help.exec.flag.for", Text: "调用之后再停留 `DURATION`"},
	{ID: "help.exec.flag.invoke", Text: "调用 handler：`'METHOD [JSON]'`"},
	{ID: "help.exec.flag.call", Text: "调用它注册的工具：`'NAME [JSON]'`"},
	{ID: "help.check.short", Text: "检查半部的语法"},
	{ID: "help.check.long", Text: "像 define 那样检查文件，什么也不运行。以 64 退出时指出行与列。"},
	{ID: "help.check.example", Text: "{program} check clock.js\n{program} check --client face.js --json"},
	{ID: "help.check.flag.client", Text: "这是 Client 半部"},
	{ID: "help.version.short", Text: "打印版本"},
	{ID: "help.version.long", Text: "打印程序的版本；加 --json 还会给出它由什么构建而来。"},
	{ID: "help.version.example", Text: "{program} version\n{program} version --json"},
}
