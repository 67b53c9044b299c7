package install

import (
	"path/filepath"
	"strings"

	"github.com/dshkit/dshkit/internal/harness"
	"github.com/dshkit/dshkit/internal/harness/jsontext"
	"github.com/dshkit/dshkit/pkg/fault"
)

// MCPPart is the part of a file of settings that names our MCP server.
const MCPPart = "mcp"

// mcpPlace is where a harness is told of MCP servers (spec/harness-hooks.md 23).
type mcpPlace struct {
	user, project string
	path          []string // to the object of servers
	kind          string   // "type" of an entry, "" for none
	joined        bool     // the command and its words are one list
	tools         bool     // an entry says which tools may be used
	known         bool     // the place is known, and may be written
	layout        layout   // of the file
	fragment      func(binary string) string
}

// mcpPlaceOf returns the place of h; none when nobody knows how it is told.
func mcpPlaceOf(h harness.Harness, env Env) (mcpPlace, bool) {
	home := func(names ...string) string { return filepath.Join(append([]string{env.Home}, names...)...) }
	here := func(names ...string) string { return filepath.Join(append([]string{env.Dir}, names...)...) }
	servers := []string{"mcpServers"}
	crush, _ := crushFile(User, env)
	switch h {
	case harness.ClaudeCode: // its file of the user is in use all the time: its own command writes there
		return mcpPlace{user: home(".claude.json"), project: here(".mcp.json"), path: servers, kind: "stdio", known: true, fragment: claudeCommand}, true
	case harness.CopilotCLI:
		return mcpPlace{user: filepath.Join(env.orElse("COPILOT_HOME", ".copilot"), "mcp-config.json"), path: servers, kind: "local", tools: true, known: true}, true
	case harness.Crush:
		return mcpPlace{user: crush, project: here("crush.json"), path: []string{"mcp"}, kind: "stdio", known: true}, true
	case harness.Codex:
		return mcpPlace{user: filepath.Join(env.orElse("CODEX_HOME", ".codex"), "config.toml"), fragment: codexTable}, true
	case harness.GeminiCLI:
		return mcpPlace{
			user: filepath.Join(orElse(env.Getenv("GEMINI_CLI_HOME"), env.Home), ".gemini", "settings.json"), project: here(".gemini", "settings.json"),
			path: servers, known: true, layout: layout{comments: true},
		}, true
	case harness.QwenCode:
		return mcpPlace{
			user: filepath.Join(env.orElse("QWEN_HOME", ".qwen"), "settings.json"), project: here(".qwen", "settings.json"),
			path: servers, known: true, layout: layout{comments: true, noBOM: true, lead: qwenLayout().lead},
		}, true
	case harness.OpenCode:
		return mcpPlace{
			user: filepath.Join(openCodeDir(env), "opencode.json"), project: here("opencode.json"),
			path: []string{"mcp"}, kind: "local", joined: true, known: true, layout: layout{comments: true},
		}, true
	case harness.Pi:
		return mcpPlace{
			user: filepath.Join(env.orElse("PI_CODING_AGENT_DIR", filepath.Join(".pi", "agent")), "mcp.json"), project: here(".pi", "mcp.json"),
			path: servers, known: true,
		}, true
	case harness.Cursor:
		return mcpPlace{user: home(".cursor", "mcp.json"), project: here(".cursor", "mcp.json"), path: servers}, true
	case harness.VSCode:
		return mcpPlace{project: here(".vscode", "mcp.json"), path: []string{"servers"}, kind: "stdio"}, true
	case harness.OpenClaw:
		return mcpPlace{user: home(".openclaw", "openclaw.json"), path: []string{"mcp", "servers"}}, true
	case harness.Cline:
		return mcpPlace{user: "cline_mcp_settings.json", path: servers}, true
	case harness.Kiro:
		return mcpPlace{user: home(".kiro", "settings", "mcp.json"), project: here(".kiro", "settings", "mcp.json"), path: servers}, true
	case harness.Hermes:
		return mcpPlace{user: filepath.Join(hermesHome(env), "config.yaml"), fragment: yamlServer("mcp_servers:\n  selfip:\n    command: %\n    args: [mcp]\n")}, true
	case harness.Goose:
		return mcpPlace{user: home(".config", "goose", "config.yaml"), fragment: yamlServer("extensions:\n  selfip:\n    type: stdio\n    enabled: true\n    cmd: %\n    args: [mcp]\n")}, true
	}
	return mcpPlace{}, false
}

