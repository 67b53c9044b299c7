package cordis

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/dshkit/dshkit/internal/cordis/grant"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/filestore"
)

// bookName is the file of what the user allowed, for all workspaces.
const bookName = "grants.json"

// own is the user's own folder, which lies outside of every workspace, so that
// what somebody clones brings no grants along.
func (w *Workspace) own() (*filestore.Dir, error) {
	if w.opts.State == "" {
		return nil, fault.New(fault.Failed, codeNoState)
	}
	return filestore.Open(w.opts.State, filestore.Options{Private: []string{"."}, DryRun: w.opts.DryRun}), nil
}

// Grants are what the user allows the plugins of this workspace now.
func (w *Workspace) Grants() (grant.List, error) {
	files, err := w.own()
	if err != nil {
		return nil, err
	}
	data, err := files.Read(bookName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	book, err := grant.ParseBook(data)
	if err != nil {
		return nil, err
	}
	return book.List(w.opts.Root), nil
}

// Allow adds a grant. note says what was granted in place of what was typed, "" when
// that is the same; added is false if it was there.
func (w *Workspace) Allow(ctx context.Context, text string) (g grant.Grant, note string, added bool, err error) {
	g, note, err = w.ParseGrant(text)
	if err != nil {
		return g, "", false, err
	}
	err = w.changeBook(ctx, func(book *grant.Book) (*grant.Book, error) {
		book, added = book.Allow(w.opts.Root, g)
		return book, nil
	})
	return g, note, added, err
}

// Revoke takes a grant back.
func (w *Workspace) Revoke(ctx context.Context, text string) (g grant.Grant, err error) {
	g, _, err = w.ParseGrant(text)
	if err != nil {
		return g, err
	}
	return g, w.changeBook(ctx, func(book *grant.Book) (*grant.Book, error) { return book.Revoke(w.opts.Root, g) })
}

// ParseGrant reads a grant as it is typed in the folder that the user is in.
func (w *Workspace) ParseGrant(text string) (g grant.Grant, note string, err error) {
	never := append([]string{w.place.Dir}, w.private()...)
	return grant.Parse(text, grant.Folders{Workspace: w.opts.Root, Never: never, Real: realPath})
}

func (w *Workspace) changeBook(ctx context.Context, f func(*grant.Book) (*grant.Book, error)) error {
	files, err := w.own()
	if err != nil {
		return err
	}
	return files.Update(ctx, bookName, func(old []byte) ([]byte, error) {
		book, err := grant.ParseBook(old)
		if err != nil {
			return nil, err
		}
		if book, err = f(book); err != nil {
			return nil, err
		}
		return book.Format(), nil
	})
}

// realPath follows the links of a path as far as it exists.
func realPath(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return real, err
	}
	if _, lerr := os.Lstat(path); lerr == nil { // a link to nowhere
		return "", err
	}
	parent := filepath.Dir(path)
	if parent == path {
		return path, nil
	}
	real, err = realPath(parent)
	return filepath.Join(real, filepath.Base(path)), err
}
