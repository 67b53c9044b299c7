package learn

import (
	"slices"
	"sync"

	"github.com/dshkit/dshkit/pkg/text"
)

// prefix is what can stand in front of what is meant.
type prefix struct {
	text    string
	alone   bool // only when nothing follows it in the clause
	chinese bool
	marks   marks
}

// Words in front of a clause by what they say of it; the longest fits first.
var (
	politeWords = []string{
		"please", "pls", "also", "and", "but", "so", "well", "ok", "okay", "btw", "by the way", "hey", "hi", "thanks", "thank you", "one more thing",
		"you should", "you must", "you need to", "you have to", "i want you to", "i'd like you to", "we should", "we must", "let's",
		"make sure you", "make sure to", "make sure that you", "make sure", "be sure to", "ensure you", "can you please", "could you please", "can you", "could you", "would you",
		"另外", "还有", "顺便说一下", "顺便", "请你", "请", "麻烦你", "麻烦", "拜托", "对了", "提醒一下", "那么", "所以", "然后",
		"能不能", "可不可以", "能否", "我希望你", "我希望", "希望你", "希望", "你应该", "你必须", "你要", "我们应该", "同时", "并且", "而且",
	}
	politeAlone = []string{
		"yes", "yep", "right", "great", "good", "nice", "cool", "sure", "fine", "perfect", "done",
		"好", "好的", "行", "嗯", "可以", "对", "是的", "谢谢", "很好", "没问题", "那", "收到", "辛苦",
	}
	correctWords = []string{
		"actually", "in fact", "correction", "i meant", "i said", "my mistake", "to be clear",
		"其实", "实际上", "事实上", "更正一下", "更正", "纠正一下", "纠正", "应该说", "准确地说", "我说的是", "不对",
	}
	correctAlone = []string{
		"no", "nope", "no no", "wrong", "not quite", "incorrect", "wait", "hold on", "sorry", "that's wrong", "that is wrong", "that's not right",
		"that is not right", "that's incorrect", "that's not correct", "that is not correct", "that's not true", "you're wrong", "you are wrong",
		"that was wrong", "not correct", "that's not it", "that's outdated", "nah", "you got it wrong",
		"不", "不是", "不是的", "错", "错了", "搞错", "弄错", "写错", "你搞错", "你弄错", "你写错", "你说错", "你理解错", "有误", "不是这样", "说错", "我说错",
		"等等", "等一下", "端口错", "又错", "还是不对", "这不对", "这样不对",
	}
	standingWords = []string{
		"from now on", "going forward", "in future", "in the future", "for future reference", "as a rule", "by default", "in general", "generally",
		"as a general rule", "moving forward", "henceforth",
		"以后都", "以后", "今后", "往后", "从现在起", "从现在开始", "从今以后", "从今往后", "从今天起", "默认情况下", "一般情况下", "原则上",
		"你以后", "我们以后", "后续都",
	}
	rememberWords = []string{
		"remember that", "remember", "keep in mind that", "keep in mind", "for the record", "note that", "note", "fyi", "for your information",
		"heads up", "important", "rule", "don't forget that", "never forget that",
		"注意", "请注意", "重要", "记住", "请记住", "牢记", "记一下", "请牢记", "备忘", "说明一下", "补充一下", "补充",
	}
)

// prefixes returns the words in front of a clause, longest first.
var prefixes = sync.OnceValue(func() []prefix {
	var list []prefix
	for _, g := range [...]struct {
		words []string
		alone bool
		marks marks
	}{
		{politeWords, false, marks{}},
		{politeAlone, true, marks{}},
		{correctWords, false, marks{corrects: true}},
		{correctAlone, true, marks{corrects: true}},
		{standingWords, false, marks{standing: true}},
		{rememberWords, false, marks{remember: true}},
	} {
		for _, w := range g.words {
			list = append(list, prefix{w, g.alone, w[0] >= 0x80, g.marks})
		}
	}
	slices.SortStableFunc(list, func(a, b prefix) int { return text.Len(b.text) - text.Len(a.text) })
	return list
})
