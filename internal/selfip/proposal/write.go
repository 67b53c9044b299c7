package proposal

import "strings"

// Withdrawn is the status of a proposal whose making was undone.
const Withdrawn = "withdrawn"

// FileName is the name of a proposal's file, CodeName that of its code.
func FileName(id string) string { return prefix + id + suffix }

// CodeName is the name of the file of a proposal's code.
func CodeName(id string) string { return "plugin-" + id + ".js" }

// Format writes a proposal's file. The heading is part of the format, whatever
// the language.
func Format(stamp, said string) []byte {
	return []byte("# 提案 @ " + stamp + "（待人工确认后应用）\n\n" + strings.TrimSpace(said) + "\n")
}

// Code returns the first block of code that is tagged as JavaScript or not at
// all, trimmed; "" when there is none (spec/selfip.md 3.5).
func Code(said string) string {
	var block []string
	inside, wanted := false, false
	for line := range strings.SplitSeq(said, "\n") {
		tag, isFence := strings.CutPrefix(strings.TrimSpace(line), fence)
		switch {
		case isFence && !inside:
			inside, wanted, block = true, isScript(tag), nil
		case isFence && strings.TrimSpace(tag) == "":
			if wanted {
				return strings.TrimSpace(strings.Join(block, "\n"))
			}
			inside = false
		case wanted:
			block = append(block, line)
		}
	}
	return ""
}

const fence = "```"

func isScript(tag string) bool {
	switch strings.ToLower(strings.TrimSpace(tag)) {
	case "", "javascript", "js":
		return true
	}
	return false
}
