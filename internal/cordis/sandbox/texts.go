package sandbox

import (
	"fmt"
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/wire"
)

// All texts that plugin code can meet are in this file: English, one template a
// rule, with the facts that tell one case from another.

// redirects say what takes the place of what Node or a browser would have.
var redirects = map[string]string{
	"require":        servicesInstead,
	"fetch":          "for HTTP declare inject: ['web'] and use ctx.web.fetch({ url })",
	"setTimeout":     timerInstead,
	"setInterval":    timerInstead,
	"setImmediate":   timerInstead,
	"clearTimeout":   timerInstead,
	"clearInterval":  timerInstead,
	"clearImmediate": "",
}

const (
	servicesInstead = "there are no modules; use services on ctx: inject: ['fs'] for files, inject: ['web'] for HTTP, " +
		"inject: ['shell'] for commands (bash is the same service); query the Service directory first"
	timerInstead = "declare inject: ['timer'] and use ctx.timeout(fn, ms) or ctx.interval(fn, ms), which are cleaned up on stop"
)

func trapText(name string) string {
	return fmt.Sprintf("%s is not available in the dynamic sandbox: %s", name, redirects[name])
}

// The guard (7.3, 7.4).

func undeclaredText(name string) string {
	return fmt.Sprintf("service %q is not injected: add inject: ['%s'] to the plugin, or read it with ctx.get('%s'), which gives undefined while it is away", name, name, name)
}

func withheldText(name string) string {
	return fmt.Sprintf("ctx has no %q here: it has tools, get, effect, on, once, provide, the timer verbs when 'timer' is injected, and the services that the plugin injects", name)
}

func readOnlyText(name string) string {
	return fmt.Sprintf("ctx cannot be assigned to: %q stays as it is; keep state in a variable, or offer it with ctx.provide(name, value)", name)
}

func contextReturnText(service string) string {
	return fmt.Sprintf("service %q gave a Context, which dynamic code may not have", service)
}

// Evaluation and the shape of plugins (6.1, 7.1).

func timedOutText(limit time.Duration) string {
	return fmt.Sprintf("the synchronous part of the evaluation timed out after %dms", limit.Milliseconds())
}

const (
	noReturnText = "the Host half returned undefined: end it with `return { name, inject, apply(ctx) { ... } }`; perhaps it forgot to return"
	classText    = "the Host half returned a class, which nobody constructs: return an instance (`return new Plugin()`) or an object with apply(ctx)"
	configText   = "the plugin's Config did not accept its configuration"
	injectText   = "inject must be an array of service names, or an object whose keys are service names"
)

func notPluginText(what string) string {
	return fmt.Sprintf("the Host half must return a Plugin: a function, or an object with a function apply(ctx); it returned %s", what)
}

// requiredOptionalText explains what a plugin of another framework means.
const requiredOptionalText = "inject has no required/optional form: its keys are taken as service names, so the plugin waits for services " +
	"named \"required\" and \"optional\". Write inject: ['name'] and use ctx.get('name') for what is optional"

// Handlers (7.2).

const badMethodText = "harness.handle wants a non-empty text as the name of the method"

func badHandlerText(method string) string {
	return fmt.Sprintf("harness.handle(%q) wants a function", method)
}

func noHandlerText(method string) string { return fmt.Sprintf("there is no handler for %q", method) }

func tooManyHandlersText(limit int) string {
	return fmt.Sprintf("harness.handle takes at most %d methods", limit)
}

func parkedText(method string) string {
	return fmt.Sprintf("the handler of %q failed while the plugin is parked: a service that it injects is away", method)
}

// Effects, events and services (8).

const (
	inactiveText      = "cannot create an effect: the plugin's context is inactive"
	inactiveCode      = "INACTIVE_EFFECT"
	invalidEffectText = "invalid effect: a setup gives a function, nothing, a promise of these, or an iterable of functions"
	hangText          = "an effect took too long to be undone and was given up"
)

func tooManyTimersText(limit int) string {
	return fmt.Sprintf("a plugin may have %d timers at a time: call the disposers of those that are not needed any more, "+
		"or let one ctx.interval look after what is due", limit)
}

func wantsFunctionText(verb string) string { return fmt.Sprintf("ctx.%s wants a function", verb) }

func wantsNameText(verb string) string {
	return fmt.Sprintf("ctx.%s wants a non-empty text as a name", verb)
}

// The border between runtimes.

func cannotCrossText(what string) string { return what + " cannot cross to another plugin" }

const (
	cycleText   = "a value that contains a cycle cannot cross to another plugin"
	handlesText = "too many functions of this plugin are held by others"
	tooDeepText = "the value is nested too deeply to cross to another plugin"
	goneText    = "what was called is gone"
)

// slowError is what a synchronous call fails with that takes too long.
func slowError(limit time.Duration) error {
	return &wire.Fault{Code: wire.CodeLimit, Message: fmt.Sprintf("the call took longer than %s and was given up", limit)}
}

// Tools (7.5).

const (
	toolOptionsText  = "harness.defineTool: the definition must be an object"
	toolOutputText   = "harness.defineTool: output must declare { schema, render, presentationMeta? }"
	toolRenderText   = "harness.defineTool: output.render must be a function"
	toolMetaText     = "harness.defineTool: output.presentationMeta must be a function when present"
	toolExecuteText  = "harness.defineTool: execute must be a function"
	toolNameText     = "harness.defineTool: name must be a non-empty text"
	toolTextText     = "harness.defineTool: description must be a text"
	toolUnmarkedText = "a dynamic tool must be made by harness.defineTool before it is registered"
	toolsText        = "harness.defineTool: too many definitions"
	toolContextText  = "harness.registerTool wants the ctx that apply was given"
	invalidOutput    = "INVALID_TOOL_OUTPUT"
	outputErrorName  = "ToolOutputError"
)

func toolTimeoutText(name string) string {
	return fmt.Sprintf("harness.defineTool(%q): timeoutMs must be a positive finite number when present", name)
}

// renderText echoes what render gave, cut at 120 characters.
func renderText(echo string) string {
	if r := []rune(echo); len(r) > 120 {
		echo = string(r[:120]) + "…"
	}
	return fmt.Sprintf("output.render gave %s: it must give an array of objects with a string type", echo)
}

func partText(part, message string) string { return fmt.Sprintf("output.%s failed: %s", part, message) }

func outputText(tool, violations string) string {
	return fmt.Sprintf("tool %q gave an output that its schema refuses: %s", tool, violations)
}

// describe names a value for a message.
func describe(kind string) string {
	if kind == "" {
		return "nothing"
	}
	if strings.ContainsAny(kind[:1], "aeiou") {
		return "an " + kind
	}
	return "a " + kind
}
