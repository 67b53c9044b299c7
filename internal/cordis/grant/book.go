package grant

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// version is that of the file.
const version = 1

// Book is the file of grants: by workspace (its real path), a list of texts.
// What this program does not know stays in it and allows nothing.
type Book struct{ root *jsonvalue.Object }

// ParseBook reads the file; nothing is no grant at all.
func ParseBook(data []byte) (*Book, error) {
	if len(data) == 0 {
		return &Book{jsonvalue.Of("version", float64(version))}, nil
	}
	v, err := jsonvalue.Parse(data)
	if err != nil {
		return nil, fault.New(fault.Damaged, codeDamaged).Because(err)
	}
	root, ok := jsonvalue.Map(v)
	if !ok {
		return nil, fault.New(fault.Damaged, codeDamaged).Because(errors.New("not an object"))
	}
	if n, _ := root.Number("version"); n > version {
		return nil, fault.New(fault.Damaged, codeNewer, int(n))
	}
	return checked(root)
}

func checked(root *jsonvalue.Object) (*Book, error) {
	if !root.Has("workspaces") {
		return &Book{root}, nil
	}
	all, ok := root.Map("workspaces")
	if !ok {
		return nil, fault.New(fault.Damaged, codeDamaged).Because(errors.New("workspaces is not an object"))
	}
	for workspace, v := range all.All() {
		if _, ok := v.([]any); !ok {
			return nil, fault.New(fault.Damaged, codeDamaged).Because(errors.New(workspace + " is not a list"))
		}
	}
	return &Book{root}, nil
}

// Format writes the file.
func (b *Book) Format() []byte { return []byte(jsonvalue.FormatIndent(b.root, "  ") + "\n") }

// List is what is granted for a workspace, in the order of Compare.
func (b *Book) List(workspace string) List {
	var l List
	for _, v := range b.texts(workspace) {
		if text, ok := v.(string); ok {
			if g, ok := stored(text); ok {
				l = append(l, g)
			}
		}
	}
	slices.SortFunc(l, Compare)
	return slices.Compact(l)
}

// Allow returns the book with a grant more. added is false if it was there.
func (b *Book) Allow(workspace string, g Grant) (next *Book, added bool) {
	if slices.Contains(b.List(workspace), g) {
		return b, false
	}
	texts := append(slices.Clone(b.texts(workspace)), any(g.Text("")))
	return b.with(workspace, texts), true
}

// Revoke returns the book without a grant.
func (b *Book) Revoke(workspace string, g Grant) (*Book, error) {
	old := b.texts(workspace)
	texts := slices.DeleteFunc(slices.Clone(old), func(v any) bool {
		text, ok := v.(string)
		if !ok {
			return false
		}
		has, ok := stored(text)
		return ok && has == g
	})
	if len(texts) == len(old) {
		return b, fault.New(fault.NotFound, codeNotFound, g.Text(workspace))
	}
	return b.with(workspace, texts), nil
}

func (b *Book) texts(workspace string) []any {
	all, _ := b.root.Map("workspaces")
	texts, _ := all.Array(workspace)
	return texts
}

func (b *Book) with(workspace string, texts []any) *Book {
	all, _ := b.root.Map("workspaces")
	if all == nil {
		all = &jsonvalue.Object{}
	}
	if len(texts) == 0 {
		return &Book{b.root.With("workspaces", all.Without(workspace))}
	}
	return &Book{b.root.With("workspaces", all.With(workspace, texts))}
}

// stored reads a grant of the file.
func stored(text string) (Grant, bool) {
	g, _, err := Parse(text, Folders{})
	if err != nil || (g.Kind == ReadFiles || g.Kind == WriteFiles) && !filepath.IsAbs(strings.TrimPrefix(text, string(g.Kind)+" ")) {
		return Grant{}, false
	}
	return g, true
}
