package quarantine

import (
	"strings"
	"unicode/utf8"

	"github.com/dshkit/dshkit/pkg/text"
)

// overrideChinese finds orders to set aside what came before (family 2).
func overrideChinese(han string) string {
	for i := range han {
		verb := prefixOf(han[i:], overrideVerbs[:])
		if verb == "" {
			continue
		}
		if object := overriddenChinese(han[i+len(verb):]); object != "" && isOrderChinese(han, i, verb) {
			return verb + "…" + object
		}
	}
	return ""
}

var (
	overrideVerbs = [...]string{
		"忽略", "无视", "忘记", "忘掉", "抛开", "抛弃", "不要理会", "不用理会", "不必理会", "别理会", "不要遵守", "不再遵守", "不必遵守", "无需遵守", "停止遵守",
		"不要再遵守", "不要听从", "不再听从", "不要遵循", "不再遵循", "停止遵循", "不要管", "别管", "绕过",
	}
	// earlier says that something came before; own that it is all there is.
	earlier = [...]string{"之前", "以上", "上述", "前面", "先前", "此前", "上面", "上文", "前文", "早先", "原先", "原有", "安全", "系统"}
	own     = [...]string{"所有", "全部", "一切", "任何", "你的", "你"}
	rules   = [...]string{"指令", "规则", "要求", "指示", "提示词", "提示", "设定", "限制", "约束", "命令", "准则", "规范", "说法", "指引", "守则", "规定"}
	strict  = [...]string{"指令", "指示", "提示词", "命令", "限制", "约束", "准则", "设定", "守则"}
	glue    = [...]string{"掉", "了", "的", "那些", "这些", "给你", "用户", "开发者", "收到", "已有", "内容", "和", "与", "及", "、"}
)

// maxReach is how many characters may stand between "earlier" and the rules.
const maxReach = 8

// overriddenChinese returns what is set aside at the start of s.
func overriddenChinese(s string) string {
	mine := false
	for range 8 {
		if q := prefixOf(s, earlier[:]); q != "" {
			if r := reach(s[len(q):]); r != "" {
				return q + "…" + r
			}
		}
		if mine {
			if r := prefixOf(s, strict[:]); r != "" {
				return "所有" + r
			}
		}
		if q := prefixOf(s, own[:]); q != "" {
			mine = true
			s = s[len(q):]
			continue
		}
		g := prefixOf(s, glue[:])
		if g == "" {
			return ""
		}
		s = s[len(g):]
	}
	return ""
}

// reach returns the word for rules within a few characters from the start of s,
// in the same clause.
func reach(s string) string {
	for range maxReach + 1 {
		if r := prefixOf(s, rules[:]); r != "" {
			return r
		}
		r, size := utf8.DecodeRuneInString(s)
		if !text.IsCJK(r) && !isWordRune(r) {
			return ""
		}
		s = s[size:]
	}
	return ""
}

func isWordRune(r rune) bool { return r < utf8.RuneSelf && isWordByte(byte(r)) }

func prefixOf(s string, words []string) string {
	for _, w := range words {
		if strings.HasPrefix(s, w) {
			return w
		}
	}
	return ""
}

// clauseBefore returns what stands before i in its clause, at most n bytes.
func clauseBefore(s string, i, n int) string {
	s = s[max(0, i-n):i]
	if k := strings.LastIndexAny(s, "，。；！？：,;!?:.\n()（）「」“”\"'"); k >= 0 {
		_, size := utf8.DecodeRuneInString(s[k:])
		s = s[k+size:]
	}
	return s
}

// isOrderChinese reports whether the verb at i gives an order: it is not
// denied, not told of others, and not quoted as an example.
func isOrderChinese(han string, i int, verb string) bool {
	before := clauseBefore(han, i, 36)
	for _, not := range [...]string{"不要", "别", "勿", "不能", "不得", "不会", "不应", "不可", "没有", "不应该", "不可以", "绝不", "从不", "无法"} {
		if strings.HasSuffix(before, not) && !strings.HasPrefix(verb, not) {
			return false
		}
	}
	if !strings.Contains(before, "你") {
		for _, told := range [...]string{"会", "可能", "为何", "为什么", "容易", "试图", "尝试", "企图", "诱导", "导致", "防止", "避免", "检测", "拦截", "识别", "例如", "比如", "诸如", "类似", "攻击", "注入", "要求模型", "让模型"} {
			if strings.Contains(before, told) {
				return false
			}
		}
	}
	return !isExampleChinese(han, i)
}