func claudeCommand(binary string) string {
	return "claude mcp add --scope user selfip -- " + Word(binary) + " mcp\n"
}

func codexTable(binary string) string {
	return "[mcp_servers.selfip]\ncommand = " + string(encode(slashes(binary))) + "\nargs = [\"mcp\"]\n"
}

func yamlServer(form string) func(string) string {
	return func(binary string) string { return strings.ReplaceAll(form, "%", yamlText(slashes(binary))) }
}

// MCPTargets returns the file that tells h of our MCP server. Errors: mcp-unknown
// and install-place-unknown (Refused), install-scope-unknown (Usage).
func MCPTargets(h harness.Harness, scope Scope, env Env) ([]Target, error) {
	place, ok := mcpPlaceOf(h, env)
	if !ok {
		return nil, fault.New(fault.Refused, codeMCPUnknown, string(h))
	}
	file, err := pick(h, scope, place.user, place.project)
	if err != nil {
		return nil, err
	}
	if place.known && !isAbsolute(file) {
		return nil, fault.New(fault.Refused, codePlace, string(h), file)
	}
	if h == harness.ClaudeCode && scope == User {
		place.known = false
	} else if h == harness.ClaudeCode {
		place.fragment = nil
	}
	return []Target{{Harness: h, Scope: scope, File: file, Part: MCPPart, editor: mcpServer{place}, layout: place.layout}}, nil
}

// Unsure reports whether nobody knows for sure that the harness reads the file:
// then it is not written, and not for us to look into.
func (t Target) Unsure() bool {
	server, ok := t.editor.(mcpServer)
	return ok && !server.place.known
}

// mcpServer is an entry among the MCP servers of a harness.
type mcpServer struct{ place mcpPlace }

// entry is our server as it shall be.
func (m mcpServer) entry(binary string) object {
	binary = slashes(binary)
	var o object
	if m.place.kind != "" {
		o = append(o, part{"type", m.place.kind})
	}
	if m.place.joined {
		return append(o, part{"command", []string{binary, "mcp"}})
	}
	o = append(o, part{"command", binary}, part{"args", []string{"mcp"}})
	if m.place.tools {
		o = append(o, part{"tools", []string{"*"}})
	}
	return o
}

func (m mcpServer) fragment(binary string) []byte {
	if m.place.fragment != nil {
		return []byte(m.place.fragment(binary))
	}
	root := object{{mcpName, m.entry(binary)}}
	for i := len(m.place.path) - 1; i >= 0; i-- {
		root = object{{m.place.path[i], root}}
	}
	return document(root)
}

// mcpName is the name of our server.
const mcpName = "selfip"

// servers is the object of MCP servers in a file.
type servers struct {
	hooksFile
	list *jsontext.Node   // the object, or nil
	ours *jsontext.Member // our server in it, or nil
}

// open parses the file, or says why it is refused.
func (m mcpServer) open(t Target, data []byte, program string) (*servers, *fault.Error) {
	if blankFile(data) {
		data = []byte("{}\n")
	}
	f, refusal := t.openHooks(data, program)
	if refusal != nil {
		return nil, refusal
	}
	s := &servers{hooksFile: *f}
	refuse := func(code string, offset int) *fault.Error {
		line, column := jsontext.Position(data, offset)
		return fault.New(fault.Refused, code, t.File, line, column, m.place.path[0])
	}
	list := f.root.Get(m.place.path[0])
	if list == nil {
		return s, nil
	}
	if firstTwice(f.root, m.place.path[0]) != nil {
		return nil, refuse(codeTwice, list.Begin)
	}
	if s.list = &list.Value; s.list.Kind != jsontext.Object {
		return nil, refuse(codeMCPShape, list.Value.Begin)
	}
	s.ours = s.list.Get(mcpName)
	if s.ours != nil && !s.isOurs(program) {
		line, column := jsontext.Position(data, s.ours.Begin)
		return nil, fault.New(fault.Refused, codeMCPForeign, t.File, line, column, mcpName)
	}
	return s, nil
}

