package mcpserve

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
)

// The versions of the protocol, newest first. Those after the first open with
// initialize; the first is stateless and names itself in each request.
var versions = []string{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

// stateless is the first version without an opening.
const stateless = "2026-07-28"

// Codes of errors of JSON-RPC and of MCP.
const (
	parseError         = -32700
	invalidRequest     = -32600
	methodNotFound     = -32601
	invalidParams      = -32602
	internalError      = -32603
	overloaded         = -32000 // of the range that is left to servers
	resourceNotFound   = -32002 // before the stateless version, which has invalidParams
	unsupportedVersion = -32022
)

// Keys of what the stateless version sends along.
const (
	keyVersion      = "io.modelcontextprotocol/protocolVersion"
	keyCapabilities = "io.modelcontextprotocol/clientCapabilities"
	keyClient       = "io.modelcontextprotocol/clientInfo"
	keyServer       = "io.modelcontextprotocol/serverInfo"
	keySubscription = "io.modelcontextprotocol/subscriptionId"
)

// protocolError is a mistake in the protocol, which no model is shown.
type protocolError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

func refusal(code int, format string, args ...any) *protocolError {
	return &protocolError{Code: code, Message: fmt.Sprintf(format, args...)}
}

// call is a request whose version is known.
type call struct {
	message
	modern bool // it is of the stateless version
	self   any  // who answers: the stateless version has it in each result
}

// implementation is who we are.
type implementation struct {
	Name    string `json:"name"`
	Title   string `json:"title,omitempty"`
	Version string `json:"version"`
}

func (s *Server) implementation() implementation {
	return implementation{s.config.Name, s.config.Title, s.config.Version}
}

// dispatch does what a request asks for.
func (c *connection) dispatch(ctx context.Context, m message) (any, *protocolError) {
	r := call{message: m, self: c.server.implementation()}
	var err *protocolError
	if r.modern, err = isModern(m.Params); err != nil {
		return nil, err
	}
	if err := c.due(r); err != nil {
		return nil, err
	}
	switch r.Method {
	case "initialize":
		return c.initialize(r)
	case "ping":
		return struct{}{}, nil
	case "server/discover":
		return c.server.discover(r), nil
	case "tools/list":
		return c.server.listTools(r)
	case "tools/call":
		return c.server.callTool(ctx, r)
	case "resources/list":
		return c.server.listResources(ctx, r)
	case "resources/templates/list":
		return r.list(func(o *ordered) { o.add("resourceTemplates", []string{}) }), nil
	case "resources/read":
		return c.server.readResource(ctx, r)
	case "prompts/list":
		return c.server.listPrompts(r)
	case "prompts/get":
		return c.server.getPrompt(ctx, r)
	case "subscriptions/listen":
		return c.listen(ctx, r)
	}
	return nil, refusal(methodNotFound, "there is no method %q", shortened(r.Method))
}

// isModern reads what a request of the stateless version says of itself.
func isModern(params json.RawMessage) (bool, *protocolError) {
	var p struct {
		Meta map[string]json.RawMessage `json:"_meta"`
	}
	if len(params) > 0 && params[0] != '{' {
		return false, refusal(invalidParams, "parameters are an object")
	}
	var version string
	if len(params) == 0 || json.Unmarshal(params, &p) != nil || json.Unmarshal(p.Meta[keyVersion], &version) != nil || version < stateless {
		return false, nil
	}
	if !slices.Contains(versions, version) {
		return false, &protocolError{unsupportedVersion, "unsupported protocol version", map[string]any{"supported": versions, "requested": version}}
	}
	for key, needed := range map[string]bool{keyCapabilities: true, keyClient: false} {
		value := bytes.TrimSpace(p.Meta[key])
		if needed && len(value) == 0 || len(value) > 0 && value[0] != '{' {
			return false, refusal(invalidParams, "missing or invalid _meta field %q", key)
		}
	}
	return true, nil
}

// due tells why a method may not be called now, nil when it may: the two kinds of
// versions have a different opening.
func (c *connection) due(r call) *protocolError {
	c.mu.Lock()
	opened := c.version != ""
	c.mu.Unlock()
	switch r.Method {
	case "initialize", "ping":
		if r.modern {
			return refusal(methodNotFound, "%q is not part of %s", r.Method, stateless)
		}
	case "server/discover", "subscriptions/listen":
		if !r.modern {
			return refusal(methodNotFound, "%q needs %s, named in _meta", r.Method, stateless)
		}
	default:
		if !r.modern && !opened {
			return refusal(invalidRequest, "%q before initialization", shortened(r.Method))
		}
	}
	return nil
}

// initialize opens a connection of the older kind. A version that is not known is
// answered with the newest of that kind.
func (c *connection) initialize(r call) (any, *protocolError) {
	var p struct {
		Version string `json:"protocolVersion"`
	}
	if len(r.Params) == 0 || json.Unmarshal(r.Params, &p) != nil {
		return nil, refusal(invalidParams, "initialize needs protocolVersion")
	}
	if older := versions[1:]; !slices.Contains(older, p.Version) {
		p.Version = older[0]
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.version != "" {
		return nil, refusal(invalidRequest, "it is initialized already")
	}
	c.version = p.Version
	var o ordered
	o.add("protocolVersion", p.Version)
	o.add("capabilities", c.server.capabilities())
	o.add("serverInfo", c.server.implementation())
	if s := c.server.config.Instructions; s != "" {
		o.add("instructions", s)
	}
	return &o, nil
}

func (s *Server) discover(r call) any {
	return r.list(func(o *ordered) {
		o.add("supportedVersions", versions)
		o.add("capabilities", s.capabilities())
		if s.config.Instructions != "" {
			o.add("instructions", s.config.Instructions)
		}
	})
}

// capabilities promises lists that change, of what is kept here. Resources are
// made for each list; nobody watches them.
func (s *Server) capabilities() any {
	changing := map[string]bool{"listChanged": true}
	caps := map[string]any{"tools": changing, "prompts": changing}
	if s.config.Resources != nil {
		caps["resources"] = struct{}{}
	}
	return caps
}

// result is an answer in the form of its version.
func (r call) result(fill func(*ordered)) *ordered {
	var o ordered
	if r.modern {
		o.add("resultType", "complete")
		o.add("_meta", r.meta())
	}
	fill(&o)
	return &o
}

// meta is what the stateless version says beside a result.
func (r call) meta() map[string]any {
	meta := map[string]any{keyServer: r.self}
	if r.Method == "subscriptions/listen" {
		meta[keySubscription] = r.ID
	}
	return meta
}

// list is the result of what clients may cache: nothing of ours, for it is of this
// user and of this moment.
func (r call) list(fill func(*ordered)) *ordered {
	return r.result(func(o *ordered) {
		if r.modern {
			o.add("ttlMs", 0)
			o.add("cacheScope", "private")
		}
		fill(o)
	})
}

// read takes the parameters of a call apart.
func (r call) read(to any) *protocolError {
	if len(r.Params) == 0 || json.Unmarshal(r.Params, to) != nil {
		return refusal(invalidParams, "missing or wrong parameters")
	}
	return nil
}

// onePage refuses a cursor: no list of ours has a second page.
func (r call) onePage() *protocolError {
	var p struct {
		Cursor string `json:"cursor"`
	}
	if len(r.Params) > 0 && json.Unmarshal(r.Params, &p) == nil && p.Cursor != "" {
		return refusal(invalidParams, "unknown cursor")
	}
	return nil
}
