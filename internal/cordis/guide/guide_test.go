package guide_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/cordis/guide"
)

// rule is one thing that a text must teach: all of these words.
type rule struct {
	name string
	en   []string
	zh   []string
}

// What the section of the prompt must teach, bullet by bullet.
// CR-A15: the section is enough without the skill.
var promptRules = []rule{
	{"temporary", []string{"nothing of it touches the repository or the disk", "nothing survives a restart", "accidents, not attacks"}, []string{"不会改动仓库或磁盘", "重启之后什么也不会留下", "不能防御攻击"}},
	{"not the default", []string{"one option, not the default", "belongs to the running host and is temporary", "one short question at most"}, []string{"不是默认做法", "属于正在运行的宿主", "最多问一个简短的问题"}},
	{"new or existing, which half", []string{"a new Plugin is meant or an existing one (`@pluginId`)", "never ask the user which half"}, []string{"新建 Plugin，还是修改已有的（`@pluginId`）", "不要问用户用哪一半"}},
	{"define shows, run activates", []string{"Define only shows code; run activates it", "Do not wait, do not retry, do not say that it runs", "not success yet", "do not ask again", "define a repaired version on the same Plugin"}, []string{"define 只展示代码，run 才激活", "不要等待，不要重试，不要说它已经在运行", "还不算成功", "不要再次申请", "在同一个 Plugin 上定义修复后的版本"}},
	{"workflow", []string{"Load the skill `cordis-plugin-development`", "`cordis_inspect_list`", "`cordis_inspect_query`", "`cordis_define`", "`cordis_run`", "`cordis_inspect_self` shows sources, states and errors", "`cordis_stop` ends a run and keeps", "`cordis_undefine` is final"}, []string{"加载 skill `cordis-plugin-development`", "`cordis_inspect_list`", "`cordis_inspect_query`", "`cordis_define`", "`cordis_run`", "`cordis_inspect_self` 显示源码、状态和错误", "`cordis_stop` 结束运行，其余保留", "`cordis_undefine` 不可撤销"}},
	{"words", []string{"`pluginId`", "`packageId`", "`pluginRunId`", "`currentPackageId`", "`nextPackageId`", "single grant", "double grant", "stops the old run first and never restarts it", "retry next with `update`, or roll back to current with `run`"}, []string{"`pluginId`", "`packageId`", "`pluginRunId`", "`currentPackageId`", "`nextPackageId`", "单次授权", "双重授权", "先停止旧的运行，并且不会重新启动它", "用 `update` 重试 next，或用 `run` 回退到 current"}},
	{"mention", []string{"read its source with `cordis_inspect_self` first", "append to the same plugin", "Never create a substitute", "If it is unavailable, say so"}, []string{"先用 `cordis_inspect_self` 读它的源码", "追加到同一个插件", "绝不新建替代品", "如果它不可用，就如实说明"}},
	{"services", []string{"ctx.get('web')", "check for `undefined`", "name it in `inject`", "Never touch a service that you did not declare"}, []string{"ctx.get('web')", "是否为 `undefined`", "写进 `inject`", "绝不访问没有声明的服务"}},
	{"plain JavaScript", []string{"No TypeScript, no JSX, no import, no require, no decorators", "Assume no global that the builtins do not list", "`React.createElement`"}, []string{"不能用 TypeScript、JSX、import、require、装饰器", "不要假设存在 builtins 没有列出的全局名称", "`React.createElement`"}},
	{"live objects", []string{"Never serialise, clone, enumerate or dump", "leaf fields", "small data of your own"}, []string{"绝不序列化、克隆、枚举", "叶子字段", "自己的小数据"}},
	{"owned effects", []string{"owned by the plugin", "`ctx.effect`", "`ctx.on`", "returns a disposer"}, []string{"归插件所有", "`ctx.effect`", "`ctx.on`", "返回 disposer"}},
	{"halves and the bridge", []string{"Host: files, network, commands, tools", "theme, layout, slots, cards", "`harness.handle(method, fn)`", "`host.call(method, args)`", "lossless JSON", "from Client to Host only", "a slot that you asked about", "`apply` never returns an element"}, []string{"Host：文件、网络、命令", "主题、布局、slot、卡片", "`harness.handle(method, fn)`", "`host.call(method, args)`", "无损 JSON", "只能从 Client 到 Host", "事先查询过的 slot", "`apply` 绝不返回元素"}},
	{"steering", []string{"reach you as messages: do not wait for them inside a tool call"}, []string{"以消息形式告诉你：不要在工具调用里等待"}},
	{"our grants", []string{"`cordis grant allow fs:read ./docs`", "child process"}, []string{"`cordis grant allow fs:read ./docs`", "子进程"}},
}

