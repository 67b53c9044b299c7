package sandbox

import (
	"context"
	"encoding/base64"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// withheldGlobals are what the runtime has beyond plain ECMAScript (6.3).
func withheldGlobals() []string {
	return []string{
		"AbortController", "AbortSignal", "CustomEvent", "DOMException", "Event", "EventTarget", "GoError",
		"clearImmediate", "queueMicrotask", "structuredClone",
	}
}

// The runtime's own timers are still there, for this room: the traps take their
// names.

// trapped are the names that can be called, and say what to do instead (6.4).
func trapped() []string {
	return []string{"require", "setTimeout", "setInterval", "setImmediate", "clearTimeout", "clearInterval", "fetch"}
}

// globals defines the symbols of 6.3.
func (b *box) globals() error {
	for _, name := range trapped() {
		b.global(name, b.function(name, func([]jsrun.Value) (jsrun.Value, error) {
			return nil, b.failure("Error", trapText(name))
		}))
	}
	b.global("console", b.console())
	b.global("harness", b.harness())
	b.global("btoa", b.function("btoa", func(args []jsrun.Value) (jsrun.Value, error) {
		text := wellFormed(b.vm.Text(b.arg(args, 0)))
		return b.vm.FromJSON(base64.StdEncoding.EncodeToString([]byte(text))), nil
	}))
	b.global("atob", b.function("atob", func(args []jsrun.Value) (jsrun.Value, error) {
		return b.vm.FromJSON(lenient(fromBase64(b.vm.Text(b.arg(args, 0))))), nil
	}))
	for _, name := range []string{"TextEncoder", "TextDecoder"} {
		class, err := b.vm.Get(b.js.helpers, name)
		if err != nil {
			return err
		}
		b.global(name, class)
	}
	return nil
}

func (b *box) global(name string, v jsrun.Value) {
	b.js.sure("hide", b.js.sure("globalObject"), b.vm.FromJSON(name), v)
}

// function is a host function that has no use for this. It may keep its
// arguments: the engine's own list lasts for the call only.
func (b *box) function(name string, f func(args []jsrun.Value) (jsrun.Value, error)) jsrun.Value {
	return b.vm.Func(name, func(_ jsrun.Value, args []jsrun.Value) (jsrun.Value, error) { return f(slices.Clone(args)) })
}

func (b *box) arg(args []jsrun.Value, i int) jsrun.Value { return arg(b.vm, args, i) }

// failure is a fresh error of a class of the language.
func (b *box) failure(class, text string) error { return b.vm.Throw(b.vm.NewError(class, text)) }

// console has exactly the five methods of 6.3. The host writes the lines.
func (b *box) console() jsrun.Value {
	o := b.vm.New()
	for _, level := range []string{"log", "info", "warn", "error", "debug"} {
		_ = o.Set(level, b.function(level, func(args []jsrun.Value) (jsrun.Value, error) {
			text, err := b.vm.Apply(b.js.inspect, nil, b.js.sure("array", args...))
			if err != nil {
				return nil, err
			}
			b.log(level, b.vm.Text(text))
			return nil, nil
		}))
	}
	return o
}

// maxLine bounds a line of the log, in bytes.
const maxLine = 64 << 10

// log hands a line to the host. It waits while the host does not take lines.
func (b *box) log(level, text string) {
	if len(text) > maxLine {
		text = jsonvalue.WellFormed(text[:maxLine]) + "…"
	}
	_ = b.peer.Tell(b.ctx, wire.VerbLog, wire.Log{Level: level, Text: text})
}

// lastWords says which limit has ended the runtime, and sees to it that all that
// was said reaches the host.
func (b *box) lastWords(err error) {
	ctx, cancel := context.WithTimeout(context.Background(), b.limits.Sync)
	defer cancel()
	if limit, ok := asLimit(err); ok {
		_ = b.peer.Tell(ctx, wire.VerbLimit, limit)
	}
	_ = b.peer.Flush(ctx)
}

// fromBase64 reads what it can: both alphabets, any spaces, and nothing after
// the first padding. What is no base64 is passed over, as Node does.
func fromBase64(text string) []byte {
	text, _, _ = strings.Cut(text, "=")
	clean := strings.Map(func(r rune) rune {
		switch {
		case r == '-':
			return '+'
		case r == '_':
			return '/'
		case r >= 'A' && r <= 'Z', r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '+', r == '/':
			return r
		}
		return -1
	}, text)
	if len(clean)%4 == 1 {
		clean = clean[:len(clean)-1]
	}
	out, _ := base64.RawStdEncoding.DecodeString(clean)
	return out
}

// wellFormed is a text as UTF-8: lone surrogates become U+FFFD.
func wellFormed(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return string(utf16.Decode(jsonvalue.ToUTF16(text)))
}

// lenient reads bytes as UTF-8; each stretch that could have been a character
// becomes one U+FFFD, as the Encoding Standard has it.
func lenient(text []byte) string {
	if utf8.Valid(text) {
		return string(text)
	}
	var out strings.Builder
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		if r == utf8.RuneError && n == 1 {
			for n < len(text) && n < 3 && !utf8.FullRune(text[:n+1]) {
				n++
			}
		}
		out.WriteRune(r)
		text = text[n:]
	}
	return out.String()
}

// whole is how many bytes end with a whole character.
func whole(text []byte) int {
	for n := 1; n <= 3 && n <= len(text); n++ {
		lead := text[len(text)-n]
		if lead < 0x80 {
			break
		}
		if utf8.RuneStart(lead) {
			if !utf8.FullRune(text[len(text)-n:]) {
				return len(text) - n
			}
			break
		}
	}
	return len(text)
}
