package harness

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/dshkit/dshkit/internal/harness/jsontext"
)

// maxText bounds one text of a record or event, in bytes: what is longer keeps
// its beginning and its end, where messages stand.
const maxText = 16 << 10

// gap stands where clip left something out.
const gap = "\n[…]\n"

// maxWord is how far clip looks for a blank, in bytes: a credential that it cut in
// two would no longer be known as one.
const maxWord = 512

// clip cuts s to maxText bytes, between words or at least between characters.
func clip(s string) string {
	if len(s) <= maxText {
		return s
	}
	half := (maxText - len(gap)) / 2
	head, tail := half, len(s)-half
	if blank := strings.LastIndexAny(s[head-maxWord:head], " \t\n"); blank >= 0 {
		head += blank - maxWord
	}
	if blank := strings.IndexAny(s[tail:tail+maxWord], " \t\n"); blank >= 0 {
		tail += blank
	}
	for head > 0 && !utf8.RuneStart(s[head]) {
		head--
	}
	for tail < len(s) && !utf8.RuneStart(s[tail]) {
		tail++
	}
	return s[:head] + gap + s[tail:]
}

// inputKeys are the members of a tool's input that say what was asked of it,
// the most telling first.
var inputKeys = [...]string{
	"command", "cmd", "file_path", "filePath", "absolute_path", "path", "notebook_path", "url", "pattern", "query",
}

// toolInput says what was asked of a tool: the command, the path, the address,
// the files of a patch; the JSON itself when it is none of these.
func toolInput(input jsontext.Value) string {
	if input.IsString() {
		return patchOr(clip(input.String()))
	}
	for _, key := range inputKeys {
		switch value := input.Get(key); {
		case value.IsString():
			return patchOr(clip(value.String()))
		case value.IsArray():
			return patchOr(clip(argv(value)))
		}
	}
	if !input.IsObject() || len(input) <= len("{}") {
		return ""
	}
	return clip(strings.ToValidUTF8(string(input), "\uFFFD"))
}

// argv joins the words of a command line; of a shell that was handed a script it
// gives the script.
func argv(list jsontext.Value) string {
	var words []string
	for word := range list.Items() {
		words = append(words, word.String())
	}
	if n := len(words); n >= 3 && strings.HasPrefix(words[n-2], "-") && strings.HasSuffix(words[n-2], "c") {
		return words[n-1]
	}
	return strings.Join(words, " ")
}

// patchOr returns the files that a patch touches, one a line, or command itself
// when it is none.
func patchOr(command string) string {
	_, patch, ok := strings.Cut(command, "*** Begin Patch")
	if !ok {
		return command
	}
	var files []string
	for line := range strings.SplitSeq(patch, "\n") {
		for _, mark := range [...]string{"*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: "} {
			if file, ok := strings.CutPrefix(line, mark); ok {
				files = append(files, strings.TrimSpace(file))
			}
		}
	}
	if len(files) == 0 {
		return command
	}
	return strings.Join(files, "\n")
}

// toolOutput returns the text of an answer: bare, of a shell's two streams, or
// of a list of parts. Other objects hold copies of whole files, and no message.
func toolOutput(response jsontext.Value) string {
	if !response.IsObject() {
		return clip(wordsOf(response))
	}
	out := wordsOf(response.Get("stdout"))
	if errors := wordsOf(response.Get("stderr")); errors != "" {
		out = strings.TrimPrefix(out+"\n"+errors, "\n")
	}
	if out == "" {
		out = wordsOf(response.Get("content"))
	}
	return clip(out)
}

// wordsOf returns the text of a string, or of the text parts of a list, joined
// by line ends.
func wordsOf(value jsontext.Value) string {
	if value.IsString() {
		return value.String()
	}
	var b strings.Builder
	for part := range value.Items() {
		words := part
		if part.IsObject() {
			words = partText(part)
		}
		if !words.IsString() {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(words.String())
	}
	return b.String()
}

// partText returns the text of a part of words; thoughts are none.
func partText(part jsontext.Value) jsontext.Value {
	switch part.Get("type").String() {
	case "", "text", "Text", "input_text", "output_text":
		return part.Get("text")
	}
	return nil
}

// codeAfter returns the number that follows mark at the start of text.
func codeAfter(text, mark string) (code int, ok bool) {
	rest, ok := strings.CutPrefix(text, mark)
	if !ok {
		return 0, false
	}
	end := 0
	for end < len(rest) && (rest[end] >= '0' && rest[end] <= '9' || end == 0 && rest[end] == '-') {
		end++
	}
	code, err := strconv.Atoi(rest[:end])
	return code, err == nil
}
