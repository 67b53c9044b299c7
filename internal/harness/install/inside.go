package install

import (
	"path/filepath"

	"github.com/dshkit/dshkit/internal/harness"
	"github.com/dshkit/dshkit/pkg/fault"
)

// openCodeTargets are the plugin that OpenCode loads from its folder
// (spec/harness-hooks.md 10).
func openCodeTargets(scope Scope, env Env) ([]Target, error) {
	file, err := pick(harness.OpenCode, scope,
		filepath.Join(openCodeDir(env), "plugins", "selfip.js"),
		filepath.Join(env.Dir, ".opencode", "plugins", "selfip.js"))
	if err != nil {
		return nil, err
	}
	return []Target{{
		Harness: harness.OpenCode, Scope: scope, File: file, format: ownText,
		own: own{parts: []string{"shared.js", "opencode.js"}},
	}}, nil
}

// openCodeDir is the folder of the user's settings of OpenCode.
func openCodeDir(env Env) string {
	return orElse(env.Getenv("OPENCODE_CONFIG_DIR"), filepath.Join(env.configHome(), "opencode"))
}

// configHome is the folder of the settings of many programs.
func (e Env) configHome() string {
	if base := e.Getenv("XDG_CONFIG_HOME"); isAbsolute(base) {
		return base
	}
	return filepath.Join(e.Home, ".config")
}

// piTargets are the extension that pi loads from its folder
// (spec/harness-hooks.md 11). Of a project it loads them when that is trusted.
func piTargets(scope Scope, env Env) ([]Target, error) {
	file, err := pick(harness.Pi, scope,
		filepath.Join(env.orElse("PI_CODING_AGENT_DIR", filepath.Join(".pi", "agent")), "extensions", "selfip.ts"),
		filepath.Join(env.Dir, ".pi", "extensions", "selfip.ts"))
	if err != nil {
		return nil, err
	}
	return []Target{{
		Harness: harness.Pi, Scope: scope, File: file, format: ownText,
		own: own{parts: []string{"shared.js", "pi.ts"}},
	}}, nil
}

// openClawTargets are a plugin in a folder of its own, which OpenClaw has to be
// told of: its settings are JSON5 and not for us to change
// (spec/harness-hooks.md 15).
func openClawTargets(scope Scope, env Env) ([]Target, error) {
	if scope != User {
		return nil, fault.New(fault.Usage, codeScope, string(harness.OpenClaw), string(scope), string(User))
	}
	dir := filepath.Join(env.Config, "openclaw-plugin")
	target := func(name, added string, parts ...string) Target {
		return Target{
			Harness: harness.OpenClaw, Scope: scope, File: filepath.Join(dir, name), format: ownText,
			own: own{parts: parts, folder: true}, layout: layout{added: added},
		}
	}
	return []Target{
		target("openclaw.plugin.json", "", "openclaw.plugin.json"),
		target("package.json", "", "openclaw.package.json"),
		target("index.js", noteOpenClaw, "shared.js", "openclaw.js"),
	}, nil
}

func orElse(dir, other string) string {
	if dir != "" {
		return dir
	}
	return other
}
