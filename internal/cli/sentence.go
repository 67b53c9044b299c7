package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// Sentence puts an error into words of the user's language, without the name of
// the program and without a line end: what failed, why, what would help.
func (env *Env) Sentence(err error) string {
	var known *fault.Error
	if !errors.As(err, &known) {
		return env.plain(err)
	}
	known = env.spoken(err, known)
	s := env.Say(known.Code, known.Args...)
	if known.Err != nil {
		s = env.because(s, env.Sentence(known.Err))
	}
	if hint := env.hint(known); hint != "" {
		s = env.because(s, hint)
	}
	return s
}

// because goes on with a sentence, which may have an end of its own.
func (env *Env) because(sentence, reason string) string {
	open := strings.TrimSuffix(strings.TrimSuffix(sentence, "。"), ".")
	if open == "" || strings.ContainsAny(open[len(open)-1:], " ./\\") { // "." or "..", a folder's name
		open = sentence
	}
	return open + env.Say("because") + reason
}

// hint returns the sentence CODE.hint, or "". Its verbs carry indices: 1 is the
// name of the program, 2 and up are the arguments of the error.
func (env *Env) hint(known *fault.Error) string {
	id := known.Code + ".hint"
	if !env.Has(id) {
		return ""
	}
	return env.Say(id, append([]any{env.name}, known.Args...)...)
}

// spokenError is an error that has its own sentence in each language.
type spokenError interface {
	error
	In(language string) string
}

// spoken is the fault that was found in err with the sentence that err itself has
// in the user's language, if it has one: as a fault it would say it in English.
func (env *Env) spoken(err error, known *fault.Error) *fault.Error {
	var own spokenError
	var below *fault.Error
	if !errors.As(err, &own) || !errors.As(own, &below) || below.Code != known.Code {
		return known
	}
	return fault.New(known.Kind, known.Code, own.In(string(env.Lang())))
}

// plain words an error of the system or of a library.
func (env *Env) plain(err error) string {
	var onPath *fs.PathError
	if errors.As(err, &onPath) {
		return onPath.Path + env.Say("because") + env.plain(onPath.Err)
	}
	var onLink *os.LinkError
	if errors.As(err, &onLink) {
		return onLink.New + env.Say("because") + env.plain(onLink.Err)
	}
	if id := causeID(err); id != "" {
		return env.Say(id)
	}
	var own spokenError
	if errors.As(err, &own) {
		return own.In(string(env.Lang()))
	}
	return err.Error()
}

// causeID returns the id of the sentence for an error of the system, or "".
func causeID(err error) string {
	for _, c := range []struct {
		err error
		id  string
	}{
		{syscall.ENOSPC, "no-space"},
		{syscall.EROFS, "read-only-disk"},
		{syscall.ELOOP, "link-loop"},
		{syscall.ENAMETOOLONG, "name-too-long"},
		{syscall.EISDIR, "is-folder"},
		{syscall.ENOTDIR, "not-folder"},
		{syscall.EMFILE, "too-many-files"},
		{syscall.EIO, "disk-error"},
		{fs.ErrNotExist, "not-there"},
		{fs.ErrPermission, "not-permitted"},
		{fs.ErrExist, "already-there"},
		{context.Canceled, "cancelled"},
		{context.DeadlineExceeded, "too-late"},
	} {
		if errors.Is(err, c.err) {
			return c.id
		}
	}
	return ""
}

// printError writes err as one line to standard error and, when the caller asked
// for JSON and document is true, as one document to standard output. There is none
// when a report has told of it.
func (env *Env) printError(err error, document bool) {
	line := env.Say("error-line", env.name, oneLine(env.Sentence(err)))
	fmt.Fprintln(env.Err, line)
	if document && err != env.told && (env.Flags.JSON || flagGiven(env.Args, "json")) && fault.CodeOf(err) != codeWriteFailed {
		_ = writeJSON(env.Out, errorDocument{env.errorBody(err)}, false) // its failure cannot be told any better
	}
}

// errorDocument is the JSON form of an error (design/product.md 4).
type errorDocument struct {
	Error errorBody `json:"error"`
}

type errorBody struct {
	Code    string        `json:"code"`
	Message string        `json:"message"`
	Hint    string        `json:"hint,omitempty"`
	Details *errorDetails `json:"details,omitempty"`
}

type errorDetails struct {
	Kind fault.Kind
	Args []any

	names []string // of Args; what has one is a member of its own too
}

// MarshalJSON writes kind, args, and what has a name.
func (d errorDetails) MarshalJSON() ([]byte, error) {
	o := jsonvalue.Of("kind", string(d.Kind))
	args, err := json.Marshal(d.Args)
	if err != nil {
		return nil, err
	}
	list, err := jsonvalue.Parse(args)
	if err != nil {
		return nil, err
	}
	o = o.With("args", list)
	for i, name := range d.names[:min(len(d.names), len(d.Args))] {
		o = o.With(name, list.([]any)[i])
	}
	return []byte(jsonvalue.Format(o)), nil
}

// NameArgs says what the arguments of the faults with a code are called in the
// details of an error document.
func (env *Env) NameArgs(code string, names ...string) {
	if env.argNames == nil {
		env.argNames = map[string][]string{}
	}
	env.argNames[code] = names
}

// ErrorBody is what an error document holds: code, message, hint, details.
func (env *Env) ErrorBody(err error) any { return env.errorBody(err) }

func (env *Env) errorBody(err error) errorBody {
	var known *fault.Error
	if !errors.As(err, &known) {
		return errorBody{Code: string(kindOf(err)), Message: env.Sentence(err)}
	}
	args := make([]any, len(known.Args))
	for i, a := range known.Args {
		args[i] = a
		if e, ok := a.(error); ok {
			args[i] = env.Sentence(e)
		}
	}
	return errorBody{
		Code: known.Code, Message: env.Sentence(err), Hint: env.hint(known),
		Details: &errorDetails{Kind: known.Kind, Args: args, names: env.argNames[known.Code]},
	}
}
