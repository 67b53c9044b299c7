package learn

import (
	"path"
	"strings"
)

// family is what a command is for. Commands of one family can stand in for
// each other.
type family string

const (
	testing family = "test"
	build   family = "build"
	lint    family = "lint"
	install family = "install"
)

// command is a shell command as far as learning looks into it.
type command struct {
	show    string // the part that matters as it was typed: a part of the input
	program string // name of the program, lower case
	sub     string // its subcommand, for programs that have them
	family  family
	targets []string // arguments that are no flags
	filter  string   // value of -run, -k, -t and the like
	probe   bool     // only looks
	masked  bool     // its exit code is that of something else: a pipe, an || true
}

// maxScript is how many bytes of a command are looked at.
const maxScript = 2000

// word is one word of a script with its place.
type word struct {
	text       string // without quotes
	begin, end int
	op         bool // an operator: && || ; | & or a line end
}

// scan splits a script into words and operators.
func scan(s string) []word {
	var words []word
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == ' ' || c == '\t' || c == '\r':
			i++
		case strings.IndexByte("&|;\n", c) >= 0:
			end := i + 1
			if end < len(s) && s[end] == c && c != '\n' {
				end++
			}
			words = append(words, word{s[i:end], i, end, true})
			i = end
		default:
			w := scanWord(s, i)
			words = append(words, w)
			i = w.end
		}
	}
	return words
}

// scanWord reads the word at i. A redirection such as 2>&1 is part of its word.
func scanWord(s string, i int) word {
	var b strings.Builder
	begin, quote := i, byte(0)
	for ; i < len(s); i++ {
		c := s[i]
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case c == '\\' && quote != '\'' && i+1 < len(s):
			i++
			b.WriteByte(s[i])
		case quote == 0 && strings.IndexByte(" \t\r\n;|", c) >= 0,
			quote == 0 && c == '&' && (i == begin || s[i-1] != '>' && s[i-1] != '<'):
			return word{b.String(), begin, i, false}
		default:
			b.WriteByte(c)
		}
	}
	return word{b.String(), begin, len(s), false}
}

// segment is one simple command of a script.
type segment struct {
	words []word
	after string // the operator after it
	first bool   // first of its pipeline
}

func segments(words []word) []segment {
	var list []segment
	at, first := 0, true
	for i := 0; i <= len(words); i++ {
		if i < len(words) && !words[i].op {
			continue
		}
		op := ""
		if i < len(words) {
			op = words[i].text
		}
		if i > at {
			list = append(list, segment{words[at:i], op, first})
		}
		at, first = i+1, op != "|"
	}
	return list
}

// parseCommand reads a shell command. Of a script it takes the part that
// matters: the last command of a family, else the last that does something.
func parseCommand(script string) command {
	s := strings.TrimSpace(script)
	s = s[:min(len(s), maxScript)]
	if inner, ok := unwrap(s); ok {
		s = inner
	}
	parts := segments(scan(s))
	best, begin := command{}, -1
	for i, part := range parts {
		if !part.first {
			continue
		}
		c := readSegment(part.words)
		if !c.probe && begin < 0 {
			begin = part.words[0].begin
		}
		if i > 0 && rank(c) < rank(best) {
			continue
		}
		from := begin
		if begin < 0 {
			from = part.words[0].begin
		}
		c.masked = part.after == "|" || part.after == "||" || part.after == "&" || part.after == ";" && i < len(parts)-1
		c.show = keep(s[from:shownEnd(part.words, c.program)], maxCommand)
		best = c
	}
	return best
}

// rank orders the commands of a script by how much they matter.
func rank(c command) int {
	switch {
	case c.family != "":
		return 3
	case c.program == "":
		return 0
	case c.probe:
		return 1
	}
	return 2
}

// unwrap returns the script that a shell was handed.
func unwrap(s string) (string, bool) {
	words := scan(s)
	if len(words) != 3 || words[1].op || !strings.HasPrefix(words[1].text, "-") || !strings.HasSuffix(words[1].text, "c") {
		return "", false
	}
	switch path.Base(words[0].text) {
	case "bash", "sh", "zsh":
		return words[2].text, true
	}
	return "", false
}

