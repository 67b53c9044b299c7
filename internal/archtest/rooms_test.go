package archtest_test

// room is a kind of package and what it may import beyond the standard library.
// In a pattern, * stands for one name. The first room that matches a package is
// its room; a package without one fails the test, so that whoever builds a room
// says what it may know.
type room struct {
	pattern string
	house   []string // packages of this module, by pattern
	outside []string // modules, by prefix of the import path
	never   []string // packages of the standard library
}

var (
	// leaves are the packages that every room may use.
	leaves = []string{"pkg/text", "pkg/fault", "pkg/transcript", "pkg/jsonvalue"}

	// world is what a package of values must not touch.
	world = []string{"os", "os/exec", "os/signal", "os/user", "net", "net/http", "syscall", "math/rand", "math/rand/v2", "crypto/rand"}
)

// rooms are the arrows of design/style.md 2.
var rooms = []room{
	{pattern: "cmd/*", house: []string{"internal/cli", "internal/cli/*"}},

	{
		pattern: "internal/cli/selfipcmd",
		house:   []string{"internal/cli", "internal/config", "internal/harness", "internal/harness/*", "internal/mcpserve", "internal/model", "internal/selfip", "internal/selfip/*", "internal/webui", "internal/workspace", "pkg/*"},
		outside: []string{"github.com/spf13/cobra", "github.com/spf13/pflag", "golang.org/x/sys"},
	},
	{
		pattern: "internal/cli/mnemoncmd",
		house:   []string{"internal/cli", "internal/config", "internal/jscache", "internal/mnemon", "internal/mnemon/*", "internal/mnemon/*/*", "internal/workspace", "pkg/*"},
		outside: []string{"github.com/spf13/cobra", "github.com/spf13/pflag"},
	},
	{
		pattern: "internal/cli/cordiscmd",
		house:   []string{"internal/cli", "internal/config", "internal/cordis", "internal/cordis/*", "internal/mcpserve", "internal/workspace", "pkg/*"},
		outside: []string{"github.com/spf13/cobra", "github.com/spf13/pflag"},
	},
	{
		pattern: "internal/cli",
		outside: []string{"github.com/spf13/cobra", "github.com/spf13/pflag", "charm.land/log/v2", "golang.org/x/sys"},
	},
	{pattern: "internal/config", outside: []string{"github.com/spf13/viper"}, never: world},

	// The use cases act on stores; the packages below them hold values.
	{pattern: "internal/selfip", house: []string{"internal/selfip/*", "pkg/*"}},
	{
		pattern: "internal/selfip/*",
		house:   []string{"internal/selfip/*", "pkg/inject", "pkg/retro"},
		outside: []string{"golang.org/x/text"},
		never:   world,
	},

	{
		pattern: "internal/harness",
		house:   []string{"internal/harness/*", "pkg/*"},
		outside: []string{"github.com/klauspost/compress", "github.com/rivo/uniseg"},
	},
	{pattern: "internal/harness/*", house: []string{"internal/harness", "internal/harness/*", "pkg/*"}, outside: []string{"go.yaml.in/yaml/v3"}},

	// The use cases of dsh-mnemon act; of the packages below them, script,
	// machine and fetch act too, a Strategy is pure.
	{pattern: "internal/mnemon", house: []string{"internal/jscache", "internal/mnemon/*", "internal/mnemon/*/*", "pkg/*", "pkg/jsrun/node"}},
	{pattern: "internal/mnemon/strategy/*", house: []string{"pkg/compose"}, never: world},
	{pattern: "internal/mnemon/script", house: []string{"internal/mnemon/strategy/*", "pkg/*"}},
	{pattern: "internal/mnemon/machine", house: []string{"pkg/jsrun/node"}, outside: []string{"golang.org/x/sys"}},
	{pattern: "internal/mnemon/fetch"},
	{pattern: "internal/mnemon/*", outside: []string{"go.yaml.in/yaml/v3"}, never: world},

	// The use cases of cordis join what acts. The rooms before the last act, each
	// with one part of the world; the last are values.
	{pattern: "internal/cordis", house: []string{"internal/cordis/*", "internal/jscache", "internal/workspace", "pkg/*"}},
	{pattern: "internal/cordis/control", house: []string{"internal/cordis/half", "internal/cordis/host", "internal/cordis/inspect", "internal/cordis/tool", "internal/cordis/wire", "pkg/filestore"}, outside: []string{"golang.org/x/sys"}},
	{pattern: "internal/cordis/host", house: []string{"internal/cordis/half", "internal/cordis/gate", "internal/cordis/*", "pkg/fiber", "pkg/fiber/*"}, never: []string{"os", "os/exec", "net", "net/http", "syscall"}},
	{pattern: "internal/cordis/half", house: []string{"internal/cordis/wire"}, never: world},
	{pattern: "internal/cordis/child", house: []string{"internal/cordis/half", "internal/cordis/sandbox", "internal/cordis/wire"}, outside: []string{"golang.org/x/sys"}},
	{pattern: "internal/cordis/sandbox", house: []string{"internal/cordis/catalog", "internal/cordis/gate", "internal/cordis/lossless", "internal/cordis/schema", "internal/cordis/wire", "pkg/fiber", "pkg/fiber/timer", "pkg/jsrun"}, never: world},
	{pattern: "internal/cordis/service", house: []string{"internal/cordis/catalog", "internal/cordis/grant", "internal/cordis/schema", "internal/cordis/wire", "pkg/filestore"}, outside: []string{"golang.org/x/sys", "go.yaml.in/yaml/v3"}},
	{pattern: "internal/cordis/gate", house: []string{"pkg/jsrun"}, never: world},
	{pattern: "internal/cordis/lossless", house: []string{"pkg/jsrun"}, never: world},
	{pattern: "internal/cordis/*", house: []string{"internal/cordis/*"}, never: world},

	{pattern: "internal/model", house: []string{"pkg/*"}},
	{pattern: "internal/jscache", house: []string{"pkg/filestore"}},
	{pattern: "internal/workspace"}, // looks at folders; which is a workspace is the same for all binaries
	{pattern: "internal/webui"},
	{pattern: "internal/mcpserve"},

	{pattern: "pkg/text", outside: []string{"github.com/rivo/uniseg", "golang.org/x/text"}, never: world},
	{pattern: "pkg/filestore", outside: []string{"github.com/gofrs/flock", "golang.org/x/sys"}},
	{pattern: "pkg/jsonvalue", outside: []string{"golang.org/x/text"}, never: world},
	{pattern: "pkg/compose/composetest", house: []string{"pkg/compose"}, never: world},
	{
		pattern: "pkg/jsrun",
		outside: []string{"github.com/dop251/goja", "github.com/evanw/esbuild", "github.com/dlclark/regexp2"},
		never:   world,
	},
	{pattern: "pkg/jsrun/node", house: []string{"pkg/jsrun"}, outside: []string{"github.com/dop251/goja", "golang.org/x/text"}, never: world},
	{pattern: "pkg/fiber/timer", house: []string{"pkg/fiber"}, never: world},
	{pattern: "pkg/*", never: world},

	// What never reaches a user may know everything.
	{pattern: "internal/testkit/modelstub"},
	{pattern: "internal/testkit/jsonref"},
	{pattern: "internal/testkit/marks"},
	{pattern: "internal/testkit/jsfeatures", house: []string{"internal/jscache", "pkg/*", "pkg/*/*"}, outside: []string{"github.com/dop251/goja"}},
	{pattern: "internal/testkit/replay", house: []string{"internal/cordis/*", "pkg/*"}},
	{pattern: "internal/testkit/hosts", house: []string{"internal/cordis/*"}, outside: []string{"github.com/rogpeppe/go-internal"}},
	{pattern: "internal/testkit/page", house: []string{"internal/cordis/*", "pkg/*"}, outside: []string{"github.com/rogpeppe/go-internal"}},
	{pattern: "internal/testkit", house: []string{"internal/cli", "internal/testkit/*", "pkg/*"}, outside: []string{"github.com", "golang.org"}},
	{pattern: "internal/archtest"},
	{pattern: "scripts/*/*", house: []string{"pkg/*"}}, // programs that a script measures
	{pattern: "scripts/*/*", house: []string{"pkg/*"}},
	{pattern: "scripts/*", house: []string{"internal/*", "internal/*/*", "pkg/*", "pkg/*/*"}, outside: []string{"github.com", "golang.org"}},
}

