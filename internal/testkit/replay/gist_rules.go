package replay

import (
	"fmt"
	"strconv"
	"strings"
)

// wrapperRules are messages that hold another one.
func wrapperRules() []entry {
	return []entry{
		{pattern: `(evaluate|module-import|activate): (.*)$`, make: func(m []string) string { return m[1] + ": " + Gist(m[2]) }},
		{pattern: `host\.call\("([^"]*)"\) on \S+ failed inside the host handler: (.*)$`, make: func(m []string) string {
			return "call.handler-error(" + m[1] + ": " + Gist(m[2]) + ")"
		}},
		{pattern: `host\.call\("([^"]*)"\) on \S+ did not complete: ([^\n]*)`, make: func(m []string) string { return "call.wire(" + m[1] + ": " + Gist(m[2]) + ")" }},
		{pattern: `host\.call\("([^"]*)"\) on \S+ found no active`, key: "call.plugin-not-running($1)"},
		{pattern: `host\.call\("([^"]*)"\) on \S+ belongs to an activation`, key: "call.stale-run($1)"},
		{pattern: `host\.call\("([^"]*)"\) on \S+ is not registered`, key: "call.method-not-found($1)"},
		{pattern: `your entry in slot "([^"]+)" crashed while React rendered it: (.*)$`, make: crash},
	}
}

func crash(m []string) string {
	more := ""
	if strings.Contains(m[2], "\n") {
		more = " +redirect"
	}
	return "render.crash(" + m[1] + ": " + Gist(firstLine(m[2])) + more + ")"
}

// hostRules are what the sandbox of a Host half says.
func hostRules() []entry {
	return []entry{
		{pattern: `service "([^"]+)" is not injected`, key: "guard.undeclared($1)"},
		{pattern: `ctx has no "([^"]+)" here`, key: "guard.withheld($1)"},
		{pattern: `ctx cannot be assigned to: "([^"]+)"`, key: "guard.read-only($1)"},
		{pattern: `service "([^"]+)" gave a Context`, key: "guard.context-return($1)"},
		{pattern: `(\w+) is not available in the dynamic sandbox: (.*)`, make: func(m []string) string { return "trap.host(" + m[1] + ")" + redirect(m[2]) }},
		{pattern: `the Host half returned undefined`, key: "host.no-return"},
		{pattern: `the Host half must return a Plugin`, key: "host.not-a-plugin"},
		{pattern: `the Host half returned a class`, key: "host.class"},
		{pattern: `the synchronous part of the evaluation timed out after (\w+)`, key: "host.vm-timeout($1)"},
		{pattern: `harness\.handle wants a non-empty text`, key: "handle.bad-method"},
		{pattern: `harness\.handle\("([^"]+)"\) wants a function`, key: "handle.bad-handler($1)"},
		{pattern: `\S+ registered no Host method "([^"]+)"`, key: "method-not-found($1)"},
		{pattern: `there is no handler for "([^"]+)"`, key: "method-not-found($1)"},
		{pattern: `the handler of "([^"]+)" failed while the plugin is parked`, key: "handle.parked($1)"},
		{pattern: `(harness\.[^\n]*?) must be lossless JSON data`, key: "json.lossy($1)"},
		{pattern: `cannot create an effect: the plugin's context is inactive`, key: "core.INACTIVE_EFFECT"},
		{pattern: `invalid effect: `, key: "core.invalid-effect"},
		{pattern: `(?:Context has been disposed|the context of this timer has been disposed of)`, key: "timer.disposed"},
		{pattern: `inject must be an array of service names`, key: "inject.not-array-or-object"},
		{pattern: `service "([^"]+)" has been registered at <(.+)>`, key: "service.duplicate($1 at $2)"},
	}
}

