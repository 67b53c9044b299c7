package selfipcmd

import "github.com/dshkit/dshkit/internal/cli"

// feedbackChinese is feedbackEnglish in Chinese.
var feedbackChinese = cli.Table{
	{ID: "feedback-none", Text: "没有评价"},
	{ID: "feedback-bad", Text: "%s  不满意：%s"},
	{ID: "feedback-good", Text: "%s  满意：%s"},
	{ID: "feedback-about", Text: "  所评回复：%s"},

	{ID: "no-feedback", Text: "没有可记录的评价"},
	{ID: "hostile-words", Text: "内容像是给代理的指令（检测器 %d）"},
	{ID: "hostile-words.hint", Text: "请换一种说法"},
	{ID: "no-open", Text: "没有尚未复盘的会话"},
	{ID: "no-open.hint", Text: "%[1]s session 会列出钩子报告过的会话"},

	{ID: "help.feedback.short", Text: "您对代理回复的评价"},
	{ID: "help.feedback.long", Text: "不带子命令时，列出您的评价。复盘时，它比会话中的其他一切都更重要。"},
	{ID: "help.feedback.example", Text: "{program} feedback"},
	{ID: "help.feedback.list.short", Text: "列出评价"},
	{ID: "help.feedback.list.long", Text: "列出您的评价及其所评回复的开头，取自尚未复盘的会话和仍保留的会话日志；日志只\n" +
		"留负面评价。不做任何改动。"},
	{ID: "help.feedback.list.example", Text: "{program} feedback list --json"},
	{ID: "help.feedback.add.short", Text: "说出哪里不好，或哪里好"},
	{ID: "help.feedback.add.long", Text: "记下您对最近一次回复的评价，属于最近有动静的会话或指定的会话。它会进入会话日志和\n" +
		"复盘。评价只能由您给出：由代理启动的进程会被拒绝。"},
	{ID: "help.feedback.add.example", Text: "{program} feedback add 提交之前没有跑测试\n{program} feedback add --good 简短切题"},
	{ID: "help.feedback.add.flag.session", Text: "评价指定 `编号` 的会话"},
	{ID: "help.feedback.add.flag.good", Text: "您对这次回复满意"},
}
