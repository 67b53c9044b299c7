package learn

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/link"
	"github.com/dshkit/dshkit/pkg/transcript"
)

// maxToolAddresses is how many addresses from outputs one session may add.
const maxToolAddresses = 2

// address is an address worth keeping.
type address struct {
	link       link.Link
	name, use  string // use is a finished sentence
	source     string
	importance int
	quote      Quote
}

var addressPatterns = sync.OnceValue(func() [3]*regexp.Regexp {
	return [3]*regexp.Regexp{
		// One task, one commit, one run: nobody comes back to it.
		regexp.MustCompile(`(?i)/(?:issues?|pulls?|merge_requests|commits?|jobs|runs|builds?|pipelines)/[0-9a-f]+|/browse/[A-Z]+-\d+|/actions/runs/`),
		// Words in front of an address in a message that make it documentation.
		regexp.MustCompile(`(?i)(?:docs?|documentation|help|see|more info(?:rmation)?|reference|wiki|guide|read more|learn more|文档|参考|详见|帮助|说明)\W{0,6}(?:at|in|on)?\W{0,6}$`),
		// An address of documentation by its own words.
		regexp.MustCompile(`(?i)(?:^|[./-])(?:docs?|documentation|wiki|reference|manual|guides?|handbook|spec|rfc|developer|learn|runbooks?)(?:[./-]|$)`),
	}
})

// userAddresses keeps the addresses of a prompt that come with a purpose.
func (e *Engine) userAddresses(r transcript.Record, s string) {
	for _, l := range link.Candidates(s) {
		switch before, after := link.Purpose(s, l); {
		case l.Credentials():
			e.left[leftSecret]++
		case before == "" && after == "", addressPatterns()[0].MatchString(l.URL), isVerbOnly(before) && after == "":
			e.left[leftAddress]++
		default:
			a := address{link: l, name: keep(before, 60), source: "user", importance: 6, quote: e.quote(r, around(s, l))}
			a.use = e.useOf(s, l, before, after)
			if a.name == "" {
				a.name = l.Host()
			}
			e.addAddress(a)
		}
	}
}

// around is the sentence of an address, as evidence.
func around(s string, l link.Link) string {
	begin := max(0, l.Start-120)
	return strings.ToValidUTF8(s[begin:min(len(s), l.End+60)], "")
}

// useOf says what an address is for: the words after it, or for a name that
// says little the sentence before it.
func (e *Engine) useOf(s string, l link.Link, before, after string) string {
	if after != "" {
		return keep(after, maxWords)
	}
	if isGenericName(before) {
		if topic := topicBefore(s, l); topic != "" {
			return topic
		}
	}
	return e.words.Given
}

// isGenericName reports whether a name fits any address.
func isGenericName(name string) bool {
	switch strings.ToLower(name) {
	case "", "文档", "docs", "doc", "documentation", "link", "链接", "地址", "页面", "page", "说明", "资料", "参考资料", "api docs", "接口文档", "spec", "wiki":
		return true
	}
	return false
}

// topicBefore returns the first clause of the sentence before the one that the
// address stands in.
func topicBefore(s string, l link.Link) string {
	topic := ""
	at := 0
	for _, line := range strings.SplitAfter(s, "\n") {
		for _, sen := range sentences(line) {
			if at+sen.begin+len(sen.text) >= l.Start {
				return topic
			}
			if len(sen.clauses) > 0 && len(link.Candidates(sen.text)) == 0 && !isSecretLine(sen.text) {
				topic = keep(trimWords(sen.clauses[0].text), maxWords)
			}
		}
		at += len(line)
	}
	return topic
}

// isVerbOnly reports whether the words before an address only ask for something
// to be done with it.
func isVerbOnly(before string) bool {
	switch strings.ToLower(before) {
	case "fix", "fix this", "look", "summarize", "summarise", "clone", "download", "review", "implement", "update", "修", "修复", "处理", "总结", "下载", "克隆", "帮我看", "帮我看看", "审一下":
		return true
	}
	return false
}

// addressesOfError keeps the address of documentation that a failure names.
func (e *Engine) addressesOfError(r transcript.Record) {
	for line := range strings.SplitSeq(window(r.Text), "\n") {
		if len(line) > maxOutLine || !strings.Contains(line, "://") || isSecretLine(line) || strings.Contains(line, "[selfip]") {
			continue
		}
		for _, l := range link.Candidates(line) {
			if l.Credentials() || !addressPatterns()[1].MatchString(line[max(0, l.Start-40):l.Start]) {
				continue
			}
			why := fmt.Sprintf(e.words.NamedIn, keep(e.shorten(decisive(r.Text)), 80))
			e.addAddress(address{link: l, name: l.Host(), use: why, source: "tool", importance: 4, quote: e.quote(r, line)})
		}
	}
}

// fetched keeps an address of documentation that the agent read.
func (e *Engine) fetched(c call, r transcript.Record) {
	for _, l := range link.Candidates(c.input) {
		words := topicOf(e.last.prompt.Excerpt)
		if l.Credentials() || words == "" || !addressPatterns()[2].MatchString(l.Key) || addressPatterns()[0].MatchString(l.URL) {
			continue
		}
		q := e.quote(r, c.input)
		e.addAddress(address{link: l, name: l.Host(), use: fmt.Sprintf(e.words.FetchedIn, words), source: "tool", importance: 4, quote: q})
	}
}

// topicOf returns the first clause of what was asked.
func topicOf(prompt string) string {
	for _, sen := range sentences(prompt) {
		if len(sen.clauses) > 0 && !isSecretLine(sen.text) {
			return keep(trimWords(sen.clauses[0].text), 60)
		}
	}
	return ""
}

// addAddress adds an address; what the user said of it outranks what was read.
func (e *Engine) addAddress(a address) {
	for i, old := range e.addresses {
		if old.link.Key == a.link.Key {
			if a.importance > old.importance {
				e.addresses[i] = a.own()
			}
			return
		}
	}
	e.addresses = push(e.addresses, a.own(), maxAddresses)
}

// own gives an address memory of its own.
func (a address) own() address {
	a.link.URL, a.link.Key = strings.Clone(a.link.URL), strings.Clone(a.link.Key)
	return a
}

// resources are the addresses, those of the user first, newest first.
func (e *Engine) resources() []Conclusion {
	var user, tool []Conclusion
	for i := len(e.addresses) - 1; i >= 0; i-- {
		a := e.addresses[i]
		c := Conclusion{
			Kind: entry.Resource, Text: a.name + " | " + a.link.URL + " | " + a.use,
			Importance: a.importance, Source: a.source, Evidence: []Quote{a.quote},
		}
		if a.source == "user" {
			user = append(user, c)
		} else {
			tool = append(tool, c)
		}
	}
	if n := len(tool) - maxToolAddresses; n > 0 {
		e.left[leftLimit] += n
		tool = tool[:maxToolAddresses]
	}
	return append(user, tool...)
}