// maxTalkChinese is how many bytes around a quotation are looked at for what it
// is an example of.
const maxTalkChinese = 300

// isExampleChinese reports whether a quotation is open at i and the text around
// it shows that it is an example.
func isExampleChinese(s string, i int) bool {
	before := s[max(0, i-maxTalkChinese):i]
	open := max(strings.LastIndex(before, "“"), strings.LastIndex(before, "「"), strings.LastIndex(before, "『"))
	shut := max(strings.LastIndex(before, "”"), strings.LastIndex(before, "」"), strings.LastIndex(before, "』"))
	if open <= shut && strings.Count(before, `"`)%2 == 0 {
		return false
	}
	around := before + s[i:min(len(s), i+maxTalkChinese)]
	for _, w := range [...]string{"注入", "检测", "攻击", "短语", "样本", "测试", "隔离", "恶意", "拦截", "越狱", "投毒"} {
		if strings.Contains(around, w) {
			return true
		}
	}
	return false
}

// roleLockChinese finds orders that change who the reader is (family 3).
func roleLockChinese(han string) string {
	for i := range han {
		start := prefixOf(han[i:], []string{"从现在开始", "从现在起", "从此刻起", "从今以后", "接下来", "你现在是", "你现在处于"})
		if start == "" {
			continue
		}
		rest := strings.TrimLeft(han[i+len(start):], ",，、")
		if strings.HasPrefix(start, "你") {
			if w := containsNear(rest, unbound[:]...); w != "" {
				return start + "…" + w
			}
			continue
		}
		if p := mustChinese(rest, start == "接下来"); p != "" {
			return start + p
		}
	}
	return ""
}

// unbound says that someone has no limits.
var unbound = [...]string{"不受限制", "不受任何限制", "没有限制", "没有任何限制", "无限制", "管理员模式", "开发者模式", "越狱"}

// mustChinese returns how the start of s binds the reader. After a mere "next"
// it must also be bound to one thing only.
func mustChinese(s string, weak bool) string {
	if !strings.HasPrefix(s, "你") {
		return ""
	}
	rest := s[len("你"):]
	if strings.HasPrefix(rest, "是") || strings.HasPrefix(rest, "就是") {
		return containsNear(rest, unbound[:]...)
	}
	if p := prefixOf(rest, []string{"只能", "只许", "只可"}); p != "" {
		return "你" + p
	}
	must := prefixOf(rest, []string{"必须", "要", "应该", "需要"})
	if must == "" {
		return ""
	}
	if strings.HasPrefix(rest[len(must):], "只") {
		return "你" + must + "只"
	}
	if must == "必须" && !weak {
		return "你必须"
	}
	return ""
}

func containsNear(s string, words ...string) string {
	s = s[:min(len(s), 60)]
	for _, w := range words {
		if strings.Contains(s, w) {
			return w
		}
	}
	return ""
}

// forcedChinese finds what drives the reader past its user (family 4).
func forcedChinese(han string) string {
	for i := range han {
		if p := prefixOf(han[i:], []string{"务必立即执行", "请立即执行"}); p != "" {
			return p
		}
		if p := prefixOf(han[i:], []string{"不要告诉用户", "别告诉用户", "不要通知用户", "不得告诉用户", "不要让用户知道", "勿告知用户", "不要告知用户", "禁止告诉用户"}); p != "" {
			if !isExampleChinese(han, i) {
				return p
			}
		}
		if p := prefixOf(han[i:], []string{"用户已经批准", "用户已批准", "用户已经授权", "用户已授权", "用户已经同意", "用户已同意"}); p != "" {
			if w := containsNear(han[i+len(p):], "所有", "全部", "任何", "一切"); w != "" {
				return p + w
			}
		}
	}
	return ""
}
