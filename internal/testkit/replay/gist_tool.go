package replay

import (
	"regexp"
	"strings"
	"sync"
)

// toolRules are what the boundary of tools says: schemas, arguments, outputs.
func toolRules() []entry {
	return []entry{
		{pattern: `harness\.defineTool: the definition must be an object`, key: "tool.options-not-object"},
		{pattern: `harness\.defineTool: output must declare`, key: "tool.output-missing"},
		{pattern: `harness\.defineTool: output\.render must be a function`, key: "tool.render-not-function"},
		{pattern: `harness\.defineTool: output\.presentationMeta must be a function`, key: "tool.meta-not-function"},
		{pattern: `harness\.defineTool: execute must be a function`, key: "tool.execute-not-function"},
		{pattern: `harness\.defineTool\("([^"]*)"\): timeoutMs must be`, key: "tool.timeout($1)"},
		{pattern: `a dynamic tool must be made by harness\.defineTool`, key: "tool.not-from-defineTool"},
		{pattern: `output\.render gave (.*?): it must`, key: "tool.render-shape($1)"},
		{pattern: `tool "([^"]+)" gave an output that its schema refuses: (.*)$`, make: func(m []string) string {
			return "tool.output(" + m[1] + ": " + violations(m[2]) + ")"
		}},
		{pattern: `tool "([^"]+)" is already registered(.*)`, make: func(m []string) string {
			if strings.Contains(m[2], "cordis_stop") {
				return "tool.duplicate(" + m[1] + ")+replace-recipe"
			}
			return "tool.duplicate(" + m[1] + ")"
		}},
		{pattern: `tool name "([^"]+)" is reserved`, key: "tool.reserved($1)"},
		{pattern: `invalid arguments: (.*)$`, make: func(m []string) string { return "args(" + violations(m[1]) + ")" }},
		{pattern: `tool-(?:missing|unknown) (\S+)`, key: "tool.unknown($1)"},
	}
}

// breach is one way to break a schema, in the words of package schema.
type breach struct {
	pattern *regexp.Regexp
	key     string
}

var breaches = sync.OnceValue(func() []breach {
	var list []breach
	for _, pair := range [][2]string{
		{`^missing required property "([^"]+)"`, "$1:missing"},
		{`^"([^"]+)" must match exactly one (?:oneOf )?branch \(matched (\d+)\)`, "$1:oneOf=$2"},
		{`^"([^"]+)" is not a declared property`, "$1:undeclared"},
		{`^"([^"]+)" must be one of `, "$1:enum"},
		{`^"([^"]+)" must be an? (.*)$`, "$1:type $2"},
		{`^"([^"]+)" must be (.*)$`, "$1:must be $2"},
	} {
		list = append(list, breach{regexp.MustCompile(pair[0]), pair[1]})
	}
	return list
})

// violations are the keys of all breaches that a message lists.
func violations(message string) string {
	var keys []string
	for _, item := range strings.Split(message, "; ") {
		keys = append(keys, violation(item))
	}
	return strings.Join(keys, "; ")
}

func violation(item string) string {
	for _, b := range breaches() {
		if at := b.pattern.FindStringSubmatchIndex(item); at != nil {
			return string(b.pattern.ExpandString(nil, b.key, item, at))
		}
	}
	return item
}
