package grant

import (
	"net/netip"
	"strconv"
	"strings"

	"github.com/dshkit/dshkit/pkg/fault"
)

// host is a host as grants write it: in lower case, without the port that its
// schemes have anyway.
func host(typed string) (string, error) {
	if typed == Any {
		return Any, nil
	}
	name, port := split(strings.ToLower(typed))
	name = strings.TrimSuffix(name, ".")
	if !validHost(strings.TrimPrefix(name, "*.")) || port != "" && port != Any && !validPort(port) {
		return "", fault.New(fault.Usage, codeHost, typed)
	}
	if ip, err := netip.ParseAddr(name); err == nil {
		name = ip.Unmap().WithZone("").String() // an address has one form
	}
	return join(name, port), nil
}

// split takes a port from the end; an IPv6 address stands in brackets when it
// has one.
func split(target string) (name, port string) {
	if inner, rest, ok := strings.Cut(strings.TrimPrefix(target, "["), "]"); ok && strings.HasPrefix(target, "[") {
		return inner, strings.TrimPrefix(rest, ":")
	}
	if strings.Count(target, ":") != 1 {
		return target, ""
	}
	name, port, _ = strings.Cut(target, ":")
	if port == "" {
		port = "-" // no port
	}
	return name, port
}

func join(name, port string) string {
	if port == "" {
		return name
	}
	if strings.Contains(name, ":") {
		name = "[" + name + "]"
	}
	return name + ":" + port
}

func validPort(port string) bool {
	n, err := strconv.ParseUint(port, 10, 16)
	return err == nil && n > 0
}

func validHost(name string) bool {
	if _, err := netip.ParseAddr(name); err == nil {
		return true
	}
	if name == "" || len(name) > 253 {
		return false
	}
	for label := range strings.SplitSeq(name, ".") {
		if label == "" || len(label) > 63 || strings.ContainsFunc(label, notInHost) {
			return false
		}
	}
	return true
}

func notInHost(r rune) bool {
	return r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && r < 0x80
}
