package quarantine

import "strings"

// maxPipe is how far behind a download the shell may stand.
const maxPipe = 200

// downloadAndRun finds commands that run what they download (family 7).
func downloadAndRun(v string) string {
	for i := 0; i < len(v); i++ {
		tool := downloader(v, i)
		if tool == "" {
			continue
		}
		line := v[i:min(len(v), i+len(tool)+maxPipe)]
		if k := strings.IndexByte(line, '\n'); k >= 0 {
			line = line[:k]
		}
		p := first(runsPipe(line), runsFile(line))
		if p == "" && runsSubstitution(v[max(0, i-32):i]) {
			p = "sh -c $(…)"
		}
		if p != "" && !isDenied(v, i) {
			return tool + " … " + p
		}
	}
	return ""
}

// downloader returns the download tool that is named at i, "" if there is none.
func downloader(v string, i int) string {
	if i > 0 && isWordByte(v[i-1]) {
		return ""
	}
	for _, tool := range [...]string{"curl", "wget", "invoke-webrequest", "invoke-restmethod", "iwr", "irm"} {
		if strings.HasPrefix(v[i:], tool) && !isWordByte(next(v[i:], len(tool))) {
			return tool
		}
	}
	return ""
}

// runsPipe reports a pipe into an interpreter. One with arguments of its own,
// such as python -m json.tool, reads data; a shell always runs it.
func runsPipe(line string) string {
	for {
		k := strings.IndexByte(line, '|')
		if k < 0 {
			return ""
		}
		line = strings.TrimLeft(line[k+1:], " &")
		name := interpreter(line)
		if isShell(name) {
			return "| " + name
		}
		if rest := strings.TrimLeft(line[len(name):], " "); name != "" && isLanguage(name) && (rest == "" || rest == "-" || strings.IndexByte("\"'`.;)&", rest[0]) >= 0 || strings.HasPrefix(rest, "- ")) {
			return "| " + name
		}
	}
}

// interpreter returns the last part of the command at the start of s, past sudo
// and env and a path.
func interpreter(s string) string {
	for range 4 {
		n := 0
		for n < len(s) && (isWordByte(s[n]) || s[n] == '/' || s[n] == '-' || s[n] == '.') {
			n++
		}
		word := s[:n]
		if word != "sudo" && word != "env" && word != "exec" && !strings.HasSuffix(word, "/env") && !strings.HasPrefix(word, "-") {
			return strings.TrimRight(word[strings.LastIndexByte(word, '/')+1:], ".")
		}
		s = strings.TrimLeft(s[n:], " ")
	}
	return ""
}

func isShell(name string) bool {
	switch name {
	case "sh", "bash", "zsh", "dash", "ksh", "fish", "ash", "pwsh", "powershell", "iex", "invoke-expression", "source":
		return true
	}
	return false
}

func isLanguage(name string) bool {
	switch name {
	case "python", "python2", "python3", "perl", "ruby", "node", "php", "deno", "bun":
		return true
	}
	return false
}

// runsFile reports that the downloaded file is run by the next command of the
// line: curl URL > f; sh f.
func runsFile(line string) string {
	if !strings.ContainsAny(line, ";&") {
		return ""
	}
	file := savedTo(line)
	if file == "" {
		return ""
	}
	for _, join := range [...]string{";", "&&"} {
		_, rest, _ := strings.Cut(line, join)
		for rest != "" {
			command, more, _ := strings.Cut(rest, join)
			words := strings.Fields(command)
			if len(words) > 0 && words[0] == "sudo" {
				words = words[1:]
			}
			if len(words) > 0 && strings.TrimPrefix(words[0], "./") == file || len(words) > 1 && isShell(words[0]) && strings.TrimPrefix(words[len(words)-1], "./") == file {
				return "; sh FILE"
			}
			rest = more
		}
	}
	return ""
}

// savedTo returns the file that a download is written to, "" if none is named.
func savedTo(line string) string {
	words := strings.Fields(strings.NewReplacer(">", " > ", ";", " ; ", "&&", " ; ").Replace(line))
	for i, w := range words {
		if (w == ">" || w == "-o" || w == "--output" || w == "-outfile") && i+1 < len(words) {
			return strings.TrimPrefix(strings.Trim(words[i+1], "\"'`"), "./")
		}
	}
	if len(words) == 0 || words[0] != "wget" {
		return ""
	}
	for _, w := range words { // wget names the file after the address
		if k := strings.LastIndexByte(w, '/'); strings.Contains(w, "://") && k > len("https://") {
			return w[k+1:]
		}
	}
	return ""
}

