// Package harness speaks the dialects of coding-agent harnesses: which one is
// calling, what its payload means, what may be said back to it, and how to read
// the log of its session (spec/harness-hooks.md). Its sub-package install plans
// the change of a harness's settings.
//
// Everything here is bytes in, values out: it opens no file, reads no clock and
// keeps nothing. Payloads and logs are hostile text; nothing in them makes a
// function fail as a whole, what is odd is left out or counted.
//
// A harness is added with one file that holds its dialect, and a line in
// dialectOf.
package harness

// Harness names a coding agent by the word it has on the command line.
type Harness string

// The harnesses that Detect can name.
const (
	ClaudeCode Harness = "claude-code"
	Codex      Harness = "codex"
	DSH        Harness = "dsh"
	GeminiCLI  Harness = "gemini-cli"
	Cursor     Harness = "cursor"
	CopilotCLI Harness = "copilot-cli"
	VSCode     Harness = "vscode"
	OpenCode   Harness = "opencode"
	Pi         Harness = "pi"
	QwenCode   Harness = "qwen-code"
	Hermes     Harness = "hermes"
	OpenClaw   Harness = "openclaw"
	Cline      Harness = "cline"
	Goose      Harness = "goose"
	Kiro       Harness = "kiro"
	Crush      Harness = "crush"
	Windsurf   Harness = "windsurf"
)

// All returns every harness that Detect can name, in a fixed order.
func All() []Harness {
	return []Harness{
		ClaudeCode, Codex, DSH, GeminiCLI, Cursor, CopilotCLI, VSCode, OpenCode, Pi,
		QwenCode, Hermes, OpenClaw, Cline, Goose, Kiro, Crush, Windsurf,
	}
}

// Known reports whether h is one of All.
func (h Harness) Known() bool {
	for _, known := range All() {
		if h == known {
			return true
		}
	}
	return false
}

// WrittenFor returns the version of h that its dialect was written for, "" when
// it is none in particular. Versions move weekly: doctor names it.
func (h Harness) WrittenFor() string {
	switch h {
	case ClaudeCode:
		return "2.1.332"
	case Codex:
		return "0.171.0"
	case DSH:
		return "0.1.0-rc.8"
	case GeminiCLI:
		return "0.61.0"
	case QwenCode:
		return "0.24.4"
	case CopilotCLI:
		return "1.0.102"
	case Cursor:
		return "3.14"
	case OpenCode:
		return "1.18.33"
	case Pi:
		return "1.6.0"
	case OpenClaw:
		return "2026.9.6"
	case Goose:
		return "1.38"
	case Cline:
		return "3.0.65"
	case Crush:
		return "0.96.1"
	}
	return ""
}

// dialect is what sets one harness apart from another.
type dialect interface {
	// event reads what is the harness's own in a payload into ev, which already
	// holds the members that most harnesses share.
	event(p Payload, ev *Event)

	// injects reports whether the reply to ev may carry context.
	injects(ev Event) bool

	// reply puts context, which is not empty, into the harness's form.
	reply(ev Event, context string) []byte

	// wrappers are the tags that the harness puts around text of its own.
	wrappers() []string

	// row returns a reader of the rows of one session log.
	row() rowReader
}

// dialectOf returns the dialect of h, nil when nobody knows h.
func dialectOf(h Harness) dialect {
	switch h {
	case ClaudeCode:
		return claude{}
	case Codex:
		return codex{}
	case DSH:
		return dsh{}
	case OpenCode:
		return opencode{}
	case Pi:
		return pi{}
	case OpenClaw:
		return openclaw{}
	case GeminiCLI:
		return gemini{}
	case QwenCode:
		return qwen{}
	case CopilotCLI:
		return copilot{}
	case VSCode:
		return vscode{}
	case Cursor:
		return cursor{}
	case Hermes:
		return hermes{}
	case Goose:
		return goose{}
	case Kiro:
		return kiro{}
	case Cline:
		return cline{}
	case Crush:
		return crush{}
	case Windsurf:
		return windsurf{}
	}
	return nil
}
