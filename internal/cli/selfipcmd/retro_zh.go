package selfipcmd

import "github.com/dshkit/dshkit/internal/cli"

// retroChinese is retroEnglish in Chinese.
var retroChinese = cli.Table{
	{ID: "help.retro.short", Text: "立刻对一个会话复盘"},
	{ID: "help.retro.long", Text: "从会话中得出结论并存下来，与会话结束后队列所做的相同：配置了模型就用模型，否则\n" +
		"用内置引擎；模型失败时也由内置引擎代替。不带参数时复盘最近有动静的会话。用\n" +
		"--transcript 指定未经过钩子的会话的日志文件，可以在任何位置。试运行不调用模型。"},
	{ID: "help.retro.example", Text: "{program} retro\n{program} retro --session 0b6f\n{program} retro --transcript session.jsonl --harness claude-code"},
	{ID: "help.retro.flag.session", Text: "会话的 `编号`"},
	{ID: "help.retro.flag.transcript", Text: "会话日志，即宿主写下的 `文件`"},
	{ID: "help.retro.flag.harness", Text: "写下该文件的 `宿主`"},

	{ID: "retro-whose", Text: "这个文件是哪个宿主写的？用 --harness 指定，取值之一：%s"},
	{ID: "retro-no-file", Text: "--harness 说明文件由谁写下，但没有指定文件"},
	{ID: "retro-no-file.hint", Text: "加上 --transcript FILE"},
	{ID: "retro-no-session", Text: "没有指定会话"},
	{ID: "retro-file", Text: "无法读取会话日志 %q"},
	{ID: "no-sessions-heard", Text: "这里没有钩子报告过尚未复盘的会话"},
	{ID: "no-sessions-heard.hint", Text: "用 `%[1]s install` 安装钩子；或用 --transcript FILE --harness NAME 从日志复盘"},
	{ID: "no-retro-session", Text: "没有会话 %q 的任何记录"},
	{ID: "no-retro-session.hint", Text: "`%[1]s session` 列出已知的会话"},
	{ID: "row-taken", Text: "另一个进程正在复盘会话 %q"},
	{ID: "empty-log", Text: "%q 中没有可以读作会话日志的内容"},
	{ID: "empty-log.hint", Text: "它是 --harness 所指的宿主写的吗？"},

	{ID: "queue-put-off", Text: "其余的已推迟：%s"},
	{ID: "learned-playbook", Text: "  SOP  %s"},
	{ID: "learned-proposal", Text: "  提案  %s（selfip proposals）"},
	{ID: "learned-withdrawn", Text: "  作废了不再成立的 %d 条"},
	{ID: "learned-dropped", Text: "  回答被截断，舍弃了 %d 个小节"},
	{ID: "learned-unclear", Text: "  模型的回答中没有可识别的小节"},
	{ID: "learned-instead", Text: "  由内置引擎完成，模型未能完成：%s"},
	{ID: "learned-left", Text: "  未保留：%s"},
}
