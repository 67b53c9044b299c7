package selfipcmd

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/harness"
)

// programOf is the program of a harness that a package of npm brings, "" where
// there is none such.
func programOf(h harness.Harness) string {
	switch h {
	case harness.ClaudeCode:
		return "claude"
	case harness.GeminiCLI:
		return "gemini"
	case harness.QwenCode:
		return "qwen"
	case harness.CopilotCLI:
		return "copilot"
	case harness.Codex, harness.DSH, harness.OpenCode, harness.Pi, harness.OpenClaw:
		return string(h)
	}
	return ""
}

// versionFound is the version of a harness on the path, by the package that its
// program is in, "" when nobody can tell without running it.
func versionFound(env *cli.Env, h harness.Harness) string {
	program := programOf(h)
	if program == "" {
		return ""
	}
	path, err := lookPath(env, program)
	if err != nil {
		return ""
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return ""
	}
	return packageVersion(filepath.Dir(real))
}

// Bounds of the search for a package: folders upward, and bytes of its manifest.
const (
	manifestDepth = 4
	manifestBytes = 1 << 20
)

// packageVersion reads the version of the package that a folder is in.
func packageVersion(dir string) string {
	for range manifestDepth {
		var manifest struct{ Name, Version string }
		if f, err := os.Open(filepath.Join(dir, "package.json")); err == nil {
			err = json.NewDecoder(io.LimitReader(f, manifestBytes)).Decode(&manifest)
			_ = f.Close()
			if err == nil && manifest.Name != "" && manifest.Version != "" {
				return cleanVersion(manifest.Version)
			}
		}
		dir = filepath.Dir(dir)
	}
	return ""
}

// cleanVersion is a version as npm writes them, "" for any other text.
func cleanVersion(v string) string {
	const longest = 64
	for _, c := range []byte(v) {
		plain := c == '.' || c == '-' || c == '+' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !plain {
			return ""
		}
	}
	if len(v) > longest {
		return ""
	}
	return v
}
