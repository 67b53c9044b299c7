package learn

import (
	"slices"
	"strings"
)

// subcommandPrograms take a subcommand as their first argument.
const subcommandPrograms = " go cargo npm pnpm yarn bun deno dotnet swift mix make gmake just task git docker podman kubectl helm terraform " +
	"gh glab aws gcloud az brew apt apt-get dnf yum apk pip pip3 poetry uv bundle composer conda gem systemctl docker-compose bazel " +
	"gradle gradlew mvn mvnw rake cmake playwright cypress next vite flutter zig golangci-lint ruff node "

func hasSubcommands(program string) bool {
	return strings.Contains(subcommandPrograms, " "+program+" ")
}

// subcommand splits the subcommand off the arguments: "compose up" of docker,
// "test" of "npm run test".
func subcommand(program string, args []string) (sub string, rest []string) {
	for i, a := range args {
		if strings.HasPrefix(a, "-") || strings.Contains(a, "=") {
			continue
		}
		rest = append(slices.Clone(args[:i]), args[i+1:]...)
		nested := a == "run" && isScriptRunner(program) || a == "compose" || a == "mod" || program == "gh" || program == "uv" && a == "pip"
		if inner, more := "", rest; nested && i < len(args)-1 {
			inner, more = subcommand("", args[i+1:])
			if a == "run" {
				return keep(inner, maxPath), more
			}
			return keep(a+" "+inner, maxPath), more
		}
		return keep(a, maxPath), rest
	}
	return "", args
}

func isScriptRunner(program string) bool {
	switch program {
	case "npm", "pnpm", "yarn", "bun":
		return true
	}
	return false
}

// Programs that are of one family whatever their arguments.
const (
	testPrograms  = " pytest unittest jest vitest mocha tox nox ctest rspec phpunit cypress ava gotestsum nosetests karma pest "
	buildPrograms = " tsc ninja webpack rollup esbuild cmake gcc g++ clang javac rustc "
	lintPrograms  = " golangci-lint eslint ruff flake8 mypy pylint gofmt gofumpt goimports staticcheck prettier shellcheck black isort " +
		"biome pyright stylelint rubocop clang-format "
	probePrograms = " ls cat grep rg egrep fgrep find fd test [ which where whereis diff stat head tail echo printf pwd wc tree jq file ps " +
		"printenv type cd less more bat nl sort uniq cut tr du df date true false sleep export set source . id whoami uname lsof " +
		"ss netstat pgrep realpath dirname basename readlink column xxd od strings awk "
	gitProbes = " status diff log show grep rev-parse branch remote blame ls-files describe config reflog stash-list shortlog "
)

// classify sets the family of a command and whether it only looks.
func (c *command) classify(args []string) {
	named := " " + c.program + " "
	switch {
	case strings.Contains(testPrograms, named):
		c.family = testing
	case strings.Contains(lintPrograms, named):
		c.family = lint
	case strings.Contains(buildPrograms, named):
		c.family = build
	case c.program == "sed":
		c.probe = !slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "-i") })
	case c.program == "git":
		c.probe = strings.Contains(gitProbes, " "+c.sub+" ")
	case strings.Contains(probePrograms, named):
		c.probe = true
	default:
		c.family = c.subFamily()
	}
	c.narrow()
}

// subFamily returns the family that a subcommand or a make target belongs to.
func (c *command) subFamily() family {
	if c.sub == "" {
		if c.program == "make" || c.program == "gmake" {
			return build
		}
		return ""
	}
	if !hasSubcommands(c.program) || c.program == "git" || c.program == "kubectl" || c.program == "gh" {
		return ""
	}
	head := strings.FieldsFunc(c.sub, func(r rune) bool { return r == '-' || r == ':' || r == ' ' })
	if len(head) == 0 {
		return ""
	}
	switch head[0] {
	case "test", "tests", "check", "verify", "nextest", "unittest", "t", "spec":
		if head[0] == "check" && (c.program == "cargo" || c.program == "ruff") || head[0] == "t" && c.program != "npm" {
			return build
		}
		return testing
	case "build", "compile", "package", "assemble", "all", "bundle", "dist":
		return build
	case "lint", "vet", "clippy", "fmt", "format", "typecheck":
		return lint
	case "install", "i", "ci", "add", "sync", "get", "mod", "fetch", "download":
		return install
	}
	return ""
}

// narrow turns the end of a script's name into a target: "make test-unit"
// runs less than "make test" does.
func (c *command) narrow() {
	if c.family == "" || c.family == install {
		return
	}
	if at := strings.IndexAny(c.sub, "-:"); at > 0 {
		c.targets = append(c.targets, c.sub[at+1:])
		c.sub = c.sub[:at]
	}
}

// ecosystem is the language a program belongs to; "" is any.
func (c command) ecosystem() string {
	switch c.program {
	case "go", "gotestsum", "golangci-lint", "gofmt", "gofumpt", "goimports", "staticcheck":
		return "go"
	case "npm", "pnpm", "yarn", "bun", "jest", "vitest", "mocha", "ava", "karma", "deno", "tsc", "eslint", "prettier", "webpack", "vite", "next", "node":
		return "js"
	case "pytest", "unittest", "tox", "nox", "nosetests", "pip", "pip3", "poetry", "uv", "ruff", "flake8", "mypy", "pylint", "black", "conda":
		return "py"
	case "cargo", "rustc":
		return "rust"
	case "mvn", "mvnw", "gradle", "gradlew", "javac":
		return "java"
	case "make", "gmake", "just", "task", "rake", "bazel", "":
		return ""
	}
	return c.program
}

// sameWorld reports whether two commands can be about the same code.
func sameWorld(a, b command) bool {
	x, y := a.ecosystem(), b.ecosystem()
	return x == "" || y == "" || x == y
}
