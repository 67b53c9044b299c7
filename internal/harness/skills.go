package harness

// SkillFolder returns the folder of a project in which h looks for skills, with
// slashes; "" when it has none that is known (spec/harness-hooks.md 21). Where h
// reads the folder that several share, it is that one.
func (h Harness) SkillFolder() string {
	switch h {
	case ClaudeCode:
		return ".claude/skills"
	case Codex, GeminiCLI, Cursor, CopilotCLI, VSCode, OpenCode, Crush, Pi, Cline, OpenClaw, DSH:
		return ".agents/skills"
	case QwenCode:
		return ".qwen/skills"
	case Kiro:
		return ".kiro/skills"
	case Hermes:
		return ".hermes/skills"
	case Goose:
		return ".goose/skills"
	}
	return ""
}
