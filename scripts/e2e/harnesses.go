package main

import (
	"fmt"
	"path/filepath"
)

// cases are the harnesses that npm serves and that run headless. The versions
// are those that the dialects were written for.
func cases() []harnessCase {
	return []harnessCase{
		claudeCode(), codexCLI(), openCode(), piAgent(), dshAgent(), geminiCLI(), qwenCode(), copilotCLI(), mcpInspector(), panelBrowser(),
	}
}

func claudeCode() harnessCase {
	return harnessCase{
		name: "claude-code", npm: "@anthropic-ai/claude-code", version: "2.1.332", program: "claude", node: 22,
		setup: func(w *world) error {
			return w.lay(filepath.Join(w.home, ".claude", "settings.json"), "{\n  \"includeCoAuthoredBy\": false\n}\n")
		},
		args: func(w *world, prompt string) []string {
			return []string{w.program, "-p", prompt, "--allowedTools", "Bash", "--model", "claude-sonnet-4-5"}
		},
		env: func(w *world) []string {
			return []string{
				"ANTHROPIC_BASE_URL=" + w.model.address, "ANTHROPIC_API_KEY=sk-ant-e2e", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
				"DISABLE_AUTOUPDATER=1", "DISABLE_TELEMETRY=1",
			}
		},
	}
}

func codexCLI() harnessCase {
	return harnessCase{
		name: "codex", npm: "@openai/codex", version: "0.171.0", program: "codex",
		setup: func(w *world) error {
			config := `model = "%s"
model_provider = "e2e"
check_for_update_on_startup = false

[model_providers.e2e]
name = "e2e"
base_url = "%s/v1"
wire_api = "responses"
env_key = "E2E_KEY"
`
			return w.lay(filepath.Join(w.home, ".codex", "config.toml"), fmt.Sprintf(config, modelName, w.model.address))
		},
		args: func(w *world, prompt string) []string {
			return []string{
				w.program, "exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox",
				"--dangerously-bypass-hook-trust", prompt,
			}
		},
		env: func(*world) []string { return []string{"E2E_KEY=sk-e2e"} },
	}
}

func openCode() harnessCase {
	return harnessCase{
		name: "opencode", npm: "opencode-ai", version: "1.18.33", program: "opencode",
		setup: func(w *world) error {
			config := `{
  "$schema": "https://opencode.ai/config.json",
  "model": "e2e/%[1]s",
  "small_model": "e2e/%[1]s",
  "autoupdate": false,
  "share": "disabled",
  "provider": {
    "e2e": {
      "npm": "@ai-sdk/openai-compatible",
      "name": "e2e",
      "options": {"baseURL": "%[2]s/v1", "apiKey": "sk-e2e"},
      "models": {"%[1]s": {"name": "e2e"}}
    }
  }
}
`
			return w.lay(filepath.Join(w.home, ".config", "opencode", "opencode.json"), fmt.Sprintf(config, modelName, w.model.address))
		},
		args: func(w *world, prompt string) []string {
			return []string{w.program, "run", prompt}
		},
		env: func(*world) []string {
			return []string{"OPENCODE_DISABLE_MODELS_FETCH=1", "npm_config_fetch_retries=0"}
		},
	}
}

func piAgent() harnessCase {
	return harnessCase{
		name: "pi", npm: "@earendil-works/pi-coding-agent", version: "1.6.0", program: "pi", node: 22,
		setup: func(w *world) error {
			models := `{"providers": {"e2e": {
  "baseUrl": "%s/v1", "api": "openai-completions", "apiKey": "sk-e2e",
  "models": [{"id": "%s", "name": "e2e", "reasoning": false, "input": ["text"], "contextWindow": 128000, "maxTokens": 4096}]
}}}
`
			return w.lay(filepath.Join(w.home, ".pi", "agent", "models.json"), fmt.Sprintf(models, w.model.address, modelName))
		},
		args: func(w *world, prompt string) []string {
			return []string{w.program, "--print", "--provider", "e2e", "--model", modelName, prompt}
		},
		env: func(*world) []string { return []string{"PI_OFFLINE=1"} },
	}
}

func dshAgent() harnessCase {
	return harnessCase{
		name: "dsh", npm: "@deepseek-ai/dsh", version: "0.1.0-rc.8", program: "dsh", node: 22,
		// A later one demands a service that this version does not have.
		pins: map[string]string{"@deepseek-ai/cordis-plugin-hmr": "1.0.17"},
		// What its parts expect beside them. npm would look for it by itself, for
		// longer than anybody waits.
		peers: dshPeers(),
		setup: func(w *world) error {
			patch := `# what a person has here: headless, this version does not start without it
- id: hmr
  disabled: false
`
			return w.lay(filepath.Join(w.home, ".dsh", "cordis.patch.yml"), patch)
		},
		args: func(w *world, prompt string) []string { return []string{w.program, "--profile", "headless", prompt} },
		env: func(w *world) []string {
			return []string{"DEEPSEEK_API_KEY=sk-e2e", "DEEPSEEK_BASE_URL=" + w.model.address}
		},
	}
}

func dshPeers() []string {
	peers := []string{"@deepseek-ai/cordis-plugin-group@^1.0.1"}
	for _, name := range []string{
		"anonymous-user-id", "atomic-write", "bash-local", "code-runtime", "compaction", "fs", "invariants", "output-retention",
		"sandbox", "scope", "session-telemetry", "session-title-llm", "shell", "spill", "subagent-in-process-driver", "timeout", "workflow",
	} {
		peers = append(peers, "@deepseek-ai/dsh-"+name+"@0.1.0-rc.8")
	}
	return peers
}
