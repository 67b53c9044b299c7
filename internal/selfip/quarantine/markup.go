package quarantine

import "strings"

// fakeMarkup finds tags that pretend to come from the harness, from a chat
// template or from our own wrapper (family 5).
func fakeMarkup(v string) string {
	for i := 0; i < len(v); i++ {
		switch v[i] {
		case '<':
			if name := fakeTag(v[i+1:]); name != "" {
				return "<" + name + ">"
			}
		case '[':
			rest := strings.TrimLeft(v[i+1:min(len(v), i+24)], " /")
			for _, name := range [...]string{"selfip", "inst"} {
				if strings.HasPrefix(rest, name) && strings.HasPrefix(strings.TrimLeft(rest[len(name):], " "), "]") {
					return "[" + name + "]"
				}
			}
		}
	}
	return ""
}

// fakeTag returns the name of a tag that only a harness may write, read behind
// its angle.
func fakeTag(s string) string {
	s = strings.TrimLeft(s[:min(len(s), 48)], " \n/")
	if strings.HasPrefix(s, "|") || strings.HasPrefix(s, "<") {
		s = strings.TrimLeft(s[1:], " /")
		for _, name := range [...]string{"im_start", "im_end", "endoftext", "system", "assistant", "user", "start_header_id", "end_header_id", "eot_id", "sys"} {
			if strings.HasPrefix(s, name) && !isWordByte(next(s, len(name))) {
				return "|" + name + "|"
			}
		}
		return ""
	}
	n := 0
	for n < len(s) && (isWordByte(s[n]) || s[n] == '-') {
		n++
	}
	name := s[:n]
	switch stem, _, _ := strings.Cut(name, "-"); stem {
	case "system", "instruction", "instructions", "assistant", "selfip":
		if next(s, n) == '.' && isLetter(next(s, n+1)) {
			return "" // a type or a section of a configuration: <system.web>
		}
		return name
	case "self":
		if strings.HasPrefix(name, "self-improvement") {
			return name
		}
	}
	if name == "function_calls" || name == "function_results" || name == "tool_result" {
		return name
	}
	return ""
}

// next returns the byte at i, 0 behind the end.
func next(s string, i int) byte {
	if i < len(s) {
		return s[i]
	}
	return 0
}

// fakeRole finds labels that give the words behind them to the system or to
// the assistant (family 6): at the start of a line, behind a bullet or the head
// of an entry, in a bracket, or behind the end of a sentence. What begins with
// the words of a user is the record of a conversation, where the answers of an
// assistant are what one expects; those of a system are not.
func fakeRole(v string) string {
	dialogue := isDialogue(v)
	for i := 0; i < len(v); {
		k := strings.IndexByte(v[i:], ':')
		if k < 0 {
			return ""
		}
		k += i
		if p := roleBefore(v[max(0, k-200):k]); p != "" && !isPlatform(v[k+1:]) && !(dialogue && p == "assistant") {
			return p + ":"
		}
		i = k + 1
	}
	return ""
}

// isDialogue reports whether v begins with the label of a user.
func isDialogue(v string) bool {
	v = strings.TrimLeft(v, " \t\n")
	for _, label := range [...]string{"user:", "human:", "用户:"} {
		if strings.HasPrefix(v, label) {
			return true
		}
	}
	return false
}

// roleBefore returns the role that ends s, when nothing before it in its line
// or sentence makes it a word among others.
func roleBefore(s string) string {
	s = strings.TrimRight(s, " _`")
	s, bracket := cutRoleTail(s)
	for _, role := range [...]string{"system", "assistant"} {
		if !strings.HasSuffix(s, role) {
			continue
		}
		before := s[:len(s)-len(role)]
		if bracket && !strings.HasSuffix(strings.TrimRight(before, " "), "[") {
			return "" // "system prompt: short" is a remark, "[system prompt: ...]" is not
		}
		if isLabelPlace(before) {
			return role
		}
	}
	return ""
}

// cutRoleTail takes what makes a longer label, as in "system prompt override",
// off the end of s, and reports whether the label must stand in a bracket to be
// more than a remark.
func cutRoleTail(s string) (rest string, bracket bool) {
	for _, tail := range [...]string{" override", " instruction", " instructions", " rule"} {
		if r, ok := strings.CutSuffix(s, tail); ok {
			s, _ = cutRoleTail(strings.TrimRight(r, " "))
			return s, false
		}
	}
	for _, tail := range [...]string{" prompt", " message", " note", " notice", " update"} {
		if r, ok := strings.CutSuffix(s, tail); ok {
			return strings.TrimRight(r, " "), true
		}
	}
	return s, false
}

// isLabelPlace reports whether a label may follow s.
func isLabelPlace(s string) bool {
	s = strings.TrimRight(s, " _`")
	if s == "" {
		return true
	}
	if strings.HasSuffix(s, ")") { // the head of an entry: - [stamp] (kind)
		line := s[strings.LastIndexByte(s, '\n')+1:]
		line = strings.TrimLeft(line, " -+>#")
		return strings.HasPrefix(line, "[") && strings.Contains(line, "] (") || strings.HasPrefix(line, "(")
	}
	if strings.IndexByte("\n-+>#[(]|.!?;", s[len(s)-1]) >= 0 {
		return true
	}
	return strings.HasSuffix(s, "。") || strings.HasSuffix(s, "!") || strings.HasSuffix(s, "「") || strings.HasSuffix(s, "“") || strings.HasSuffix(s, "•")
}

// isPlatform reports whether s tells what machine something runs on, the
// harmless use of the word system before a colon.
func isPlatform(s string) bool {
	s = strings.TrimLeft(s, " ")
	for _, w := range [...]string{"linux", "ubuntu", "debian", "fedora", "arch", "alpine", "macos", "mac os", "windows", "wsl", "nixos", "centos", "rhel", "freebsd", "x86", "arm", "aarch64", "android", "ios"} {
		if strings.HasPrefix(s, w) && !isWordByte(next(s, len(w))) || strings.HasPrefix(s, w+"6") {
			return true
		}
	}
	return false
}
