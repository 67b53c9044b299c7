package jsrun

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
)

// splitName parts "@scope/name/sub/path" into the name and the path below it.
func splitName(specifier string) (name, subpath string, ok bool) {
	name, subpath, _ = strings.Cut(specifier, "/")
	if strings.HasPrefix(name, "@") {
		second, rest, _ := strings.Cut(subpath, "/")
		if name == "@" || second == "" {
			return "", "", false
		}
		name, subpath = name+"/"+second, rest
	}
	bad := name == "" || strings.HasPrefix(name, ".") || strings.ContainsAny(name, "\\%")
	return name, subpath, !bad
}

// upwards yields a folder and all around it.
func upwards(dir string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for yield(dir) {
			parent := filepath.Dir(dir)
			if parent == dir {
				return
			}
			dir = parent
		}
	}
}

// hasScheme says whether a specifier is a URL: a name of two letters or more
// before a colon. One letter is a drive.
func hasScheme(specifier string) bool {
	scheme, _, ok := strings.Cut(specifier, ":")
	return ok && len(scheme) > 1 && strings.Trim(scheme, "abcdefghijklmnopqrstuvwxyz0123456789+.-") == ""
}

func pathOfURL(text string) (string, error) {
	u, err := url.Parse(text)
	if err != nil {
		return "", err
	}
	if u.Host != "" && u.Host != "localhost" {
		return "", fmt.Errorf("a file URL with the host %q", u.Host)
	}
	path := u.Path
	if len(path) > 2 && path[0] == '/' && path[2] == ':' { // file:///C:/...
		path = path[1:]
	}
	return filepath.FromSlash(path), nil
}

func urlOfPath(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// bareName is a specifier without the prefix of built-in modules.
func bareName(specifier string) string { return strings.TrimPrefix(specifier, "node:") }

// isBuiltin says whether Node has a module of this name, which a package cannot
// take over.
func isBuiltin(specifier string) bool {
	name, _, _ := strings.Cut(specifier, "/")
	switch name {
	case "assert", "async_hooks", "buffer", "child_process", "cluster", "console", "constants", "crypto", "dgram",
		"diagnostics_channel", "dns", "domain", "events", "fs", "http", "http2", "https", "inspector", "module", "net",
		"os", "path", "perf_hooks", "process", "punycode", "querystring", "readline", "repl", "stream",
		"string_decoder", "sys", "timers", "tls", "trace_events", "tty", "url", "util", "v8", "vm", "wasi",
		"worker_threads", "zlib":
		return true
	}
	return false
}
