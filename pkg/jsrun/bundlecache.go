package jsrun

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/dop251/goja"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/parser"
)

// current returns the bundle of a file: the one of last time, the one in the
// cache, or a new one. The first two are believed only when all files that
// decided them have the same bytes again.
func (m *Modules) current(file string, last *bundle) (*bundle, error) {
	if last != nil {
		if key, _ := m.hash(last.record, nil); key == last.key {
			return last, nil
		}
	}
	if b := m.cached(file); b != nil {
		return b, nil
	}
	made, err := m.build(file)
	if err != nil {
		return nil, err
	}
	b := &bundle{record: made.record, compile: made.compile(file)}
	b.key, b.digest = m.hash(made.record, made.sums)
	m.keep(b, made)
	return b, nil
}

// compile returns what parses the text, on first need and once for all runs.
func (b *built) compile(file string) func() (*Program, error) {
	return sync.OnceValues(func() (*Program, error) { return compileBundle(file, b.text, b.mapping) })
}

// cached returns what the cache has of a file as it is now, or nil.
func (m *Modules) cached(file string) *bundle {
	if m.config.Cache == nil {
		return nil
	}
	index, ok := m.config.Cache.Get(m.indexKey(file))
	if !ok {
		return nil
	}
	r := &record{}
	if json.Unmarshal(index, r) != nil || r.Entry != file {
		return nil
	}
	b := &bundle{record: r}
	b.key, b.digest = m.hash(r, nil)
	text, ok := m.config.Cache.Get(b.key + ".js")
	if !ok {
		return nil
	}
	mapping, ok := m.config.Cache.Get(b.key + ".map")
	if !ok {
		return nil
	}
	b.compile = sync.OnceValues(func() (*Program, error) {
		if p, err := compileBundle(file, text, mapping); err == nil {
			return p, nil
		}
		made, err := m.build(file) // whatever the cache gave, it was not this
		if err != nil {
			return nil, err
		}
		return compileBundle(file, made.text, made.mapping)
	})
	return b
}

// keep puts a bundle into the cache. A cache that takes nothing costs time only.
// The index comes last: it never names what is not there yet.
func (m *Modules) keep(b *bundle, made *built) {
	if m.config.Cache == nil {
		return
	}
	index, err := json.Marshal(b.record)
	if err != nil {
		return
	}
	_ = errors.Join(
		m.config.Cache.Put(b.key+".js", made.text),
		m.config.Cache.Put(b.key+".map", made.mapping),
		m.config.Cache.Put(m.indexKey(b.record.Entry), index),
	)
}

func (m *Modules) indexKey(file string) string {
	return digestOf(m.switches(file)) + ".index"
}

// compileBundle parses the text of a bundle. The map is served from memory: the
// parser's own way would read what a comment in the text names from the disk.
func compileBundle(name string, text, mapping []byte) (*Program, error) {
	source := string(text) + "\n//# sourceMappingURL=bundle.map\n"
	serve := parser.WithSourceMapLoader(func(string) ([]byte, error) { return mapping, nil })
	tree, err := goja.Parse(escaped(name), source, serve)
	if err != nil {
		return nil, refusedByEngine(name, err)
	}
	spareFolding(tree, source)
	code, err := goja.CompileAST(tree, false)
	if err != nil {
		return nil, refusedByEngine(name, err)
	}
	return &Program{code: code}, nil
}

// refusedByEngine is for what esbuild lets pass and the engine does not, such as
// a broken pattern. The position is that of the author's text.
func refusedByEngine(name string, err error) error {
	place, text := name, err.Error()
	var syntax *goja.CompilerSyntaxError
	var list parser.ErrorList
	switch {
	case errors.As(err, &syntax) && syntax.File != nil:
		place, text = position(syntax.File.Position(syntax.Offset)), syntax.Message
	case errors.As(err, &list) && len(list) > 0:
		place, text = position(list[0].Position), list[0].Message
	}
	return &Error{Name: "SyntaxError", Message: place + ": " + text, Cause: err}
}

func position(p file.Position) string {
	return fmt.Sprintf("%s:%d", unescaped(p.Filename), p.Line)
}
