package main

import "path/filepath"

// The harnesses that come of one another, or of companies with services of their
// own: each lets a person name another model.

func geminiCLI() harnessCase {
	return harnessCase{
		name: "gemini-cli", npm: "@google/gemini-cli", version: "0.61.0", program: "gemini",
		setup: func(w *world) error {
			const settings = `{
  // whatever a person has here stays
  "security": { "auth": { "selectedType": "gemini-api-key" } },
  "privacy": { "usageStatisticsEnabled": false },
  "general": { "enableAutoUpdate": false } // in a closed network
}
`
			return w.lay(filepath.Join(w.home, ".gemini", "settings.json"), settings)
		},
		args: func(w *world, prompt string) []string {
			return []string{w.program, "--skip-trust", "--yolo", "--model", modelName, "--prompt", prompt}
		},
		env: func(w *world) []string {
			return []string{"GEMINI_API_KEY=e2e", "GOOGLE_GEMINI_BASE_URL=" + w.model.address}
		},
	}
}

func qwenCode() harnessCase {
	return harnessCase{
		name: "qwen-code", npm: "@qwen-code/qwen-code", version: "0.24.4", program: "qwen", node: 22,
		setup: func(w *world) error {
			const settings = `{
  "$version": 4,
  // whatever a person has here stays
  "security": { "auth": { "selectedType": "openai" } },
  "privacy": { "usageStatisticsEnabled": false },
  "general": { "enableAutoUpdate": false }
}
`
			return w.lay(filepath.Join(w.home, ".qwen", "settings.json"), settings)
		},
		args: func(w *world, prompt string) []string { return []string{w.program, "--yolo", "--prompt", prompt} },
		env: func(w *world) []string {
			return []string{"OPENAI_API_KEY=sk-e2e", "OPENAI_BASE_URL=" + w.model.address + "/v1", "OPENAI_MODEL=" + modelName}
		},
	}
}

func copilotCLI() harnessCase {
	return harnessCase{
		name: "copilot-cli", npm: "@github/copilot", version: "1.0.102", program: "copilot",
		setup: func(*world) error { return nil },
		args: func(w *world, prompt string) []string {
			return []string{w.program, "--no-auto-update", "--trust-folder", "--allow-all", "--prompt", prompt}
		},
		env: func(w *world) []string {
			return []string{
				"COPILOT_PROVIDER_BASE_URL=" + w.model.address + "/v1", "COPILOT_PROVIDER_API_KEY=sk-e2e", "COPILOT_MODEL=" + modelName,
				"COPILOT_OFFLINE=true",
			}
		},
	}
}