// isOurs reports whether the server of our name runs our binary.
func (s *servers) isOurs(program string) bool {
	command := slashes(s.command())
	base := strings.TrimSuffix(command[strings.LastIndexByte(command, '/')+1:], ".exe")
	return base == program
}

func (s *servers) command() string {
	if node := s.program(); node != nil {
		return node.Text(s.data)
	}
	return ""
}

// program is where the entry names its program: by itself, or first of a list.
func (s *servers) program() *jsontext.Node {
	command := s.ours.Value.Get("command")
	if command == nil {
		return nil
	}
	if command.Value.Kind == jsontext.Array && len(command.Value.Items) > 0 {
		return &command.Value.Items[0]
	}
	return &command.Value
}

func (s *servers) refs() []EntryRef {
	if s.ours == nil {
		return nil
	}
	return []EntryRef{{Event: MCPPart, Command: quote(s.command()) + " mcp"}}
}

func (m mcpServer) install(t Target, plan Plan, o Options) Plan {
	binary := o.Binary
	if t.Scope == Project {
		binary = o.Program
	}
	plan.Fragment = m.fragment(binary)
	if refusal := t.check(o); refusal != nil {
		return plan.refuse(refusal)
	}
	if !m.place.known {
		if o.Print {
			return plan
		}
		return plan.refuse(fault.New(fault.Refused, codeMCPPlace, string(t.Harness), t.File))
	}
	s, refusal := m.open(t, plan.Before, o.Program)
	if refusal != nil {
		return plan.refuse(refusal)
	}
	plan.fresh, plan.Created = s.ours == nil, plan.Before == nil
	if s.list == nil {
		plan.lead = []string{m.place.path[0]}
	}
	edits := m.edits(s, binary, blankFile(plan.Before))
	plan.After, plan.undo = apply(s.data, edits)
	if blankFile(plan.Before) {
		plan.undo = []Splice{{0, len(plan.After), plan.Before}}
	}
	after, refusal := m.open(t, plan.After, o.Program)
	if refusal != nil || after.ours == nil || after.command() != slashes(binary) {
		return plan.broken()
	}
	if plan.Entries = after.refs(); plan.Changed() {
		plan.Notes = t.newNotes(o)
	}
	return plan
}

// edits bring the entry, or make it what it shall be; members that somebody added
// to it stay.
func (m mcpServer) edits(s *servers, binary string, blank bool) []edit {
	entry := m.entry(binary)
	switch {
	case s.list == nil:
		var parts []part
		if blank {
			parts = append(parts, m.place.layout.lead...)
		}
		return s.insert(s.root, append(parts, part{m.place.path[0], object{{mcpName, entry}}})...)
	case s.ours == nil:
		return s.insert(s.list, part{mcpName, entry})
	}
	if s.command() == slashes(binary) {
		return nil
	}
	command := s.program()
	return []edit{{command.Begin, command.End, string(encode(slashes(binary)))}}
}

func (m mcpServer) uninstall(t Target, plan Plan, program string, record *Record) Plan {
	s, refusal := m.open(t, plan.Before, program)
	switch {
	case refusal != nil && refusal.Code == codeMCPForeign:
		return plan // somebody else's stays
	case refusal != nil:
		return plan.refuse(refusal)
	case s.ours == nil:
		return plan
	}
	isOurs := func(i int) bool { return &s.list.Members[i] == s.ours }
	edits := s.remove(s.list, isOurs)
	if len(s.list.Members) == 1 && len(record.Made) > 0 && !s.commented(s.list) {
		edits = s.remove(s.root, func(i int) bool { return &s.root.Members[i].Value == s.list })
	}
	after, _ := apply(plan.Before, edits)
	if s, refusal = m.open(t, after, program); refusal != nil || s.ours != nil {
		return plan.broken()
	}
	if record.Created && s.bare() {
		after = nil
	}
	return plan.finish(after, record)
}

func (m mcpServer) status(t Target, s Status, current []byte, program string) Status {
	if !m.place.known {
		return s
	}
	list, refusal := m.open(t, current, program)
	if refusal != nil {
		s.Trouble = refusal
		return s
	}
	if s.Entries = list.refs(); list.ours == nil {
		s.Missing = []string{MCPPart}
	}
	return s
}
