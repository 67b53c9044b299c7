package main

import "strings"

// phrases are the headings of the play.
type phrases struct {
	install, session, work, next, origins, secrets string
	sleep, model, noModel                          string
	found                                          string // secrets found, files searched
	view, noPackages, noNode, equal                string
	clock                                          string
}

func phrasesFor(locale string) phrases {
	if strings.HasPrefix(locale, "zh") {
		return phrases{
			install: "安装到 Claude Code（临时的用户目录）",
			session: "一个会话：真实的 hook 命令，录制的事件",
			work:    "后台进程复盘了这个会话，记忆库里现在有",
			next:    "下一个会话开始时读到的内容",
			origins: "每一行来自哪里",
			sleep:   "再记几条之后入睡：合并、归纳、存疑，不需要模型",
			model:   "再睡一次，这次有模型",
			noModel: "（环境中没有模型的密钥，例如 DEEPSEEK_API_KEY：只用内置引擎）",
			secrets: "会话中出现过的密钥",
			view:    "dsh-mnemon：两个已发布的插件包组合成一个 View",

			noPackages: "（插件包尚未安装：需要 npm，make plugins 会安装）",
			noNode:     "（本机没有 Node，无从比较）",
			equal:      "两者组合出同一个 View",

			clock: "cordis：定义一个时钟，运行，调用，用更新弄坏它，回退，读取反馈",

			found: "在 %[2]d 个文件中找到 %[1]d 处明文密钥",
		}
	}
	return phrases{
		install: "Install into Claude Code (in a throw-away home)",
		session: "A session: the real hook command, recorded events",
		work:    "A worker has looked back on the session; the memory now holds",
		next:    "What the next session reads when it starts",
		origins: "Where each line comes from",
		sleep:   "A few notes later it sleeps: it merges, groups and doubts, without a model",
		model:   "And once more, with a model",
		noModel: "(the environment has no key of a model, such as DEEPSEEK_API_KEY: the built-in engine alone)",
		secrets: "The secrets that the session has seen",
		view:    "dsh-mnemon: two published plugins compose a View",

		noPackages: "(the plugins are not installed: make plugins does that, with npm)",
		noNode:     "(no Node on this machine to compare with)",
		equal:      "both compose the same View",

		clock: "cordis: define a clock, run it, call it, break it with an update, roll back, read the feedback",

		found: "%d found in clear in %d files",
	}
}
