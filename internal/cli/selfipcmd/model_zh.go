package selfipcmd

import "github.com/dshkit/dshkit/internal/cli"

// modelChinese is what is said about language models, in the order of
// modelEnglish.
var modelChinese = cli.Table{
	{ID: "model-budget", Text: "今天的模型 token 预算：已用 %d / %d，这次调用可能还要 %d"},
	{ID: "model-budget.hint", Text: "明天会有新的额度；每日额度由设置 dailyTokens 决定"},
	{ID: "model-paused", Text: "模型服务要求在 %s 之前不再调用"},
	{ID: "model-cut", Text: "模型的回答还没有内容就被截断"},
	{ID: "model-cut.hint", Text: "token 可能都花在推理上了；设置 modelEffort 可以让它少推理"},
	{ID: "model-short", Text: "模型的回答 %q 太短，不能算回答"},
	{ID: "state-unusable", Text: "%s 无法使用，模型调用无法记账，因此没有调用"},
}