// doors are the outside libraries that one package alone may import, wherever
// else its room would let them in.
var doors = map[string]string{
	"github.com/gofrs/flock": "pkg/filestore",
	"github.com/spf13/viper": "internal/config",
	"charm.land/log/v2":      "internal/cli",
}

// strangers are libraries that no program may link, with the reason
// (design/dependencies.md 2, 3).
var strangers = map[string]string{
	"github.com/muesli/termenv":                 "asks the terminal questions",
	"github.com/charmbracelet/bubbletea":        "blocks 5 s at import under a silent terminal",
	"github.com/charmbracelet/log":              "blocks 10 s under a silent terminal; use charm.land/log/v2",
	"github.com/charmbracelet/lipgloss":         "the generation before charm.land/lipgloss/v2",
	"charm.land/glamour":                        "10 ms of every start",
	"github.com/alecthomas/chroma":              "7 ms of every start",
	"github.com/santhosh-tekuri/jsonschema":     "2.6 ms of every start",
	"github.com/modelcontextprotocol/go-sdk":    "for tests only: half a millisecond of every start",
	"github.com/rogpeppe/go-internal":           "for tests only",
	"pgregory.net/rapid":                        "for tests only",
	"github.com/google/go-cmp":                  "for tests only",
	"github.com/dshkit/dshkit/internal/testkit": "for tests only", // modelstub too
}

// scripting are the libraries that only a program that runs scripts may link.
var scripting = []string{"github.com/dop251/goja", "github.com/evanw/esbuild"}