// redirect says what a trap leads to.
func redirect(text string) string {
	switch {
	case strings.Contains(text, "inject: ['timer']"):
		return "->timer"
	case strings.Contains(text, "inject: ['fs']"):
		return "->services"
	case strings.Contains(text, "['web']"), strings.Contains(text, "ctx.web"):
		return "->web"
	case strings.Contains(text, "harness.handle"):
		return "->host.call"
	case strings.Contains(text, "closure symbol"):
		return "->closure-symbols"
	}
	return ""
}

// registryRules are the refusals of the registry, and of what it records.
func registryRules() []entry {
	return []entry{
		{pattern: `(code\.\w+) does not parse(?:, line (\d+), column \d+:\n[^\n]*\n(\s*)(\^+))?\n(.*)$`, make: syntax},
		{pattern: `name must not be empty`, key: "define.name-empty"},
		{pattern: `purpose must not be empty`, key: "define.purpose-empty"},
		{pattern: `code\.host, code\.client or both are needed`, key: "define.no-code"},
		{pattern: `plugin\.idPrefix must be`, key: "define.bad-prefix"},
		{pattern: `no plugin "" in this session`, key: `no dynamic plugin "" in this process — it may have been removed or lost on DSH restart`},
		{pattern: `no plugin "([^"]*)" in this session`, key: "plugin-missing($1)"},
		{pattern: `plugin "([^"]+)" has no package "([^"]*)"`, key: "package-missing($1/$2)"},
		{pattern: `plugin "[^"]+" has no current package yet`, key: "mode.no-current"},
		{pattern: `package "[^"]+" is the current one of`, key: "mode.already-current"},
		{pattern: `package "[^"]+" is not the current one of plugin "[^"]+", that is "([^"]+)"`, key: "mode.differs(current=$1)"},
		{pattern: `plugin "[^"]+" is starting`, key: "transition.starting"},
		{pattern: `plugin "[^"]+" is stopping`, key: "transition.stopping"},
		{pattern: `plugin "[^"]+" has a request for a run that nobody has answered yet`, key: "transition.pending-request"},
		{pattern: `plugin "[^"]+" has the request "([^"]+)" for a run`, key: "panel.pending-request($1)"},
		{pattern: `the run of plugin "[^"]+" was cancelled before it began`, key: "run.cancelled-before-activation"},
		{pattern: `plugin "([^"]+)" was stopped while "([^"]+)" was starting`, key: "run.stopped-while-starting($2)"},
		{pattern: `plugin "([^"]+)" is not running`, key: "not-running($1)"},
		{pattern: `run "([^"]+)" of plugin "[^"]+" is no longer active`, key: "run-no-longer-active($1)"},
		{pattern: `plugin "[^"]+" does not run as "([^"]+)"`, key: "source.not-running($1)"},
		{pattern: `package "([^"]+)" of plugin "[^"]+" has no Client half`, key: "source.no-client($1)"},
		{pattern: `no request "([^"]+)" waits for an answer`, key: "request.missing($1)"},
		{pattern: `request "([^"]+)" is not for a run of`, key: "request.mismatch($1)"},
		{pattern: `request "([^"]+)" is not for the latest run`, key: "request.stale($1)"},
		{pattern: `the user declined "`, key: "request.declined"},
		{pattern: `plugin "[^"]+" was stopped before "[^"]+" was approved`, key: "request.stopped-before-approval"},
		{pattern: `plugin "[^"]+" was removed before "[^"]+" was approved`, key: "request.removed-before-approval"},
		{pattern: `plugin "[^"]+" was stopped before "[^"]+" was active on a page`, key: "request.stopped-before-active"},
		{pattern: `self-package-without-plugin$`, key: "self.package-without-plugin"},
		{pattern: `aborted-before-dispatch$`, key: "tool.aborted-before-dispatch"},
		{pattern: `cancelled$`, key: "cancelled"},
	}
}

