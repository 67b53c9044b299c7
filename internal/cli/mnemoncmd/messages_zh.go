package mnemoncmd

import "github.com/dshkit/dshkit/internal/cli"

// chinese holds what the commands tell, in the order of english.
var chinese = cli.Table{
	{ID: "init-made", Text: "已在 %s 创建：%s"},
	{ID: "init-there", Text: "%s 的文件已齐全"},

	{ID: "plugins-none", Text: "没有插件；用 dsh-mnemon plugin add SPEC 添加"},
	{ID: "plugin-row", Text: "%s  %s （%s）"},
	{ID: "plugin-enabled", Text: "已启用"},
	{ID: "plugin-disabled", Text: "已停用"},
	{ID: "plugin-waits", Text: "本机尚未允许"},
	{ID: "plugin-broken", Text: "无法加载"},
	{ID: "plugin-absent", Text: "未安装"},
	{ID: "plugin-added", Text: "已添加 %s，并允许其代码在本机运行"},
	{ID: "plugin-installed", Text: "已安装 %s"},
	{ID: "plugin-all-installed", Text: "没有缺少的软件包"},
	{ID: "plugin-allowed", Text: "已允许 %s 的代码在本机运行"},
	{ID: "plugin-configured", Text: "已配置 %s"},
	{ID: "plugin-is-enabled", Text: "%s 已启用"},
	{ID: "plugin-is-disabled", Text: "%s 已停用；它保存的内容不变"},
	{ID: "plugin-removed", Text: "已从列表移除 %s；它保存的内容不变"},
	{ID: "plugin-why", Text: "  原因：%s"},
	{ID: "plugin-grants", Text: "  可访问：%s"},
	{ID: "plugin-config", Text: "  配置：%s"},

	{ID: "test-passed", Text: "  通过  %s"},
	{ID: "test-failed", Text: "  失败  %s"},
	{ID: "test-skipped", Text: "  跳过  %s"},
	{ID: "test-todo", Text: "  待写  %s"},
	{ID: "tests-sum", Text: "通过 %d，失败 %d，跳过 %d"},

	{ID: "strategies-none", Text: "没有安装策略"},
	{ID: "strategy-row", Text: "  %s （%s）"},
	{ID: "strategy-selected-row", Text: "* %s （%s）"},
	{ID: "strategy-chosen", Text: "今后的回合使用策略 %s"},

	{ID: "inspect-state-ready", Text: "插件可以组合"},
	{ID: "inspect-state-incomplete", Text: "还缺少组件"},
	{ID: "inspect-state-rejected", Text: "插件无法组合"},
	{ID: "inspect-strategy", Text: "策略：%s"},
	{ID: "inspect-source", Text: "记忆源：%s"},
	{ID: "inspect-add-strategy", Text: "可添加一个不区分角色的策略：dsh-mnemon plugin add dsh-mnemon-strategy-general"},
	{ID: "inspect-choose-strategy", Text: "选定一个：dsh-mnemon strategy use TYPE（现有：%s）"},

	{ID: "turns-none", Text: "没有回合"},
	{ID: "turn-open-row", Text: "%s  开始于 %s  进行中"},
	{ID: "turn-ended-row", Text: "%s  开始于 %s  已释放"},
	{ID: "turn-released-now", Text: "已释放 %s"},
	{ID: "turn-released-before", Text: "%s 此前已释放"},
	{ID: "turn-unreadable", Text: "有一个回合无法读取：%s"},

	{ID: "view-head", Text: "%s  策略 %s"},
	{ID: "view-fragment", Text: "  展示  %s （%s，%d 个字符）"},
	{ID: "view-route", Text: "  读取  %s  %s"},
	{ID: "view-action", Text: "  写入  %s  %s"},
	{ID: "view-diagnostic", Text: "  %s：%s"},

	{ID: "evidence-none", Text: "没有找到"},
	{ID: "evidence-truncated", Text: "（还有更多，超出了上限）"},
	{ID: "evidence-unavailable", Text: "不可用：%s"},
	{ID: "receipt-row", Text: "%s，%s"},
	{ID: "receipt-committed", Text: "提交于 %s"},
}
