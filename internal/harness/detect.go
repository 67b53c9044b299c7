package harness

import (
	"strings"

	"github.com/dshkit/dshkit/internal/harness/jsontext"
)

// Detect names the harness that sent p. The signs in the payload decide; hint,
// the word after "hook" on the command line, stands where they leave it open;
// the environment is asked last, because an agent that was started from another
// agent's shell inherits the outer one's variables (spec/harness-hooks.md 3).
// It returns "" only when there is no sign, no known hint and no variable.
func Detect(hint string, p Payload, getenv func(string) string) Harness {
	s := signsOf(p)
	if h := s.own(); h != "" {
		return h
	}
	hinted := Harness(hint)
	switch {
	case s.event != "" && s.timestamp.IsString():
		return s.stamped(hinted, getenv)
	case hinted == Codex && s.event != "" && s.transcript.IsNull():
		return Codex // its SessionEnd without a rollout names no model
	case s.event != "" && s.transcript.IsString():
		return ClaudeCode
	case hinted.Known():
		return hinted
	}
	if h := fromEnvironment(getenv); h != "" {
		return h
	}
	if s.event != "" {
		return ClaudeCode
	}
	return ""
}

// signs are the members of a payload that tell harnesses apart.
type signs struct {
	event      string // hook_event_name
	path       string // transcript_path
	base       string // of the path
	session    string // session_id
	timestamp  jsontext.Value
	transcript jsontext.Value
	plain      jsontext.Value // event
	model      bool
	seen       uint32
}

// The members whose mere presence is a sign, as bits.
const (
	sawCursorVersion = 1 << iota
	sawClineVersion
	sawAgentAction
	sawExtra
	sawProfile
	sawHookEventName
	sawSessionID
	sawTurnID
	sawCwd
	sawHook
	sawDirectory
	sawSessionFile
	sawSessionKey
	sawAction
	sawNotify
)

// signsOf reads all signs in one pass over the payload.
func signsOf(p Payload) signs {
	var s signs
	for key, value := range p.doc.Members() {
		switch string(key) {
		case "hook_event_name":
			s.event = value.String()
		case "transcript_path":
			s.transcript, s.path = value, value.String()
		case "session_id":
			s.session = value.String()
		case "timestamp":
			s.timestamp = value
		case "event":
			s.plain = value
		case "model":
			s.model = true
		case "type":
			if value.String() == notifyType {
				s.seen |= sawNotify
			}
		default:
			s.seen |= presence(string(key))
		}
	}
	s.base = s.path[strings.LastIndexAny(s.path, `/\`)+1:]
	return s
}

func presence(key string) uint32 {
	switch key {
	case "cursor_version":
		return sawCursorVersion
	case "clineVersion":
		return sawClineVersion
	case "agent_action_name":
		return sawAgentAction
	case "extra":
		return sawExtra
	case "profile":
		return sawProfile
	case "hookEventName":
		return sawHookEventName
	case "sessionId":
		return sawSessionID
	case "turn_id":
		return sawTurnID
	case "cwd":
		return sawCwd
	case "hook":
		return sawHook
	case "directory":
		return sawDirectory
	case "sessionFile":
		return sawSessionFile
	case "sessionKey":
		return sawSessionKey
	case "action":
		return sawAction
	}
	return 0
}

func (s signs) saw(bits uint32) bool { return s.seen&bits == bits }

// own returns the harness that the payload shows by itself, rows 1 to 6, 8 and 9
// of the table, in its order.
//
// Row 4 is wider here than in the table: Copilot's notification carries
// hook_event_name beside its camel-case members, and no other harness sends a
// numeric time with a sessionId.
func (s signs) own() Harness {
	switch {
	case s.saw(sawCursorVersion):
		return Cursor
	case s.saw(sawClineVersion):
		return Cline
	case s.saw(sawAgentAction):
		return Windsurf
	case s.saw(sawExtra | sawProfile):
		return Hermes
	case s.saw(sawHookEventName | sawSessionID):
		return VSCode
	case s.saw(sawSessionID) && s.timestamp.IsNumber():
		return CopilotCLI
	case s.isDSH():
		return DSH
	case strings.HasPrefix(s.base, "rollout-"), s.saw(sawTurnID), s.saw(sawNotify),
		s.model && s.transcript.IsNull():
		return Codex
	case s.event == "" && s.plain.IsString():
		return s.bare()
	case s.isKiro():
		return Kiro
	}
	return s.wrapped()
}

// isDSH reports a payload of one of its bridges or of our plugin in it: the log
// of a session has the one name, packed or not, and native events have a slash.
func (s signs) isDSH() bool {
	return strings.HasSuffix(s.path, ".jsonl.zstd") || s.base == "session.jsonl" ||
		strings.Contains(s.event, "/") || s.event == "messageFeedback.list"
}

// bare tells the two that call their event "event".
func (s signs) bare() Harness {
	if s.saw(sawCwd) {
		return Crush
	}
	return Goose
}

// isKiro reports an event in lower camel case, or a session id of its kind.
func (s signs) isKiro() bool {
	if s.event == "" || s.timestamp.IsString() {
		return false
	}
	return strings.HasPrefix(s.session, "sess_") || s.event[0] >= 'a' && s.event[0] <= 'z'
}

// wrapped names the harnesses that call a file of ours, by the shape that file
// gives their events.
func (s signs) wrapped() Harness {
	switch {
	case s.event != "":
		return ""
	case s.saw(sawHook | sawDirectory):
		return OpenCode
	case s.saw(sawHook), s.saw(sawAction | sawSessionKey):
		return OpenClaw
	case s.saw(sawSessionFile):
		return Pi
	}
	return ""
}

// stamped tells the three that send a text time (row 7). A configuration folder
// can be moved, so a path that shows nothing leaves it to the hint and then to
// variables that none of the three gives to another.
func (s signs) stamped(hint Harness, getenv func(string) string) Harness {
	switch {
	case under(s.path, ".gemini"):
		return GeminiCLI
	case under(s.path, ".qwen"):
		return QwenCode
	case under(s.path, ".copilot"):
		return CopilotCLI
	case hint == GeminiCLI, hint == QwenCode, hint == CopilotCLI:
		return hint
	case s.session != "" && getenv("GEMINI_SESSION_ID") == s.session:
		return GeminiCLI
	case s.session != "" && getenv("QWEN_CODE_SESSION_ID") == s.session:
		return QwenCode
	}
	return CopilotCLI
}

// under reports whether path, of Unix or Windows, goes through the folder.
func under(path, folder string) bool {
	for part := range strings.FieldsFuncSeq(path, isSeparator) {
		if part == folder {
			return true
		}
	}
	return false
}

func isSeparator(r rune) bool { return r == '/' || r == '\\' }

// fromEnvironment breaks ties, in the order of spec/harness-hooks.md 3.
// CLAUDE_PROJECT_DIR proves nothing: half of them set it.
func fromEnvironment(getenv func(string) string) Harness {
	switch {
	case getenv("COPILOT_CLI") == "1":
		return CopilotCLI
	case getenv("CODEX_HOME") != "":
		return Codex
	case getenv("GEMINI_SESSION_ID") != "":
		return GeminiCLI
	case getenv("QWEN_CODE_SESSION_ID") != "":
		return QwenCode
	case getenv("CURSOR_VERSION") != "":
		return Cursor
	case getenv("CLAUDECODE") == "1":
		return ClaudeCode
	case getenv("PLUGIN_ROOT") != "":
		return Goose
	case getenv("CRUSH") == "1":
		return Crush
	}
	return ""
}
