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
		{pattern: `(?:the )?tool name "([^"]+)" is reserved`, key: "tool.reserved($1)"},
		{pattern: `invalid arguments: (.*)$`, make: func(m []string) string { return "args(" + violations(m[1]) + ")" }},
		{pattern: `unsupported JSON schema: (.*)$`, make: func(m []string) string { return "tool.json-schema(" + violations(m[1]) + ")" }},
		{pattern: `harness\.defineTool (\S+) must be an object that describes parameters`, key: "tool.schema-not-object($1)"},
		{pattern: `harness\.defineTool (\S+) contains itself`, key: "tool.schema-circular($1)"},
		{pattern: `harness\.defineTool (\S+) must have only keys`, key: "tool.schema-hidden-keys($1)"},
		{pattern: `harness\.defineTool (\S+) is no keyword of the schema language`, key: "tool.schema-unknown-key($1)"},
		{pattern: `harness\.defineTool (\S+) must have a type: .*\(got (.*)\)$`, key: "tool.schema-type($1,got $2)"},
		{pattern: `harness\.defineTool (\S+) must be given, as true or false`, key: "tool.schema-openness($1)"},
		{pattern: `harness\.defineTool (\S+) must be true or false when present`, key: "tool.schema-boolean($1)"},
		{pattern: `harness\.defineTool (\S+) must be true when present`, key: "tool.schema-required-true($1)"},
		{pattern: `harness\.defineTool (\S+) must be an array of names`, key: "tool.schema-required-array($1)"},
		{pattern: `harness\.defineTool (\S+) names "([^"]+)", which is not declared`, key: "tool.schema-required-undeclared($1,$2)"},
		{pattern: `harness\.defineTool (\S+) belongs into the required array`, key: "tool.schema-raw-required($1)"},
		{pattern: `harness\.defineTool (\S+) must be true or left out`, key: "tool.schema-root-open($1)"},
		{pattern: `harness\.defineTool (\S+) must hold two schemas`, key: "tool.schema-oneof($1)"},
		{pattern: `harness\.defineTool (\S+) must be an array with a value`, key: "tool.schema-enum($1)"},
		{pattern: `harness\.defineTool (\S+) must be an object whose members are schemas`, key: "tool.schema-properties($1)"},
		{pattern: `tool-(?:missing|unknown) (\S*)`, key: `unknown tool "$1"`},
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
		{`^"([^"]+)" is required and missing`, "$1:missing"},
		{`^"([^"]+)" must fit exactly one of the oneOf schemas \(fits (\d+)\)`, "$1:oneOf=$2"},
		{`^"([^"]+)" is not declared`, "$1:undeclared"},
		{`^"([^"]+)" must be one of `, "$1:enum"},
		{`^"([^"]+)" must be of type (.*)$`, "$1:type $2"},
		{`^"([^"]+)" must be (.*)$`, "$1:must be $2"},
		{`^(schema\S*) is not a keyword that is supported`, "$1:unknown-keyword"},
		{`^(schema\S*) must be one of `, "$1:type"},
		{`^(schema\S*) must be true or false`, "$1:openness"},
		{`^(schema\S*) must be a non-empty array of values`, "$1:enum-values"},
		{`^(schema\S*) must be a value of type`, "$1:const-value"},
		{`^(schema\S*) `, "$1:other"},
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
