package service

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/dshkit/dshkit/internal/cordis/catalog"
	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/filestore"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// Limits of what is stored for the plugins of one prefix.
const (
	maxKeys  = 1024
	maxKey   = 256
	maxStore = 1 << 20
)

// storage keeps JSON values by key, in one file for each prefix of plugin ids:
// ids begin anew with each host, prefixes stay.
type storage struct {
	dir     *filestore.Dir
	folders []string // that lead there from the workspace
}

func newStorage(settings Settings) *storage {
	state := filepath.Join(settings.Workspace, ".cordis")
	root := filepath.Join(state, "storage")
	options := filestore.Options{Private: []string{"."}, MaxBytes: 2 * maxStore, Confined: true}
	return &storage{filestore.Open(root, options), []string{state, root}}
}

// check refuses a link in the place of the folder: it would come from whoever
// made the workspace.
func (s *storage) check() error {
	for _, folder := range s.folders {
		info, err := os.Lstat(folder)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || !info.IsDir() {
			return &wire.Thrown{Name: "Error", Code: "storage-damaged", Message: fmt.Sprintf("%s is a link or no folder: the user of this workspace has to move it away", filepath.Base(folder))}
		}
	}
	return nil
}

// file is the one of the caller.
func (s *storage) file(c *call) (string, error) {
	if err := s.check(); err != nil {
		return "", err
	}
	prefix := c.caller.PluginID
	if i := strings.LastIndexByte(prefix, '-'); i > 0 {
		prefix = prefix[:i]
	}
	if prefix == "" || strings.ContainsFunc(prefix, func(r rune) bool { return r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z') }) {
		return "", errors.New("the plugin has no id that a file can be named by")
	}
	return prefix + ".json", nil
}

func (c *call) storageKey() string {
	key := c.text(c.arg(0), "key")
	if c.bad == nil && (key == "" || jsonvalue.Len(key) > maxKey) {
		c.wrong("key", "of 1 to 256 characters")
	}
	return key
}

// load is what is stored.
func (s *storage) load(c *call) (*jsonvalue.Object, error) {
	name, err := s.file(c)
	if err != nil {
		return nil, err
	}
	data, err := s.dir.Read(name)
	if errors.Is(err, fs.ErrNotExist) {
		return &jsonvalue.Object{}, nil
	}
	if err != nil {
		return nil, storageError(err)
	}
	return stored(name, data)
}

// stored reads the file of that name.
func stored(name string, data []byte) (*jsonvalue.Object, error) {
	if len(data) == 0 {
		return &jsonvalue.Object{}, nil
	}
	v, err := jsonvalue.Parse(data)
	if o, ok := jsonvalue.Map(v); ok && err == nil {
		return o, nil
	}
	return nil, &wire.Thrown{Name: "Error", Code: "storage-damaged", Message: fmt.Sprintf("%s in .cordis/storage is damaged: the user of this workspace has to mend it, or move it away", name)}
}

func storageError(err error) error {
	if errors.Is(err, filestore.ErrBusy) {
		return &wire.Thrown{Name: "Error", Code: "busy", Message: "what is stored is in use: try again"}
	}
	return err
}

func (s *storage) get(c *call) (any, error) {
	key := c.storageKey()
	if c.bad != nil {
		return nil, c.bad
	}
	o, err := s.load(c)
	if err != nil {
		return nil, err
	}
	if v, ok := o.Get(key); ok {
		return v, nil
	}
	return wire.Undefined{}, nil
}

func (s *storage) keys(c *call) (any, error) {
	o, err := s.load(c)
	if err != nil {
		return nil, err
	}
	return jsonvalue.Texts(o.Keys()), nil
}

func (s *storage) set(c *call) (any, error) {
	key := c.storageKey()
	var value any = wire.Undefined{}
	if len(c.args) > 1 {
		value = c.args[1]
	}
	if c.bad == nil && !plain(value) {
		c.wrong("value", "JSON")
	}
	if c.bad != nil {
		return nil, c.bad
	}
	return wire.Undefined{}, s.update(c, func(o *jsonvalue.Object) (*jsonvalue.Object, error) {
		o = o.With(key, value)
		if o.Len() > maxKeys {
			return nil, &wire.Thrown{Name: "RangeError", Code: "limit", Message: fmt.Sprintf("more than %d keys would be stored: delete some first", maxKeys)}
		}
		return o, nil
	})
}

func (s *storage) remove(c *call) (any, error) {
	key := c.storageKey()
	if c.bad != nil {
		return nil, c.bad
	}
	had := false
	err := s.update(c, func(o *jsonvalue.Object) (*jsonvalue.Object, error) {
		if had = o.Has(key); !had {
			return nil, nil
		}
		return o.Without(key), nil
	})
	return had, err
}

// update changes what is stored, whole or not at all.
func (s *storage) update(c *call, change func(o *jsonvalue.Object) (*jsonvalue.Object, error)) error {
	name, err := s.file(c)
	if err != nil {
		return err
	}
	return storageError(s.dir.Update(c.ctx, name, func(old []byte) ([]byte, error) {
		o, err := stored(name, old)
		if err != nil {
			return nil, err
		}
		next, err := change(o)
		if err != nil || next == nil {
			return nil, err
		}
		text := jsonvalue.FormatIndent(next, "  ") + "\n"
		if len(text) > maxStore {
			return nil, &wire.Thrown{Name: "RangeError", Code: "limit", Message: "more than 1 MiB would be stored"}
		}
		return []byte(text), nil
	}))
}

func (s *storage) table() *table {
	keyDoc := "Of 1 to 256 characters."
	limit := "RangeError, code limit: 1024 keys and 1 MiB can be stored."
	return &table{
		service: catalog.Service{Key: "storage", Description: "JSON values that outlast the plugin and the host, shared by all plugins whose ids have the same prefix. They need no grant."},
		methods: []*method{
			{async: true, run: s.get, Method: catalog.Method{
				Name: "get", Signature: "get(key: string): Promise<JsonValue | undefined>",
				Description: "A stored value.", Parameters: params("key", keyDoc), Returns: "The value; undefined when there is none.",
			}},
			{async: true, run: s.set, Method: catalog.Method{
				Name: "set", Signature: "set(key: string, value: JsonValue): Promise<void>",
				Description: "Stores a value in place of an earlier one.", Parameters: params("key", keyDoc, "value", "Plain JSON."), Throws: []string{limit},
			}},
			{async: true, run: s.remove, Method: catalog.Method{
				Name: "delete", Signature: "delete(key: string): Promise<boolean>",
				Description: "Removes a value.", Parameters: params("key", keyDoc), Returns: "Whether there was one.",
			}},
			{async: true, run: s.keys, Method: catalog.Method{
				Name: "keys", Signature: "keys(): Promise<string[]>",
				Description: "The keys of all stored values.", Returns: "The keys in the order of their first storing, numbers first.",
			}},
		},
	}
}
