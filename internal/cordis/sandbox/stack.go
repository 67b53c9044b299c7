package sandbox

import "strings"

// cleanStack keeps what is the plugin's own of a stack: the engine's and this
// program's parts help nobody.
func cleanStack(stack string) string {
	var out []string
	for line := range strings.Lines(stack) {
		line = strings.TrimRight(line, "\n")
		frame := strings.HasPrefix(strings.TrimSpace(line), "at ")
		if strings.TrimSpace(line) == "" || frame && isOurs(line) {
			continue
		}
		if frame {
			line = "    " + withoutOffset(strings.TrimSpace(line))
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

func isOurs(frame string) bool {
	for _, part := range []string{"github.com/", "jsrun:", "cordis:", "(native)"} {
		if strings.Contains(frame, part) {
			return true
		}
	}
	return false
}

// withoutOffset drops the engine's own place, (12), behind line and column.
func withoutOffset(frame string) string {
	bare := strings.TrimSuffix(frame, ")")
	closing := frame[len(bare):]
	if closing == "" {
		return frame
	}
	open := strings.LastIndexByte(bare, '(')
	if strings.HasSuffix(bare, ")") { // f (file:1:2(3))
		inner := strings.TrimSuffix(bare, ")")
		if at := strings.LastIndexByte(inner, '('); at > 0 {
			return inner[:at] + closing
		}
	}
	if open > 0 && isDigits(bare[open+1:]) {
		return bare[:open]
	}
	return frame
}

func isDigits(s string) bool {
	for _, r := range s {
		if r < '0' || r > '9' {
			return false
		}
	}
	return s != ""
}
