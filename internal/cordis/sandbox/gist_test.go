package sandbox_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// keys turn our messages into the keys of the recorded results: which rule, and
// which facts.
var keys = []struct{ pattern, key string }{
	{`service "([^"]+)" is not injected.*`, `guard.undeclared($1)`},
	{`ctx has no "([^"]+)" here.*`, `guard.withheld($1)`},
	{`ctx cannot be assigned to: "([^"]+)".*`, `guard.read-only($1)`},
	{`service "([^"]+)" gave a Context.*`, `guard.context-return($1)`},
	{`(set\w+|clear\w+) is not available in the dynamic sandbox.*inject: \['timer'\].*`, `trap.host($1)->timer`},
	{`require is not available in the dynamic sandbox.*inject: \['fs'\].*`, `trap.host(require)->services`},
	{`fetch is not available in the dynamic sandbox.*inject: \['web'\].*`, `trap.host(fetch)->web`},
	{`harness.handle wants a non-empty text.*`, `handle.bad-method`},
	{`harness.handle\("([^"]+)"\) wants a function`, `handle.bad-handler($1)`},
	{`the Host half returned undefined.*`, `host.no-return`},
	{`the Host half must return a Plugin.*`, `host.not-a-plugin`},
	{`the synchronous part of the evaluation timed out after (\w+)`, `host.vm-timeout($1)`},
	{`cannot create an effect: the plugin's context is inactive`, `core.INACTIVE_EFFECT`},
	{`invalid effect: .*`, `core.invalid-effect`},
	{`the context of this timer has been disposed of`, `timer.disposed`},
	{`inject must be an array of service names.*`, `inject.not-array-or-object`},
	{`service "([^"]+)" has been registered at <(.+)>`, `service.duplicate($1 at $2)`},
	{`harness.defineTool: the definition must be an object`, `tool.options-not-object`},
	{`harness.defineTool: output must declare.*`, `tool.output-missing`},
	{`harness.defineTool: output.render must be a function`, `tool.render-not-function`},
	{`harness.defineTool: output.presentationMeta must be a function.*`, `tool.meta-not-function`},
	{`harness.defineTool: execute must be a function`, `tool.execute-not-function`},
	{`harness.defineTool\("([^"]+)"\): timeoutMs must be.*`, `tool.timeout($1)`},
	{`a dynamic tool must be made by harness.defineTool.*`, `tool.not-from-defineTool`},
	{`harness.defineTool (\S+) must be an object that describes parameters`, `tool.schema-not-object($1)`},
	{`harness.defineTool (\S+) must have a type: .*\(got (.*)\)`, `tool.schema-type($1,got $2)`},
	{`harness.defineTool (\S+) is no keyword.*`, `tool.schema-unknown-key($1)`},
	{`harness.defineTool (\S+) contains itself`, `tool.schema-circular($1)`},
	{`harness.defineTool (\S+) must have only keys.*`, `tool.schema-hidden-keys($1)`},
	{`harness.defineTool (\S+) must be given, as true or false`, `tool.schema-openness($1)`},
	{`harness.defineTool (\S+) must be true when present`, `tool.schema-required-true($1)`},
	{`harness.defineTool (\S+) must be an array of names.*`, `tool.schema-required-array($1)`},
	{`harness.defineTool (\S+) names "([^"]+)", which is not declared`, `tool.schema-required-undeclared($1,$2)`},
	{`harness.defineTool (\S+) belongs into the required array.*`, `tool.schema-raw-required($1)`},
	{`harness.defineTool (\S+) must be true or left out.*`, `tool.schema-root-open($1)`},
	{`harness.defineTool (\S+) must hold two schemas or more`, `tool.schema-oneof($1)`},
	{`harness.defineTool (\S+) must be an array with a value or more`, `tool.schema-enum($1)`},
	{`harness.defineTool (\S+) must be an object whose members are schemas`, `tool.schema-properties($1)`},
	{`unsupported JSON schema: (\S+) must be a non-empty array of values.*`, `tool.json-schema($1:enum-values)`},
	{`unsupported JSON schema: (\S+) must be a value of type.*`, `tool.json-schema($1:const-value)`},
	{`unsupported JSON schema: (\S+) must be true or false`, `tool.json-schema($1:openness)`},
	{`unsupported JSON schema: (\S+) must be one of.*`, `tool.json-schema($1:type)`},
	{`tool "([^"]+)" gave an output that its schema refuses: "([^"]+)" must be of type (\w+)`, `tool.output($1: $2:type $3)`},
	{`(?:(.*(?:Error: ))|)(.*?) must be lossless JSON data.*`, `${1}json.lossy($2)`},
	{`(\w+) is not defined`, `engine.ReferenceError($1)`},
	{`output.render gave (.*?): it must.*`, `tool.render-shape($1)`},
}

// gist is a message as the recorded results have it.
func gist(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	for _, k := range keys {
		re := regexp.MustCompile(k.pattern)
		if re.MatchString(text) {
			text = re.ReplaceAllString(text, k.key)
			break
		}
	}
	return regexp.MustCompile(`\b(Type|Range|Reference)Error: `).ReplaceAllString(text, "Error: ")
}

func gists(lines []string) []string {
	var out []string
	for _, line := range lines {
		out = append(out, gist(line))
	}
	return out
}

// golden are the lines that the reference wrote, of the n-th step that shows any.
func golden(t *testing.T, name string, n int) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "oracle", "cordis", "golden", name+".golden.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Steps []struct {
			Step   string
			Result json.RawMessage
		}
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	for _, step := range file.Steps {
		if step.Step != "logs" {
			continue
		}
		if n--; n >= 0 {
			continue
		}
		var lines []struct{ Level, Text string }
		if err := json.Unmarshal(step.Result, &lines); err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, line := range lines {
			if line.Level != "log" {
				line.Text = line.Level + ": " + line.Text
			}
			out = append(out, line.Text)
		}
		return out
	}
	t.Fatalf("%s has no such step", name)
	return nil
}
