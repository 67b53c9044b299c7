// Package node gives scripts the parts of Node that published packages use:
// its built-in modules and the globals of Node and the web. They work over
// interfaces that the host hands in. What the host does not hand in is denied
// with an error that says what is missing and who could give it.
//
// Nothing is made before a script asks for it: a module's text is compiled once
// per process, on first need, and evaluated once per run. The modules are in
// JavaScript under js; what they need from outside is in Go beside them.
package node

import (
	"slices"
	"sync"
	"time"

	"github.com/dshkit/dshkit/pkg/jsrun"
)

// Host is what a run may see of the machine. A nil member is denied, a nil
// function gives nothing. A Host may serve many runs and is not changed while it
// does. Its functions may be called from several goroutines at once.
type Host struct {
	Files     Files
	Processes Processes
	Network   Network

	Env     func(name string) (string, bool) // one variable
	Environ func() []string                  // the names of those that a script may list
	Cwd     func() string

	Home, Temp     string
	Hostname, User string
	Platform, Arch string // as Node has them: linux, darwin, win32; x64, arm64
	ExecPath       string
	Args           []string // process.argv after the program and the script
	PID            int

	Log         func(level, text string) // console, process.stdout and process.stderr; levels log, info, warn, error, debug, stdout, stderr
	RandomBytes func([]byte)
	NewUUID     func() string // nil: made of RandomBytes
	Now         func() time.Time
	MaxBody     int64 // longest answer of fetch in bytes; default 32 MiB
	MaxOutput   int64 // longest output that exec and the like collect unless told; default 1 MiB

	runs sync.Map // *jsrun.Run to *instance
}

const (
	defaultMaxBody   = 32 << 20
	defaultMaxOutput = 1 << 20
)

// Modules returns Node's built-ins, each with and without "node:" before it.
func Modules(host *Host) []jsrun.Module {
	all := slices.Clone(builtins)
	for _, name := range absent {
		all = append(all, builtin{name, "absent", name})
	}
	var list []jsrun.Module
	for _, b := range all {
		list = append(list, jsrun.Module{
			Specifiers: []string{"node:" + b.specifier, b.specifier},
			Make: func(vm *jsrun.VM) (jsrun.Value, error) {
				return host.instance(vm).member(b)
			},
		})
	}
	return list
}

// Globals returns the globals of Node and the web that are not the engine's.
func Globals(host *Host) []jsrun.Global {
	list := []jsrun.Global{{Name: "global", Make: func(vm *jsrun.VM) (jsrun.Value, error) { return vm.Runtime().GlobalObject(), nil }}}
	for _, b := range globals {
		list = append(list, jsrun.Global{
			Name: b.specifier,
			Lazy: true,
			Make: func(vm *jsrun.VM) (jsrun.Value, error) {
				return host.instance(vm).member(b)
			},
		})
	}
	return list
}

// builtin is what a specifier or a global gives: the exports of a text under js,
// or one member of them.
type builtin struct{ specifier, text, member string }

var builtins = []builtin{
	{"path", "path", ""},
	{"path/posix", "path", "posix"},
	{"path/win32", "path", "win32"},
	{"events", "events", ""},
	{"string_decoder", "string_decoder", ""},
	{"buffer", "buffer", ""},
	{"crypto", "crypto", ""},
	{"os", "os", ""},
	{"url", "url", ""},
	{"fs", "fs", ""},
	{"fs/promises", "fs", "promises"},
	{"child_process", "child_process", ""},
	{"process", "process", ""},
	{"console", "console", ""},
	{"util", "util", ""},
	{"util/types", "util", "types"},
	{"assert", "assert", ""},
	{"assert/strict", "assert", "strict"},
	{"async_hooks", "async_hooks", ""},
	{"timers", "timers", ""},
	{"timers/promises", "timers", "promises"},
	{"perf_hooks", "perf_hooks", ""},
}

// absent are those that load and whose functions say what there is instead.
var absent = []string{
	"cluster", "dgram", "diagnostics_channel", "dns", "dns/promises", "http", "http2", "https", "inspector", "net",
	"querystring", "readline", "readline/promises", "repl", "stream", "stream/promises", "stream/web", "tls", "tty",
	"v8", "vm", "worker_threads", "zlib",
}

var globals = []builtin{
	{"Buffer", "buffer", "Buffer"},
	{"atob", "buffer", "atob"},
	{"btoa", "buffer", "btoa"},
	{"TextEncoder", "encoding", "TextEncoder"},
	{"TextDecoder", "encoding", "TextDecoder"},
	{"URL", "url", "URL"},
	{"URLSearchParams", "url", "URLSearchParams"},
	{"crypto", "crypto", "webcrypto"},
	{"process", "process", ""},
	{"console", "console", ""},
	{"performance", "perf_hooks", "performance"},
	{"fetch", "web", "fetch"},
	{"Headers", "web", "Headers"},
	{"Request", "web", "Request"},
	{"Response", "web", "Response"},
	{"FormData", "web", "FormData"},
	{"Blob", "web", "Blob"},
	{"File", "web", "File"},
	{"ReadableStream", "web", "ReadableStream"},
}
