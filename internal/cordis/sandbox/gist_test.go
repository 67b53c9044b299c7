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
	{`(.*?) must be lossless JSON data.*`, `json.lossy($1)`},
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
