package selfipcmd

import "github.com/dshkit/dshkit/internal/cli"

// tables lists what the commands say, in both languages. A noun with much to say
// has tables of its own, in NOUN_en.go and NOUN_zh.go.
var tables = [...]struct{ english, chinese cli.Table }{
	{english, chinese},
	{faultsEnglish, faultsChinese},
	{helpEnglish, helpChinese},
	{wiringEnglish, wiringChinese},
	{mcpEnglish, mcpChinese},
	{panelEnglish, panelChinese},
	{insideEnglish, insideChinese},
	{sharedEnglish, sharedChinese},
	{modelEnglish, modelChinese},
	{exchangeEnglish, exchangeChinese},
	{proposalsEnglish, proposalsChinese},
	{gitEnglish, gitChinese},
	{quarantineEnglish, quarantineChinese},
	{playbookEnglish, playbookChinese},
	{feedbackEnglish, feedbackChinese},
	{compactEnglish, compactChinese},
	{sleepEnglish, sleepChinese},
	{retroEnglish, retroChinese},
}
