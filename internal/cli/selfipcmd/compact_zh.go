package selfipcmd

import "github.com/dshkit/dshkit/internal/cli"

// compactChinese is compactEnglish in Chinese.
var compactChinese = cli.Table{
	{ID: "help.compact.short", Text: "用更少的行说同样的内容"},
	{ID: "help.compact.long", Text: "缩短当前范围所写库中的文件，或按文件名、类型指定的那一个。含义相同的条目只留一\n" +
		"条，并保留其中最好的元数据。配置了模型时，关于同一件事的条目会被合并，前提是每个\n" +
		"数字、名称、路径与否定都还在；丢失更多内容的回答会被拒绝，文件不变。被合并的条目\n" +
		"以作废的形式移入归档，压缩前的文本保存在同一目录的 backup-FILE 中，undo 可以\n" +
		"全部撤销。后台进程会自动压缩 4000 字以上的文件，每个文件最多半小时一次。"},
	{ID: "help.compact.example", Text: "{program} compact --dry-run\n{program} compact facts\n{program} compact lesson --local"},
	{ID: "help.compact.flag.local", Text: "不用模型：只处理含义相同的条目"},
	{ID: "help.compact.flag.due", Text: "与后台进程一样，只在文件够长且近期没有压缩过时进行"},
	{ID: "no-partition", Text: "没有名为 %q 的文件或类型"},
	{ID: "no-partition.hint", Text: "文件有 lessons、facts、resources 和 methods"},
	{ID: "compacting", Text: "另一个进程正在压缩 %s"},
	{ID: "compacting.hint", Text: "请一分钟后再试"},
	{ID: "compact-none", Text: "没有可压缩的内容"},
	{ID: "compact-nothing", Text: "%s：没有重复的内容"},
	{ID: "compact-rejected", Text: "%s：%s 的回答被拒绝：%s；未作任何改动"},
	{ID: "compact-done", Text: "%s：字数 %d -> %d，条目 %d -> %d（%s）"},
	{ID: "compact-parts", Text: "  已由其他条目说明：%d，合并：%d 条为 %d 条，移入归档：%d"},
	{ID: "compact-missing", Text: "  回答中没有、予以保留：%d"},
	{ID: "compact-stale", Text: "  条目在此期间已变、未作的合并：%d"},
	{ID: "compact-low", Text: "  已移出、且在回答中几乎找不到：%s"},
	{ID: "compact-stood-in", Text: "内置引擎代替了模型：%s"},
	{ID: "compact-undo", Text: "  压缩前的文本：%s；撤销：selfip undo %s"},
	{ID: "op-compact", Text: "压缩"},
	{ID: "by-compact", Text: "压缩所为"},
	{ID: "origin-compact", Text: "由压缩写入"},
	{ID: "compact-why-cut", Text: "回答被截断"},
	{ID: "compact-why-short", Text: "回答过短"},
	{ID: "compact-why-no-bullets", Text: "回答中没有条目"},
	{ID: "compact-why-unfaithful", Text: "回答中找不到半数以上的条目"},

	{ID: "help.prune.short", Text: "清除过期且不再有用的内容"},
	{ID: "help.prune.long", Text: "清除比设置 keepDays 更旧的内容：已复盘的会话日志与快照、被隔离的文本、备份、会话\n" +
		"已不存在的死信、日志中的旧行。从不清除条目，也不清除尚未复盘的内容。后台进程每天\n" +
		"执行一次，logs/prune.md 记录清除了什么。"},
	{ID: "help.prune.example", Text: "{program} prune --dry-run\n{program} prune --days 30"},
	{ID: "help.prune.flag.days", Text: "以 `数字` 天为限，代替设置中的天数"},
	{ID: "help.prune.flag.due", Text: "与后台进程一样，只在一天没有执行过时进行"},
	{ID: "bad-days", Text: "%d 不是从 1 起的天数"},
	{ID: "prune-off", Text: "设置 keepDays 为 0：全部保留"},
	{ID: "prune-off.hint", Text: "%[1]s prune --days N 仍可清除 N 天以前的内容"},
	{ID: "prune-nothing", Text: "没有超过 %d 天且不再有用的内容"},
	{ID: "pruned", Text: "%s：%s，文件：%d，行：%d，字节：%d"},
	{ID: "prune-logs", Text: "会话日志"},
	{ID: "prune-snapshots", Text: "快照"},
	{ID: "prune-quarantine", Text: "隔离文本"},
	{ID: "prune-backups", Text: "备份"},
	{ID: "prune-dead", Text: "死信"},
	{ID: "prune-rows", Text: "日志行"},
	{ID: "prune-failures", Text: "故障记录"},
	{ID: "prune-heartbeats", Text: "宿主的信号"},

	{ID: "help.status.flag.plot", Text: "逐日显示条目数、注入字数与 token 数的变化"},
	{ID: "help.status.flag.days", Text: "与 --plot 一起：最近 `数字` 天"},
	{ID: "bad-plot-days", Text: "%d 不是 1 到 %d 之间的天数"},
	{ID: "plot-size", Text: "条目数，含归档（%s）"},
	{ID: "plot-injected", Text: "每天给会话读的字数"},
	{ID: "plot-tokens", Text: "每天的模型 token 数"},
	{ID: "plot-sums", Text: "%d 天：会话 %d，字数 %d，token %d"},
}