// What the skill adds.
var skillRules = []rule{
	{"seven steps", []string{"Seven steps", "\n7. "}, []string{"七个步骤", "\n7. "}},
	{"tools", []string{"| Tool | Use it | Do not |"}, []string{"| 工具 | 用来 | 不要 |"}},
	{"requirements", []string{"| Wish | Half |"}, []string{"| 需求 | 半部 |"}},
	{"navigation", []string{"`Service.listService`", "`Event.listEvents`", "`Builtin.listBuiltins`", "`Tool.listTools`", "`Slots.listSubTree`", "`Theme.listTokens`"}, []string{"`Service.listService`", "`Event.listEvents`", "`Builtin.listBuiltins`", "`Tool.listTools`", "`Slots.listSubTree`", "`Theme.listTokens`"}},
	{"samples", []string{"<button>", "React.createElement", "ctx.effect(", "ctx.interval(", "React.useEffect", "await next()", "ctx.slots.inject(", "ctx.slots.register(", "key: 'self'", "harness.handle(", "host.call(", "harness.defineTool(", "styles.insert(", "overrideTokens("}, []string{"<button>", "ctx.interval("}},
	{"settings", []string{"`settings.section`", "`settings.general.item`", "Nothing is kept for you"}, []string{"`settings.section`", "`settings.general.item`", "不会替你保存"}},
	{"places", []string{"props of slots whose scope is session", "`tool.view.cordis`", "`tool.call.toolview`", "`shell.overlay`"}, []string{"scope 为 session", "`tool.view.cordis`", "`tool.call.toolview`", "`shell.overlay`"}},
	{"modes", []string{"| Situation | mode |"}, []string{"| 情况 | mode |"}},
	{"repair", []string{"## Repair", "same plugin"}, []string{"## 修复", "同一个插件"}},
	{"mention", []string{"`@clock-1`", "append to the same plugin"}, []string{"`@clock-1`", "追加到同一个插件"}},
	{"failures", []string{"not injected, or not declared", "timer refused", "does not parse", "slot not declared", "crash while rendering", "`host.call` failed", "update failed", "not granted"}, []string{"没有注入或没有声明", "定时器被拒绝", "无法解析", "slot 没有声明", "渲染时崩溃", "`host.call` 失败", "更新失败", "没有授权"}},
}

// Each bullet of spec/cordis.md 16 is taught, in both languages. CR-A15.
func TestTeaches(t *testing.T) {
	for _, c := range []struct {
		name  string
		text  func(string) string
		rules []rule
	}{{"prompt", guide.Prompt, promptRules}, {"skill", guide.Skill, skillRules}} {
		for _, r := range c.rules {
			t.Run(c.name+"/"+r.name, func(t *testing.T) {
				contains(t, c.text("en"), r.en)
				contains(t, c.text(guide.Chinese), r.zh)
			})
		}
	}
}

func contains(t *testing.T, text string, words []string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(text, w) {
			t.Errorf("the text does not say %q", w)
		}
	}
}

func TestLanguages(t *testing.T) {
	code := regexp.MustCompile("(?s)```js \\w+\n.*?```")
	if diff := cmp.Diff(code.FindAllString(guide.Skill("en"), -1), code.FindAllString(guide.Skill(guide.Chinese), -1)); diff != "" {
		t.Errorf("the samples differ between the languages (-en +zh):\n%s", diff)
	}
	heads := regexp.MustCompile(`(?m)^(#+|\| ---|-|\d\.) ?`)
	if en, zh := heads.FindAllString(guide.Skill("en"), -1), heads.FindAllString(guide.Skill(guide.Chinese), -1); !cmp.Equal(en, zh) {
		t.Errorf("the skill has %d parts in English and %d in Chinese", len(en), len(zh))
	}
	if guide.Prompt("fr") != guide.Prompt("en") || guide.Skill("") != guide.Skill("en") {
		t.Error("a language that is not known is not English")
	}
	if guide.SkillAbout("en") == guide.SkillAbout(guide.Chinese) {
		t.Error("the skill is described in one language")
	}
}
