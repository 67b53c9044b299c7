package install

import (
	"bytes"
	"strconv"

	"github.com/dshkit/dshkit/internal/harness"
	"github.com/dshkit/dshkit/internal/harness/jsontext"
	"github.com/dshkit/dshkit/pkg/fault"
)

// hooksFile is a settings file whose "hooks" maps events to lists of groups.
type hooksFile struct {
	data    []byte
	root    *jsontext.Node
	hooks   *jsontext.Node // the object under "hooks", or nil
	style   style
	layout  layout
	program string
	harness harness.Harness
}

// handler is an entry of ours in a hooksFile.
type handler struct {
	EntryRef
	node    *jsontext.Node
	command jsontext.Node
	timeout *jsontext.Member // or nil
}

// openHooks parses a settings file, or says why it is refused.
func (t Target) openHooks(data []byte, program string) (*hooksFile, *fault.Error) {
	f := &hooksFile{data: data, layout: t.layout, program: program, harness: t.Harness}
	refuse := func(code string, offset int, args ...any) *fault.Error {
		line, column := jsontext.Position(data, offset)
		return fault.New(fault.Refused, code, append([]any{t.File, line, column}, args...)...)
	}
	if t.layout.noBOM && bytes.HasPrefix(data, []byte("\xEF\xBB\xBF")) {
		return nil, refuse(codeBOM, 0)
	}
	root, err := t.layout.parse(data)
	if err != nil {
		syntax := err.(*jsontext.SyntaxError) // as Parse promises
		return nil, refuse(codeOf(syntax.Trouble), syntax.Offset)
	}
	if root.Kind != jsontext.Object {
		return nil, refuse(codeNotObject, root.Begin)
	}
	f.root = root
	f.style = styleOf(data, root)
	if twice := firstTwice(root, "hooks"); twice != nil {
		return nil, refuse(codeTwice, twice.Begin, twice.Key)
	}
	hooks := root.Get("hooks")
	if hooks == nil {
		return f, nil
	}
	if f.hooks = &hooks.Value; f.hooks.Kind != jsontext.Object {
		return nil, refuse(codeHooksNotObject, f.hooks.Begin)
	}
	for _, e := range t.layout.events {
		if twice := firstTwice(f.hooks, e.name); twice != nil {
			return nil, refuse(codeTwice, twice.Begin, twice.Key)
		}
		if list := f.hooks.Get(e.name); list != nil && list.Value.Kind != jsontext.Array {
			return nil, refuse(codeEventNotArray, list.Value.Begin, e.name)
		}
	}
	return f, nil
}

// parse reads a settings file as the harness does.
func (l layout) parse(data []byte) (*jsontext.Node, error) {
	if l.comments {
		return jsontext.ParseCommented(data)
	}
	return jsontext.Parse(data)
}

func codeOf(t jsontext.Trouble) string {
	switch t {
	case jsontext.Comment:
		return codeComment
	case jsontext.TrailingComma:
		return codeTrailingComma
	case jsontext.Cut:
		return codeCut
	case jsontext.TooDeep:
		return codeTooDeep
	}
	return codeUnexpected
}

// firstTwice returns the second member of the name key: which one counts is the
// reader's secret, so that neither can be changed safely.
func firstTwice(object *jsontext.Node, key string) *jsontext.Member {
	seen := false
	for i := range object.Members {
		if m := &object.Members[i]; m.Key == key {
			if seen {
				return m
			}
			seen = true
		}
	}
	return nil
}

// ours returns our entries under all events, in the order of the file.
func (f *hooksFile) ours() []handler {
	var all []handler
	if f.hooks == nil {
		return nil
	}
	for i := range f.hooks.Members {
		all = append(all, f.oursIn(f.hooks.Members[i].Key, &f.hooks.Members[i].Value)...)
	}
	return all
}

func (f *hooksFile) oursIn(event string, list *jsontext.Node) []handler {
	var found []handler
	for g := range list.Items {
		if f.layout.shape.flat {
			if h := f.handler(&list.Items[g]); h != nil {
				h.Event, h.Index = event, g
				found = append(found, *h)
			}
			continue
		}
		group := list.Items[g].Get("hooks")
		if group == nil {
			continue
		}
		for i := range group.Value.Items {
			if h := f.handler(&group.Value.Items[i]); h != nil {
				h.Event, h.Index, h.Handler = event, g, i
				found = append(found, *h)
			}
		}
	}
	return found
}

// handler reads an entry, nil when it is not ours.
func (f *hooksFile) handler(node *jsontext.Node) *handler {
	command := node.Get("command")
	if command == nil {
		return nil
	}
	h := &handler{node: node, command: command.Value, timeout: node.Get(f.layout.shape.timeoutKey())}
	if h.Command = command.Value.Text(f.data); !isOurs(h.Command, f.program, f.harness) {
		return nil
	}
	if h.timeout != nil {
		h.Timeout, _ = strconv.Atoi(string(f.data[h.timeout.Value.Begin:h.timeout.Value.End]))
	}
	return h
}

// refs returns where our entries are.
func (f *hooksFile) refs() []EntryRef {
	var refs []EntryRef
	for _, h := range f.ours() {
		refs = append(refs, h.EntryRef)
	}
	return refs
}
