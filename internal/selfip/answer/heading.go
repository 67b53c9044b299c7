package answer

import (
	"regexp"
	"strings"
	"sync"
)

// head is a heading.
type head struct {
	key   Key
	slug  string
	level int  // number signs; 0 for the other forms
	plain bool // the key of the contract in capitals, not another name for it
}

// holds reports whether a further heading is part of the section that h begins: a
// playbook and a proposal have headings of their own, and those that are deeper
// or that a mere colon makes are theirs, unless they name a key of the contract.
func (h head) holds(next head) bool {
	if h.key != Playbook && h.key != Proposal || h.level == 0 || next.key == Playbook || next.plain {
		return false
	}
	return next.level == 0 || next.level > h.level
}

// lazily compiles a pattern when it is first needed: most processes never see an
// answer.
func lazily(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// The four forms of a heading (spec/selfip.md 21.4). A playbook's may stand bare.
var (
	signForm     = lazily(`^ {0,3}(#{1,6})[ \t]*(.*?)[ \t]*$`)
	boldForm     = lazily(`^ {0,3}\*\*([^*\n]+)\*\*[ \t]*[:：]?[ \t]*$`)
	playbookForm = lazily(`^ {0,3}(PLAYBOOK[ \t]*[:：].*)$`)
	colonForm    = lazily(`^ {0,3}([\pL][\pL /_-]{1,24})[:：][ \t]*$`)
)

// headOf reads a line as a heading.
func headOf(line string) (head, bool) {
	if m := signForm().FindStringSubmatch(line); m != nil {
		h, ok := titled(m[2])
		h.level = len(m[1])
		return h, ok
	}
	for _, form := range []func() *regexp.Regexp{boldForm, playbookForm, colonForm} {
		if m := form().FindStringSubmatch(line); m != nil {
			return titled(m[1])
		}
	}
	return head{}, false
}

var (
	marks      = strings.NewReplacer("*", "", "`", "", "#", "")
	enumerated = lazily(`^(?:\d{1,2}|[一二三四五六七八九十])[.)、．][ \t]*`)
	playbook   = lazily(`^(?i:PLAYBOOK)[ \t]*[:：][ \t]*(.*)$|^PLAYBOOK[ \t]+([\p{L}\p{N}][\p{L}\p{N}_-]*)$`) // drift: without the colon
)

func titled(title string) (head, bool) {
	title = strings.TrimSpace(marks.Replace(title))
	title = enumerated().ReplaceAllString(title, "")
	if m := playbook().FindStringSubmatch(title); m != nil {
		slug := strings.TrimSpace(m[1] + m[2])
		if slug == "" {
			return head{}, false
		}
		return head{key: Playbook, slug: slug, plain: true}, true
	}
	title = bare(title)
	if key, ok := byTitle[strings.ToUpper(title)]; ok {
		return head{key: key, plain: title == string(key)}, true
	}
	if before, _, found := cutAny(title, "(（"); found { // "LESSONS (教训)"
		before = bare(before)
		if key, ok := byTitle[strings.ToUpper(before)]; ok {
			return head{key: key, plain: before == string(key)}, true
		}
	}
	return head{}, false
}

// bare is a title without underscores, one colon at its end, and blanks.
func bare(title string) string {
	title = strings.TrimSpace(strings.ReplaceAll(title, "_", ""))
	for _, colon := range [...]string{":", "："} {
		if rest, ok := strings.CutSuffix(title, colon); ok {
			return strings.TrimSpace(rest)
		}
	}
	return title
}

func cutAny(s, chars string) (before, after string, found bool) {
	if i := strings.IndexAny(s, chars); i > 0 {
		return s[:i], s[i:], true
	}
	return s, "", false
}

// byTitle are the titles, in capitals, under which models write the keys.
var byTitle = map[string]Key{
	"LESSONS": Lessons, "LESSON": Lessons, "LESSONS LEARNED": Lessons, "教训": Lessons, "经验教训": Lessons,
	"FACTS": Facts, "FACT": Facts, "事实": Facts, "已知事实与偏好": Facts, "偏好": Facts,
	"RESOURCES": Resources, "RESOURCE": Resources, "资料": Resources, "资源": Resources, "工具": Resources,
	"METHODS": Methods, "METHOD": Methods, "方法": Methods, "技巧": Methods, "好用的方法/技巧": Methods,
	"FACTSCLEAN": FactsClean, "事实去重": FactsClean,
	"LESSONSCLEAN": LessonsClean, "教训去重": LessonsClean,
	"HANDOFF": Handoff, "HAND-OFF": Handoff, "交接": Handoff, "交接简报": Handoff,
	"PROPOSAL": Proposal, "提案": Proposal, "改进提案": Proposal,
	"SUPERSEDE": Supersede, "失效": Supersede, "作废": Supersede,
	"PRINCIPLES": Principles, "原则": Principles, "沉淀原则": Principles,
	"HYPOTHESES": Hypotheses, "假设": Hypotheses, "待验证假设": Hypotheses,
	"PREFETCH": Prefetch, "预取": Prefetch, "预取要点": Prefetch,
}
