package selfipcmd

import "github.com/dshkit/dshkit/internal/cli"

// gitChinese is gitEnglish in Chinese.
var gitChinese = cli.Table{
	{ID: "merged", Text: "已合并 %s；条目 %d，来自对方 %d，被对方作废 %d，被对方删去 %d，双方都改过 %d"},
	{ID: "merge-unwritten", Text: "无法写入 %s"},
	{ID: "git-installed", Text: "git 现在用 selfip 合并记忆文件，见 %s"},
	{ID: "git-removed", Text: "git 现在像对待其他文件一样合并记忆文件；已改动 %s 与 git 的设置"},
	{ID: "git-same", Text: "%s 与 git 的设置无需改动"},
	{ID: "git-commit", Text: "请提交 %s；每位使用该仓库的人各运行一次 install git"},
	{ID: "no-git", Text: "程序 git 不在路径上"},
	{ID: "no-repository", Text: "%s 不在 git 仓库中"},
	{ID: "no-repository.hint", Text: "请用 -C 指明仓库中的工作区"},
	{ID: "doctor-no-driver", Text: "%s 要求用 selfip 合并记忆文件，而 git 还不知道如何做：请运行 install git"},
	{ID: "doctor-driver", Text: "git 合并记忆文件使用：%s"},

	{ID: "help.merge-driver.short", Text: "为 git 合并记忆文件的两个版本"},
	{ID: "help.merge-driver.long", Text: "逐条合并一个记忆文件的两个版本，不留冲突标记。双方的条目与作废都不会丢失；双方都\n" +
		"改过的，各部分合在一起。一方删去而另一方未动的，就删去。结果写入 OURS。运行\n" +
		"install git 之后由 git 调用。"},
	{ID: "help.merge-driver.example", Text: "{program} merge-driver base.md ours.md theirs.md"},
}
