package main

import "strings"

// phrases are the headings of the play.
type phrases struct {
	install, session, work, next, origins, secrets string
	found                                          string // secrets found, files searched
}

func phrasesFor(locale string) phrases {
	if strings.HasPrefix(locale, "zh") {
		return phrases{
			install: "安装到 Claude Code（临时的用户目录）",
			session: "一个会话：真实的 hook 命令，录制的事件",
			work:    "后台进程复盘了这个会话，记忆库里现在有",
			next:    "下一个会话开始时读到的内容",
			origins: "每一行来自哪里",
			secrets: "会话中出现过的密钥",
			found:   "在 %[2]d 个文件中找到 %[1]d 处明文密钥",
		}
	}
	return phrases{
		install: "Install into Claude Code (in a throw-away home)",
		session: "A session: the real hook command, recorded events",
		work:    "A worker has looked back on the session; the memory now holds",
		next:    "What the next session reads when it starts",
		origins: "Where each line comes from",
		secrets: "The secrets that the session has seen",
		found:   "%d found in clear in %d files",
	}
}