// shownEnd returns where the part of a command ends that may be shown: before
// redirections and before flags that take headers, data or secrets.
func shownEnd(words []word, program string) int {
	for i, w := range words {
		if i > 0 && (isSecretFlag(w.text, program) || isRedirection(w.text)) {
			return words[i-1].end
		}
	}
	return words[len(words)-1].end
}

func isRedirection(w string) bool {
	return strings.HasPrefix(strings.TrimLeft(w, "0123456789&"), ">") || strings.HasPrefix(w, "<")
}

func isSecretFlag(w, program string) bool {
	switch program {
	case "curl", "wget", "http", "https", "xh":
		switch w {
		case "-H", "--header", "-u", "--user", "-d", "--data", "--data-raw", "--cookie", "-b":
			return true
		}
	}
	w = strings.ToLower(w)
	for _, part := range [...]string{"password", "passwd", "token", "secret", "apikey", "api-key", "api_key", "authorization", "bearer"} {
		if strings.Contains(w, part) && strings.ContainsAny(w, "-=:") {
			return true
		}
	}
	return false
}

// readSegment reads one simple command: prefixes off, program, subcommand,
// targets.
func readSegment(words []word) command {
	args := make([]string, 0, len(words))
	for _, w := range words {
		if isRedirection(w.text) {
			break
		}
		args = append(args, w.text)
	}
	args = stripPrefixes(args)
	if len(args) == 0 {
		return command{probe: true}
	}
	c := command{program: strings.TrimSuffix(strings.ToLower(path.Base(args[0])), ".exe")}
	rest := args[1:]
	if hasSubcommands(c.program) {
		c.sub, rest = subcommand(c.program, rest)
	}
	c.targets, c.filter = targetsOf(rest)
	c.classify(rest)
	return c
}

// prefixPrograms run another command.
const prefixPrograms = " sudo time nice nohup env command exec npx bunx pnpx uvx xvfb-run stdbuf "

// stripPrefixes takes assignments and programs that only run another one off
// the front.
func stripPrefixes(args []string) []string {
	for len(args) > 0 {
		first := args[0]
		name, _, assign := strings.Cut(first, "=")
		switch {
		case assign && name != "" && !strings.ContainsAny(name, "/.-"), strings.Contains(prefixPrograms, " "+first+" "):
			args = args[1:]
		case first == "timeout" && len(args) > 2:
			args = args[2:]
		case len(args) > 2 && (args[1] == "run" && (first == "uv" || first == "poetry" || first == "pipenv" || first == "pdm") ||
			first == "bundle" && args[1] == "exec" || strings.HasPrefix(first, "python") && args[1] == "-m"):
			args = args[2:]
		default:
			return args
		}
	}
	return args
}

// targetsOf returns the arguments that are no flags and the value of a filter.
func targetsOf(args []string) (targets []string, filter string) {
	for i := 0; i < len(args); i++ {
		a := args[i]
		if !strings.HasPrefix(a, "-") || a == "-" {
			if len(targets) < 12 {
				targets = append(targets, keep(a, maxPath))
			}
			continue
		}
		name, value, joined := strings.Cut(strings.TrimLeft(a, "-"), "=")
		switch name {
		case "run", "k", "t", "test-name-pattern", "testNamePattern", "tests", "grep", "g", "filter":
			if !joined && i+1 < len(args) {
				i++
				value = args[i]
			}
			filter = keep(value, maxPath)
		case "n", "p", "C", "f", "timeout", "count", "m", "e", "o", "c", "j":
			if !joined && i+1 < len(args) && !strings.HasPrefix(args[i+1], "-") {
				i++
			}
		}
	}
	return targets, filter
}

// reads returns the file that a command prints, if that is all it does.
func (c command) reads() []string {
	switch c.program {
	case "cat", "head", "tail", "less", "bat", "nl", "sed", "more", "type":
	default:
		return nil
	}
	if n := len(c.targets); c.probe && n > 0 && strings.ContainsAny(c.targets[n-1], "./") {
		return c.targets[n-1:]
	}
	return nil
}