// runsSubstitution reports whether what stands before a download runs its
// output: sh -c "$(curl, bash <(curl, eval `wget.
func runsSubstitution(before string) bool {
	before = strings.TrimRight(before, " ")
	for _, open := range [...]string{"$(", "<(", "`", "("} {
		rest, ok := strings.CutSuffix(before, open)
		if !ok {
			continue
		}
		words := strings.FieldsFunc(rest, func(r rune) bool { return strings.ContainsRune(" \"'\n", r) })
		for n := len(words); n > 0 && len(words)-n < 2; n-- {
			switch w := words[n-1]; {
			case w == "-c" || w == "-s":
				continue
			case isShell(w) || isLanguage(w) || w == "eval" || w == "&":
				return true
			}
			break
		}
	}
	return false
}

// destructiveDelete finds the forced deletion of what lies below the root or
// the home directory (family 8).
func destructiveDelete(v string) string {
	for i := 0; i+2 < len(v); i++ {
		if v[i] != 'r' || v[i+1] != 'm' || v[i+2] != ' ' || i > 0 && isWordByte(v[i-1]) {
			continue
		}
		if target := deleted(v[i+3 : min(len(v), i+120)]); target != "" && !isDenied(v, i) {
			return "rm -rf " + target
		}
	}
	return ""
}

// deleted returns the root of what the arguments of rm delete by force, "" if
// that is nothing to fear.
func deleted(args string) string {
	recursive, force := false, false
	for {
		args = strings.TrimLeft(args, " ")
		if !strings.HasPrefix(args, "-") {
			break
		}
		flag, rest, _ := strings.Cut(args, " ")
		short := !strings.HasPrefix(flag, "--")
		recursive = recursive || flag == "--recursive" || short && strings.Contains(flag, "r")
		force = force || flag == "--force" || short && strings.Contains(flag, "f")
		args = rest
	}
	args = strings.TrimLeft(args, "\"'")
	if !recursive || !force || args == "" || args[0] != '/' && args[0] != '~' {
		return ""
	}
	for _, scratch := range [...]string{"/tmp/", "/var/tmp/", "/private/tmp/"} {
		if rest, ok := strings.CutPrefix(args, scratch); ok && rest != "" && isWordByte(rest[0]) && !strings.Contains(rest, "..") {
			return ""
		}
	}
	return args[:1]
}

// diskFormat finds commands that erase a disk (family 9).
func diskFormat(v string) string {
	for i := 0; i+4 < len(v); i++ {
		if i > 0 && isWordByte(v[i-1]) {
			continue
		}
		p := ""
		switch rest := v[i:]; {
		case strings.HasPrefix(rest, "format "):
			p = formatsDrive(strings.TrimLeft(rest[len("format "):], " "))
		case strings.HasPrefix(rest, "mkfs") && strings.Contains(near(rest, 60), " /dev/"):
			p = "mkfs /dev/"
		case strings.HasPrefix(rest, "dd ") && strings.Contains(near(rest, 120), "of=/dev/") && !strings.Contains(near(rest, 120), "of=/dev/null"):
			p = "dd of=/dev/"
		}
		if p != "" && !isDenied(v, i) {
			return p
		}
	}
	return ""
}

// near returns the start of the line that s begins with, at most n bytes.
func near(s string, n int) string {
	s = s[:min(len(s), n)]
	if k := strings.IndexByte(s, '\n'); k >= 0 {
		return s[:k]
	}
	return s
}

// formatsDrive reports a drive letter that is the whole argument of format, as
// against "use format s: in the template".
func formatsDrive(args string) string {
	if len(args) < 2 || !isLetter(args[0]) || args[1] != ':' {
		return ""
	}
	rest := strings.TrimLeft(args[2:], " \\")
	if rest == "" || strings.IndexByte("/\n;&|.,!\"'`)", rest[0]) >= 0 {
		return "format X:"
	}
	return ""
}

// isDenied reports whether the command at i is named to be avoided: "never run
// rm -rf /", "不要执行 rm -rf /".
func isDenied(v string, i int) bool {
	before := v[max(0, i-60):i]
	if k := strings.LastIndexAny(before, ".;!?\n"); k >= 0 {
		before = before[k+1:]
	}
	before = strings.TrimRight(before, " \"'`")
	for range 4 {
		before = strings.TrimRight(before, " ")
		if hasSuffixOf(before, "never", "not", "don't", "avoid", "avoids", "forbidden", "without", "no", "instead of", "不要", "禁止", "切勿", "不得", "避免", "严禁", "不能", "不可", "别", "勿") != "" {
			return true
		}
		w := hasSuffixOf(before, "run", "use", "execute", "type", "call", "do", "pipe", "using", "running", "piping", "executing", "ever", "a", "the", "sudo", "执行", "运行", "使用", "用", "直接", "再")
		if w == "" {
			return false
		}
		before = before[:len(before)-len(w)]
	}
	return false
}

// hasSuffixOf returns the word that s ends in, "" if none of them does.
func hasSuffixOf(s string, words ...string) string {
	for _, w := range words {
		if !strings.HasSuffix(s, w) {
			continue
		}
		if rest := s[:len(s)-len(w)]; w[0] >= 0x80 || rest == "" || !isWordByte(rest[len(rest)-1]) {
			return w
		}
	}
	return ""
}
