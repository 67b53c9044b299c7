package model

import (
	"net"
	"net/url"
	"strings"

	"github.com/dshkit/dshkit/pkg/fault"
)

// endpoint is where a service is called.
type endpoint struct {
	base *url.URL // without a slash at its end
	host string   // as errors name it, with its port
	name string   // of the model; "": the first that the service lists
}

// service is what is known of a provider's own address.
type service struct {
	host     string // without a port
	variable string // that usually holds the key
	model    string // to take when none is named; "": the user must name one
}

// services are the addresses whose keys have a usual place. A key is sent to its
// own service only.
var services = [...]service{
	{"api.deepseek.com", "DEEPSEEK_API_KEY", "deepseek-chat"},
	{"api.openai.com", "OPENAI_API_KEY", ""},
	{"api.anthropic.com", "ANTHROPIC_API_KEY", "claude-haiku-4-5"},
	{"openrouter.ai", "OPENROUTER_API_KEY", "openrouter/auto"},
}

func serviceOf(host string) service {
	for _, s := range services {
		if strings.EqualFold(s.host, host) {
			return s
		}
	}
	return service{host: host}
}

// Addresses of providers when none is set.
const (
	openAIBase    = "https://api.openai.com/v1"
	anthropicBase = "https://api.anthropic.com/v1"
)

// endpointOf reads the address in the settings.
func endpointOf(s Settings) (endpoint, error) {
	base, err := baseOf(s)
	if err != nil {
		return endpoint{}, err
	}
	e := endpoint{base: base, host: base.Host, name: strings.TrimSpace(s.Name)}
	if e.name == "" {
		e.name = serviceOf(base.Hostname()).model
	}
	if e.name == "" && (s.Provider != OpenAI || !isNear(base.Hostname())) {
		return endpoint{}, fault.New(fault.Refused, codeNoName, e.host)
	}
	return e, nil
}

// baseOf returns the address up to the part that names what is asked for. An
// address without a path gets the usual one.
func baseOf(s Settings) (*url.URL, error) {
	written := strings.TrimSpace(s.URL)
	if written == "" {
		written = openAIBase
		if s.Provider == Anthropic {
			written = anthropicBase
		}
	}
	u, err := url.Parse(written)
	if err != nil {
		return nil, fault.New(fault.Refused, codeURL, "?") // the text may hold a key
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return nil, fault.New(fault.Refused, codeURL, u.Redacted())
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, fault.New(fault.Refused, codeURL, u.Scheme+"://"+u.Host)
	}
	path := strings.TrimRight(u.Path, "/")
	for _, end := range []string{"/chat/completions", "/messages"} {
		path = strings.TrimSuffix(path, end)
	}
	if path == "" {
		path = "/v1"
	}
	u.Path, u.RawPath = path, ""
	return u, nil
}

// isNear reports whether a host is this machine or one beside it: there a key
// may travel without encryption, and a service may choose its model.
func isNear(host string) bool {
	if ip := net.ParseIP(host); ip != nil {
		return ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast()
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if !strings.Contains(host, ".") {
		return true // localhost, or a machine of the local network
	}
	for _, end := range []string{".localhost", ".local", ".lan", ".internal", ".home.arpa"} {
		if strings.HasSuffix(host, end) {
			return true
		}
	}
	return false
}
