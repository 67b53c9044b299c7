package learn

import (
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

// chinesePatterns recognise Chinese statements; letters are in lower case.
type chinesePatterns struct {
	question, moment, project, complaint, later                            *regexp.Regexp
	strong, dont, dontMid, dontVerb, useNot, useFor, dontUse, preferred    *regexp.Regexp
	language, timed, universal, aNotB, notAB, bareNot, copula, vague       *regexp.Regexp
	diagnosis, noun, projectUses, valueLike, place, correctUse, imperative *regexp.Regexp
	indefinite                                                             *regexp.Regexp
}

// chineseCraft is what rules of work are about; what the product should do is a
// request, however it is worded.
const chineseCraft = `(?:提交|pr|测试|函数|方法|文件|接口|注释|迁移|时间|日期|命名|变量|分支|代码|日志|文档|依赖|改动|变更|版本|发布|配置|错误|异常|回复|回答|lint|目录|脚本|commit)`

// chineseNouns name the subjects of definitions.
const chineseNouns = `(?:端口|地址|域名|主机|服务器|数据库|库|分支|目录|文件夹|路径|文件|配置|版本|用户名|账号|账户|桶|区域|时区|表|队列|主题|命名空间|集群|仓库|镜像|镜像源|源|` +
	`项目|服务|文档|手册|看板|环境|编码|格式|许可证|语言|框架|默认值?|上限|超时|货币|名称|名字|模块|包|包管理器|入口|命令|脚本|负责人|截止日期|接口|网关|代理|前缀|规范|缓存|` +
	`测试|迁移|模板|日志|账单|工具|编译器|标签|里程碑|流水线|服务商|供应商|单位|变量|日志级别|ci|api|sdk|app)`

var chinese = sync.OnceValue(func() chinesePatterns {
	re := regexp.MustCompile
	return chinesePatterns{
		question: re(`[吗呢么嘛]$|什么|为何|怎么|如何|哪(?:个|里|些|儿|种)|是不是|能不能|可不可以|要不要|有没有|多少|几个|是否`),
		moment: re(`现在|这次|本次|今天|今晚|明天|暂时|刚才|刚刚|马上|立刻|立即|一下|这(?:个|段|里|些|行|条|处|句|边|块)|那(?:个|段|里|些|边)|上面|此处|这样|` +
			`先(?:把|看|跑|做|修|改|别|不|用|试)|再(?:跑|试|来|看|做|改|说|加)|帮我|给我|继续|接着|目前|这一`),
		project:   re(`这个(?:项目|仓库|工程|服务|团队|代码库|应用|模块)`),
		complaint: re(`报错|失败|出错|崩溃|崩了|挂了|卡住|卡死|不通过|打不开|连不上|跑不通|有问题|丢失|为空|空的|返回\s*[45]\d\d|乱码|没反应|坏了|没了|不行|不对|错的|太慢|很慢|的时候|会(?:崩|挂|报|卡)|跑不过|过不了|不过`),
		later:     re(`^(?:再|可能|也许|会|还会|打算|计划|有可能|有空|考虑)`),
		strong: re(`总是|始终|永远|一律|一概|务必|禁止|严禁|不许|不准|绝不|绝对不|千万(?:不要|别)|统一(?:用|使用|采用|走|放)|都用|` + chineseCraft + `.*都要|都要.*` + chineseCraft + `|都不要|都不能|只用|只能用|只允许|优先(?:用|使用)|` +
			`默认(?:用|使用)|我们从不|我们从来不|` + chineseCraft + `.*(?:必须|一定要)|(?:必须|一定要).*` + chineseCraft + `|不得(?:[^不]|$)`),
		dont:      re(`^(?:不要|别|勿|请勿|不能|不可以|不可|不应该|不应)(?:再)?(.+)$`),
		dontMid:   re(`^.{2,24}?不要(?:再)?(.{2,})$`),
		dontVerb:  re(`^(?:担心|着急|急|管|客气|忘|停|废话|紧张|问|说|怕|误会|这|那|它|太|光|只|老|动$|了|人|的|自己|按|犯|想|显示|展示|弹|返回|允许|让|跳转|发送|出现|加载|渲染|隐藏)`),
		useNot:    re(`^.{0,24}?(?:用|使用|跑|运行|走|选|采用)\s*(.+?)\s*[,，]?\s*(?:而不是|而不要用?|而非|不要再?直接用?|不要再?用|不要跑|不用|别再?用|别直接用?|别跑|不是)\s*(.+)$`),
		useFor:    re(`^.{0,24}?用\s*(.+?)\s*(?:代替|替代|取代|替换)\s*(.+)$`),
		dontUse:   re(`^(?:不要|别)(?:再)?(?:直接)?(?:用|使用)\s*(.+?)\s*[,，]\s*(?:要|请|改|应该|统一)?(?:用|使用)\s*(.+)$`),
		preferred: re(`^我们?(?:更|比较|一般|还是|一直|都)?(?:喜欢|偏好|偏爱|习惯|倾向|讨厌|不喜欢)`),
		language: re(`(?:用|使用|写成|写)\s*(?:简体|繁体)?(?:中文|英文|英语|汉语|日文|日语|english|chinese).*(?:回复|回答|写|注释|提交|描述|说明|交流|沟通|输出|文档|报告|思考)|` +
			`(?:回复|回答|注释|提交信息|提交说明|commit|描述|说明|输出|文档|标题|日志|报告|pr).*(?:用|使用|写成|写)\s*(?:简体|繁体)?(?:中文|英文|英语|汉语|日文|日语|english|chinese)`),
		timed: re(`^(?:每次|每个|凡是|所有|提交|推送|合并|发布|部署|上线|改完|改了|修改|新增|写完|提 ?pr|commit|push|merge).{0,16}?(?:前|之前|以前|后|之后|以后|时|的时候|完)\s*[,，]?\s*` +
			`(?:都|先|必须|一定|要|务必|请|再|记得|需要)*\s*(?:跑|运行|执行|检查|更新|用|加|写|通知|同步|确认|重新)`),
		universal:   re(`^(?:所有|每个|任何|凡是|每次).*` + chineseCraft + `.*(?:要|必须|应该|应|得|不能|不要|用|放|写)`),
		aNotB:       re(`^(.{1,40}?)\s*(?:应该|应当|其实|实际上?|已经)?(?:是|为|在|叫|用的是|用|放在|位于|监听|走)\s*(.+?)\s*[,，]?\s*(?:而)?(?:不是|不在|并非|而非|不叫|不再是)\s*(.+)$`),
		notAB:       re(`^(.{1,40}?)\s*(?:并)?(?:不是|不在|不叫)\s*(.+?)\s*[,，]?\s*(?:而是|而在|是|在|叫|应该是)\s*(.+)$`),
		bareNot:     re(`^(?:应该)?(?:是|在|用|叫|不是)\s*`),
		copula:      re(`^(.{1,40}?)\s*(?:现在|已经|其实|目前)?(应该是|应当是|应为|是|为|叫做|叫|改成了?|改为了?|换成了?|改到了?|搬到了?|迁到了?|放在|存放在|存在|位于|部署在|跑在|监听|指向|用的是|使用的是|都在|在|用)\s*(.+)$`),
		vague:       re(`^(?:它|这|那|此|他|她|我(?:[^们]|$)|你|上面|刚才|前者|后者)`),
		diagnosis:   re(`(?:问题|原因|结果|输出|返回值?|错误|意思|目的|重点|关键|需求|bug|响应|状态|区别|答案|任务|目标|想要的|要的|改动|想法)$`),
		indefinite:  re(`^(?:该|新的?)?(?:变量名?|函数名?|方法名?|类名?|字段名?|列名?|参数名?|日期|按钮|文件|文件名|标题|顺序|页面|值|类型|名字|名称)$`),
		noun:        re(chineseNouns + `$`),
		projectUses: re(`^(?:我们|咱们|本|该|整个|公司|团队)?(?:项目|仓库|工程|团队|代码库|公司|后端|前端|服务端|线上|生产环境|测试环境|开发环境|预发环境|生产|测试|预发|本地|这边|我们|咱们)?(?:都|统一|一直|现在)?(?:用|使用|采用)(?:的是)?\s*([a-z0-9@].*)$|^我(?:一直|平时|都)?用(?:的是)?\s*([a-z][\w.+-]*)$`),
		valueLike:   re("[a-z0-9`]|[「“\"'].+[」”\"']"),
		place:       re(`[a-z0-9_-]+[/.][a-z0-9_./-]+|[a-z0-9_.-]+/?\s*(?:下|里|中|上|目录|文件夹|仓库|分支|里面|下面)|[a-z0-9.-]{2,}$`),
		correctUse:  re(`^(?:要|应该|得|直接)?(?:用|使用|改用|走|跑|连)\s*([a-z0-9./].*)$`),
		imperative:  re(`^(?:先|把|再|帮|给|跑|看|改|修|加|删|写|查|试|去|做|用|继续|开始|提交|推送|运行|检查|实现|重构|生成|解释|总结|不要|别)`),
	}
})

// judgeChinese judges a clause with CJK characters in it.
func judgeChinese(whole string, sen sentence, m marks) judgement {
	low := asciiLower(whole)
	p := chinese()
	if (sen.question || p.question.MatchString(low)) && !m.standing {
		return judgement{verdict: moment}
	}
	if strings.HasPrefix(low, "把") && !m.standing {
		return judgement{verdict: moment}
	}
	if j := chineseRule(low, m); j.verdict != nothing {
		return j
	}
	if j := chineseFact(low, m); j.verdict != nothing {
		return j
	}
	if p.imperative.MatchString(low) || p.moment.MatchString(low) {
		return judgement{verdict: moment}
	}
	return judgement{}
}

// isNow reports whether a clause is about the moment or its context.
func (p chinesePatterns) isNow(low string) bool {
	return p.moment.MatchString(p.project.ReplaceAllString(low, "项目")) || strings.HasSuffix(low, "了")
}

// chineseRule finds rules.
func chineseRule(low string, m marks) judgement {
	p := chinese()
	strong := p.strong.MatchString(low) && !strings.Contains(low, "不得不")
	j := chineseContrast(low)
	j.forbids = j.value == "" && (strings.Contains(low, "禁止") || strings.Contains(low, "严禁") || strings.Contains(low, "不要") ||
		strings.HasPrefix(low, "别") || strings.Contains(low, "不许") || strings.Contains(low, "不准") || strings.Contains(low, "都不"))
	switch {
	case m.standing && p.later.MatchString(low):
		return judgement{verdict: moment}
	case m.standing && utf8.RuneCountInString(low) > 2 && !p.vague.MatchString(low):
		j.verdict, j.importance = rule, 9
	case p.timed.MatchString(low) && !strings.Contains(low, "一下") && !strings.HasSuffix(low, "了") && !p.complaint.MatchString(low):
		j.verdict, j.importance = rule, 8
	case p.isNow(low), p.vague.MatchString(p.project.ReplaceAllString(low, "项目")) && !p.preferred.MatchString(low) && !strong:
		return judgement{}
	case strong && !p.complaint.MatchString(low) && !strings.HasSuffix(low, "必须的"):
		j.verdict, j.importance = rule, 9
	case isForbidding(low):
		j.verdict, j.importance, j.forbids = rule, 8, j.value == ""
	case j.value != "", p.preferred.MatchString(low), p.universal.MatchString(low) && !p.complaint.MatchString(low):
		j.verdict, j.importance = rule, 8
	case p.language.MatchString(low) && !strings.Contains(low, "翻译") && !strings.Contains(low, "译成"):
		j.verdict, j.importance = rule, 8
	}
	return j
}

// chineseContrast finds what should be used instead of what.
func chineseContrast(low string) judgement {
	p := chinese()
	if s := p.dontUse.FindStringSubmatch(low); s != nil {
		return judgement{old: s[1], value: s[2]}
	}
	for _, re := range [...]*regexp.Regexp{p.useFor, p.useNot} {
		if s := re.FindStringSubmatch(low); s != nil && p.valueLike.MatchString(s[1]) {
			return judgement{value: strings.TrimRight(s[1], " ,，"), old: s[2]}
		}
	}
	return judgement{}
}

// isForbidding reports whether a clause forbids something that can be named.
func isForbidding(low string) bool {
	p := chinese()
	if s := p.dont.FindStringSubmatch(low); s != nil {
		if strings.HasPrefix(low, "不能") || strings.HasPrefix(low, "不可") {
			return startsWithAny(s[1], "提交", "直接", "用", "改", "动", "删", "推", "合", "写", "把", "硬编码", "引入", "依赖")
		}
		return utf8.RuneCountInString(s[1]) > 2 && !p.dontVerb.MatchString(s[1])
	}
	s := p.dontMid.FindStringSubmatch(low)
	return s != nil && !p.dontVerb.MatchString(s[1]) && !p.complaint.MatchString(low)
}

func startsWithAny(s string, parts ...string) bool {
	for _, part := range parts {
		if strings.HasPrefix(s, part) {
			return true
		}
	}
	return false
}

// chineseFact finds definitions and corrections.
func chineseFact(low string, m marks) judgement {
	p := chinese()
	if s := p.correctUse.FindStringSubmatch(low); m.corrects && s != nil && !p.isNow(low) {
		return judgement{verdict: rule, importance: 8, value: s[1]}
	}
	if p.bareNot.MatchString(low) {
		if m.corrects || strings.Contains(low, "不是") {
			return judgement{verdict: vague}
		}
		return judgement{}
	}
	if s := p.notAB.FindStringSubmatch(low); s != nil && !strings.HasSuffix(s[1], "是") {
		return chineseClaim(judgement{verdict: fact, importance: 8, subject: s[1], old: s[2], value: s[3]}, low, true)
	}
	if s := p.aNotB.FindStringSubmatch(low); s != nil {
		return chineseClaim(judgement{verdict: fact, importance: 8, subject: s[1], value: strings.TrimRight(s[2], " ,，"), old: s[3]}, low, true)
	}
	s := p.copula.FindStringSubmatch(low)
	if s == nil && m.remember && needs(low) {
		return chineseClaim(judgement{verdict: fact, importance: 8}, low, true)
	}
	if s == nil || strings.HasSuffix(s[3], "的") {
		return judgement{}
	}
	j := judgement{verdict: fact, importance: 6, subject: s[1], value: s[3]}
	if m.corrects || m.remember {
		j.importance = 8
		return chineseClaim(j, low, true)
	}
	if !isChineseDefinition(s, low) {
		return judgement{}
	}
	return chineseClaim(j, low, false)
}

// needs reports whether a clause says under which condition something works.
func needs(low string) bool {
	return strings.Contains(low, "需要") || strings.Contains(low, "要") || strings.Contains(low, "只能") || strings.Contains(low, "才")
}

// isChineseDefinition reports whether subject, copula and value define
// something.
func isChineseDefinition(s []string, low string) bool {
	p := chinese()
	if p.projectUses.MatchString(low) {
		return true
	}
	if !p.noun.MatchString(s[1]) || utf8.RuneCountInString(s[1]) < 2 || s[2] == "用" {
		return false
	}
	if s[2] == "在" || s[2] == "都在" {
		return p.place.MatchString(s[3])
	}
	return p.valueLike.MatchString(s[3])
}

// chineseClaim turns away what is no fact: about the context, about the state
// of the work, or a complaint.
func chineseClaim(j judgement, low string, sure bool) judgement {
	p := chinese()
	bare := p.project.ReplaceAllString(low, "项目")
	switch {
	case p.diagnosis.MatchString(j.subject):
		return judgement{}
	case p.indefinite.MatchString(j.subject):
		return judgement{verdict: vague}
	case p.vague.MatchString(bare) && !p.projectUses.MatchString(low):
		if sure {
			return judgement{verdict: vague}
		}
		return judgement{}
	case p.complaint.MatchString(j.value), !sure && p.isNow(low), sure && p.moment.MatchString(bare) && !strings.Contains(bare, "现在"):
		return judgement{}
	}
	return j
}
