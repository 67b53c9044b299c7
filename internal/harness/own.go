package harness

import "strings"

// owners are the binaries of ours that put a marked block before an agent:
// "[selfip]" on its first line and "[/selfip]" at its end (spec/harness-hooks.md
// 1.10).
var owners = [...]string{"selfip", "dsh-mnemon", "cordis"}

// humanWords returns what a person said in text: without the blocks that we put
// there and the wrappers that the harness did, trimmed. It is "" when nothing
// else was there. It takes time linear in text.
func humanWords(text string, wrappers []string) string {
	for _, tag := range wrappers {
		text = without(text, "<"+tag+">", "</"+tag+">")
	}
	for _, owner := range owners {
		mark := "[" + owner + "]"
		if !strings.Contains(text, mark) {
			continue
		}
		text = withoutOpen(without(text, mark, "[/"+owner+"]"), mark)
	}
	return strings.TrimSpace(text)
}

// without cuts every stretch from open to the next closing mark.
func without(text, open, closing string) string {
	var kept strings.Builder
	for {
		begin := strings.Index(text, open)
		if begin < 0 {
			break
		}
		length := strings.Index(text[begin+len(open):], closing)
		if length < 0 {
			break
		}
		kept.WriteString(text[:begin])
		text = text[begin+len(open)+length+len(closing):]
	}
	if kept.Len() == 0 {
		return text
	}
	kept.WriteString(text)
	return kept.String()
}

// withoutOpen cuts blocks that were never closed: a mark at the start of a line
// and what follows up to a blank line. A harness may have dropped the end of our
// block; the words of a person stand apart from it.
func withoutOpen(text, mark string) string {
	var kept strings.Builder
	inBlock := false
	for line := range strings.SplitAfterSeq(text, "\n") {
		switch bare := strings.TrimSpace(line); {
		case strings.HasPrefix(bare, mark):
			inBlock = true
		case bare == "":
			inBlock = false
		}
		if !inBlock {
			kept.WriteString(line)
		}
	}
	return kept.String()
}
