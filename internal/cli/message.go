package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/dshkit/dshkit/pkg/text"
)

// A Message is one sentence of one language. Its verbs are those of fmt and
// may carry indices, as in %[2]q, where the language wants another order.
type Message struct{ ID, Text string }

// A Table is the sentences of one language. It is a slice because the compiler
// lays one out ready for use; a map would be built at every start.
type Table []Message

func (t Table) find(id string) (string, bool) {
	for i := range t {
		if t[i].ID == id {
			return t[i].Text, true
		}
	}
	return "", false
}

// AddTables adds the sentences of a command package. They come before the
// shared ones, so that a package may say a shared thing better.
func (env *Env) AddTables(english, chinese Table) {
	if env.tables == nil {
		env.tables = map[Lang][]Table{}
	}
	env.tables[English] = append(env.tables[English], english)
	env.tables[Chinese] = append(env.tables[Chinese], chinese)
}

func (env *Env) lookup(lang Lang, id string) (string, bool) {
	for _, t := range env.tables[lang] {
		if s, ok := t.find(id); ok {
			return s, true
		}
	}
	return Shared(lang).find(id)
}

// Shared returns the sentences of a language that every binary has.
func Shared(lang Lang) Table {
	if lang == Chinese {
		return zhCN
	}
	return en
}

// Say returns the sentence of id in the user's language, filled with args. An
// argument that is an error is put into words too. An id without a sentence
// gives the id and the arguments: something readable in any case.
func (env *Env) Say(id string, args ...any) string {
	format, ok := env.lookup(env.Lang(), id)
	if !ok {
		return strings.TrimSpace(id + " " + strings.TrimSuffix(fmt.Sprintln(args...), "\n"))
	}
	if !strings.Contains(format, "%") {
		return format
	}
	said := make([]any, len(args))
	for i, a := range args {
		said[i] = a
		if err, ok := a.(error); ok {
			said[i] = env.Sentence(err)
		}
	}
	return fmt.Sprintf(format, said...)
}

// Has reports whether id has a sentence in the user's language.
func (env *Env) Has(id string) bool {
	_, ok := env.lookup(env.Lang(), id)
	return ok
}

// Note writes one line to standard error, unless --quiet was given.
func (env *Env) Note(id string, args ...any) { env.remark("note-line", id, args) }

// Warn writes one line that begins with "warning" to standard error, unless
// --quiet was given.
func (env *Env) Warn(id string, args ...any) { env.remark("warning-line", id, args) }

func (env *Env) remark(frame, id string, args []any) {
	if env.Flags.Quiet {
		return
	}
	line := env.Say(frame, env.name, oneLine(env.Say(id, args...)))
	_, _ = io.WriteString(env.Err, line+"\n") // there is nowhere left to complain to
}

// oneLine makes s safe to print as one line: outside text may hold line ends
// and control characters.
func oneLine(s string) string {
	return strings.ReplaceAll(strings.TrimSpace(text.Printable(s)), "\n", " ")
}

// noteFailure keeps the first failure of output that has no other way out.
func (env *Env) noteFailure(err error) {
	if env.failed == nil {
		env.failed = err
	}
}
