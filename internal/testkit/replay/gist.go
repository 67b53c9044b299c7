package replay

import (
	"regexp"
	"strings"
	"sync"

	"github.com/dshkit/dshkit/pkg/fault"
)

// rule turns a message into a key. The groups of the pattern are $1 and so on in
// the key; keys that need more have a function.
type rule struct {
	pattern *regexp.Regexp
	key     string
	make    func(groups []string) string
}

// Gist is the key of a message: which rule it is of, and the facts that tell one
// case from another. A message of no rule, one that a sample throws, is its own
// first line.
func Gist(message string) string {
	if key, ok := known(message); ok {
		return key
	}
	return firstLine(message)
}

// known is the key of a message that a rule knows.
func known(message string) (key string, ok bool) {
	for _, r := range rules() {
		if groups := r.pattern.FindStringSubmatch(message); groups != nil {
			return r.of(message, groups), true
		}
	}
	return "", false
}

func (r rule) of(message string, groups []string) string {
	if r.make != nil {
		return r.make(groups)
	}
	var key []byte
	return string(r.pattern.ExpandString(key, r.key, message, r.pattern.FindStringSubmatchIndex(message)))
}

var (
	compiled []rule
	compile  sync.Once
)

// rules are all rules; of those that fit a message the first counts.
func rules() []rule {
	compile.Do(func() { compiled = compileRules() })
	return compiled
}

func compileRules() (all []rule) {
	for _, table := range [][]entry{wrapperRules(), hostRules(), registryRules(), toolRules(), inspectRules(), clientRules(), engineRules()} {
		for _, e := range table {
			all = append(all, rule{regexp.MustCompile(`(?s)^` + e.pattern), e.key, e.make})
		}
	}
	return all
}

// entry is a row of a table: the pattern of a message from its beginning, and its
// key.
type entry struct {
	pattern, key string
	make         func(groups []string) string
}

// sentence is the message of a fault: those that bear one bear it last, the others
// are told by their code.
func sentence(f *fault.Error) string {
	if len(f.Args) == 0 {
		return f.Code
	}
	last, _ := f.Args[len(f.Args)-1].(string)
	switch f.Code {
	case "syntax":
		if f.Err != nil { // the whole report
			return f.Err.Error()
		}
	case "service-missing": // what the reference's harness says of undefined
		return "Cannot read properties of undefined"
	case "method-missing", "service-method-missing":
		return "world.ctx.get(...)[s.method] is not a function"
	case "invalid-args":
		return "invalid arguments: " + last
	case "inspect-no-provider", "inspect-no-method", "inspect-bad-input", "inspect-no-service", "inspect-no-event", "tool-missing", "tool-unknown":
		return f.Code + " " + joined(f.Args)
	}
	return last
}

func joined(args []any) string {
	var list []string
	for _, a := range args {
		s, _ := a.(string)
		list = append(list, s)
	}
	return strings.Join(list, " ")
}
