package selfipcmd

import "github.com/dshkit/dshkit/internal/cli"

var insideChinese = cli.Table{
	{ID: "install-own-changed", Text: "%s 在写入之后被手工改过：保持原样不动"},
	{ID: "install-own-changed.hint", Text: "把该文件移走即可重新写入；也可以保留它并自行维护"},
	{ID: "install-own-foreign", Text: "%s 已经存在，而且不是我们的文件：保持原样不动"},
	{ID: "install-own-foreign.hint", Text: "请先把该文件移走，再重新安装"},
	{ID: "install-no-events", Text: "%s 没有可供选择的事件：安装的文件会转发所有需要的事件"},
	{ID: "install-no-events.hint", Text: "安装时不要带 --events 和 --trace"},
	{ID: "install-no-bridge", Text: "%s 没有钩子桥接：只有 DSH 才有"},
	{ID: "install-no-bridge.hint", Text: "安装时不要带 --bridge"},
	{ID: "note-openclaw", Text: "还需要让 OpenClaw 知道这个文件夹，并允许插件看到对话内容：\n" +
		"  openclaw plugins install --link %[1]s --force\n" +
		"  openclaw config set plugins.entries.selfip.hooks.allowConversationAccess true\n" +
		"卸载之前请先运行：openclaw plugins uninstall selfip"},
	{ID: "doctor-stale", Text: "%s 由另一个版本写成：运行 selfip install %s 可以更新"},
	{ID: "doctor-no-file", Text: "%s 引用了 %s，而该文件不存在：DSH 会因此无法启动；运行 selfip install dsh 可以重新写入"},
	{ID: "help.install.flag.bridge", Text: "DSH：接入它的钩子桥接，而不是我们的插件"},
}