// syntax is the key of a text that does not parse. The recordings count lines with
// the one that wraps the text, ours are the author's own (spec/cordis.md 17.3).
func syntax(m []string) string {
	line, caret, hint := "?", "", "async-body"
	if n, err := strconv.Atoi(m[2]); err == nil {
		line, caret = strconv.Itoa(n+1), fmt.Sprintf(" caret=%d+%d", len(m[3])+1, len(m[4]))
	}
	if strings.Contains(m[5], "plain JavaScript, not TypeScript") {
		hint = "typescript"
	}
	return fmt.Sprintf("parse(%s) line=%s%s hint=%s", m[1], line, caret, hint)
}

// inspectRules are what asking a provider can come to.
func inspectRules() []entry {
	return []entry{
		{pattern: `inspect-no-provider (\w+) (\S+)$`, key: "inspect.no-provider($1.$2)"},
		{pattern: `inspect-no-method (\S+) (\S+)$`, key: "inspect.no-method($1.$2)"},
		{pattern: `inspect-bad-input (\w+) (\S+) (.*)$`, make: func(m []string) string {
			return "inspect.bad-input(" + m[1] + "." + m[2] + ": " + violations(m[3]) + ")"
		}},
		{pattern: `inspect-no-service (\S*)$`, key: "inspect.no-service($1)"},
		{pattern: `inspect-no-event (\S*)$`, key: "inspect.no-event($1)"},
	}
}

// clientRules are what the published client runner says, in its words.
func clientRules() []entry {
	return []entry{
		{pattern: `client half failed to parse in this browser`, key: "client.parse"},
		{pattern: "client half returned `undefined`", key: "client.no-return"},
		{pattern: "client half must `return` a plugin", key: "client.not-a-plugin"},
		{pattern: `client api: \S+ rejected "(\w+)"`, key: "wire.rejected($1)"},
		{pattern: `(\w+) is not available in a dynamic client half(.*)`, make: func(m []string) string { return "trap.client(" + m[1] + ")" + redirect(m[2]) }},
		{pattern: `harness\.(\w+) belongs to the HOST half`, key: "trap.client-harness($1)"},
		{pattern: `service "([^"]+)" is not declared by your plugin`, key: "guard.undeclared($1)"},
		{pattern: `.*ctx does not expose "([^"]+)"`, key: "guard.withheld($1)"},
		{pattern: `.*ctx is read-only; cannot assign "([^"]+)"`, key: "guard.read-only($1)"},
		{pattern: `service "([^"]+)" returned a cordis Context`, key: "guard.context-return($1)"},
		{pattern: `.*styles\.insert\(css\) needs a CSS string`, key: "styles.not-string"},
		{pattern: `.*slots\.register\(options, component\) needs an options object`, key: "slots.no-options"},
		{pattern: ".*slots\\.register options need a string `name`", key: "slots.no-name"},
		{pattern: `.*tool\.view\.cordis only accepts key "self"`, key: "slots.self-key-only"},
		{pattern: `slot "([^"]+)" is not declared`, key: "slots.undeclared($1)"},
		{pattern: `\w+ slot "([^"]+)" requires options\.(\w+)`, key: "slots.missing-option($1,$2)"},
		{pattern: `\w+ slot "([^"]+)" already has`, key: "slots.occupied($1)"},
		{pattern: `.*theme\.overrideTokens\(source, tokens\) takes two arguments`, key: "theme.two-arguments"},
		{pattern: `theme override "([^"]+)" from "([^"]+)" is a bare string`, key: "theme.bare-string($1 from $2)"},
		{pattern: `theme override "([^"]+)" from "([^"]+)" must map`, key: "theme.not-a-pair($1 from $2)"},
	}
}

// engineRules are what a JavaScript engine says: only the kind counts.
func engineRules() []entry {
	return []entry{
		{pattern: `(?:TypeError: )?Cannot (?:read|convert)`, key: "engine.TypeError"},
		{pattern: `Object has no member`, key: "engine.TypeError"},
		{pattern: `(?:TypeError: )?Class constructor`, key: "engine.class-called-without-new"},
		{pattern: `(\w+) is not defined$`, key: "engine.ReferenceError($1)"},
	}
}
