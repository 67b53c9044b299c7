package selfipcmd

import "github.com/dshkit/dshkit/internal/cli"

// wiringChinese is wiringEnglish in Chinese.
var wiringChinese = cli.Table{
	{ID: "install-link", Text: "%s 经过符号链接，而 %s 不读取这样的钩子文件"},
	{ID: "install-link.hint", Text: "请用普通文件替换该链接，或用 --scope 安装到另一个范围"},
	{ID: "doctor-written-for", Text: "%s 的钩子按其版本 %s 编写"},
	{ID: "doctor-version-found", Text: "%s 的钩子按其版本 %s 编写；本机是版本 %s"},
}
