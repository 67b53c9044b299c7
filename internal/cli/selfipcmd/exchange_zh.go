package selfipcmd

import "github.com/dshkit/dshkit/internal/cli"

// exchangeChinese is exchangeEnglish in Chinese.
var exchangeChinese = cli.Table{
	{ID: "standard-input", Text: "标准输入"},
	{ID: "imported", Text: "已导入 %d 条到%s；已有 %d 条"},
	{ID: "import-replaced", Text: "被导入的条目取代而作废 %d 条"},
	{ID: "import-redacted", Text: "抹去了凭据的条目 %d 条"},
	{ID: "import-archived", Text: "因放不下而移入归档 %d 条"},
	{ID: "import-quarantined", Text: "输入中的第 %d 条读起来像给代理的指令（规则 %d）；已隔离为 %s"},
	{ID: "into-written", Text: "%d 条条目已写入 %s"},
	{ID: "left-out-blocked", Text: "有 %d 条读起来像指令，没有列出"},
	{ID: "into-same", Text: "%s 里已经都有了"},

	{ID: "as-of", Text: "截至 %s"},
	{ID: "bad-instant", Text: "%q 不是一个时间（应为日期、日期加时间，或多久以前：90m、36h、7d、2w）"},

	{ID: "read-input", Text: "无法读取 %s"},
	{ID: "long-row", Text: "它超过 %d MiB"},
	{ID: "long-text", Text: "文字超过 %d 个字符"},
	{ID: "bad-import", Text: "%s：第 %d 行无法导入"},
	{ID: "bad-import.hint", Text: "没有导入任何内容；每行应为一个含 text 的 JSON 对象"},
	{ID: "into-format", Text: "写入他人文件的只能是 %s"},
	{ID: "into-format.hint", Text: "去掉 --format，或写到标准输出"},
	{ID: "import-nothing", Text: "没有可导入的内容"},
	{ID: "import-nothing.hint", Text: "请给出文件、表示标准输入的 -，或用 --format claude-mem、--format engram 指明工具"},
	{ID: "import-project", Text: "只有工具的存储才分项目"},
	{ID: "import-project.hint", Text: "请用 --format 指明工具"},
	{ID: "import-not-text", Text: "%s 不是文本，或者超过 %d MiB"},
	{ID: "import-not-text.hint", Text: "没有导入任何内容；工具的存储请用 --format 读取"},
	{ID: "no-store", Text: "%s 不是记忆工具的导出"},
	{ID: "no-store.hint", Text: "没有导入任何内容；应为 SQLite 数据库，或含 observations 列表的 JSON"},
	{ID: "bad-row", Text: "%s：第 %d 条观察无法读取"},
	{ID: "bad-row.hint", Text: "没有导入任何内容"},
	{ID: "no-project", Text: "%s 中没有项目 %q 的内容；其中有 %s"},
	{ID: "no-project.hint", Text: "请用 --project 指明其他项目，或用 --project '*' 表示全部"},
	{ID: "no-home-for-store", Text: "不知道您的主目录，而 %s 的存储在那里"},
	{ID: "no-home-for-store.hint", Text: "请指明文件"},
	{ID: "no-store-there", Text: "%s 在 %q 没有存储"},
	{ID: "no-store-there.hint", Text: "请指明文件，或该工具导出的文件"},
	{ID: "no-sqlite", Text: "%q 是 %s 的数据库，而读取它的程序 sqlite3 不在路径上"},
	{ID: "no-sqlite.hint", Text: "请安装 sqlite3，或指明该工具导出的 JSON 文件"},
	{ID: "store-too-long", Text: "%s 超过 %d MiB"},
	{ID: "program-timeout", Text: "%s 在 %d 秒内没有结束"},
	{ID: "program-failed", Text: "%s 失败：%s"},

	{ID: "help.memory.flag.as-of", Text: "列出当时（`时间`）所记的：日期、日期加时间，或 7d 表示一周前"},

	{ID: "help.export.short", Text: "把条目写到别处"},
	{ID: "help.export.long", Text: "把当前范围所读各库及其归档中的有效条目写到标准输出：每行一个 JSON 对象；用\n" +
		"--format markdown 则是给人看的列表。两者 import 都能读回。用 --into 时，列表成为\n" +
		"CLAUDE.md、AGENTS.md 之类文件中带标记的一块；再次导出会替换这一块，其余内容不\n" +
		"动。不改动任何条目。"},
	{ID: "help.export.example", Text: "{program} export > memory.jsonl\n{program} export --all > everything.jsonl\n{program} export --into CLAUDE.md --dry-run"},
	{ID: "help.export.flag.all", Text: "包括已作废的条目"},
	{ID: "help.export.flag.format", Text: "`格式`：jsonl 或 markdown"},
	{ID: "help.export.flag.into", Text: "写入 `文件`，自成一块"},

	{ID: "help.import.short", Text: "从别处存入条目"},
	{ID: "help.import.long", Text: "把文件或标准输入（-）的内容存入当前范围所写的库，合为一次变更。每段文字都像\n" +
		"remember 那样检查。\n\n" +
		"  jsonl      每行形如 {\"id\"?, \"t\"?, \"kind\"?, \"text\"}；export 写出的其他字段也会\n" +
		"             读取。编号已知而文字不同时，原来的条目作废。\n" +
		"  markdown   给人看的列表、记忆文件、CLAUDE.md、AGENTS.md、MEMORY.md：各要点与段\n" +
		"             落，类型由标题决定。\n" +
		"  claude-mem, engram\n" +
		"             该工具的存储，或它导出的文件。只读，由工具自身或程序 sqlite3 读取。\n" +
		"             不给文件时在主目录中寻找，取其中属于本项目的内容。\n\n" +
		"不写 --format 时，以 .md 结尾的文件是 Markdown，其余是 JSON 行。只要有一处无法读\n" +
		"取，就什么也不导入。"},
	{ID: "help.import.example", Text: "{program} import memory.jsonl\n{program} import --dry-run CLAUDE.md\n{program} import --format claude-mem"},
	{ID: "help.import.flag.format", Text: "`格式`：jsonl、markdown、claude-mem 或 engram"},
	{ID: "help.import.flag.project", Text: "工具中属于此 `项目` 的内容；'*' 表示全部"},
}
