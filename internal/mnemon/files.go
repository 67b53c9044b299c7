package mnemon

import (
	"errors"
	"io/fs"

	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/filestore"
)

// codeInFile is the path of a file, before the cause.
const codeInFile = "file-damaged"

// read reads a file of the workspace; a missing one is empty.
func (w *Workspace) read(name string) ([]byte, error) { return readOptional(w.dir, name) }

func readOptional(d *filestore.Dir, name string) ([]byte, error) {
	data, err := d.Read(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// damaged names the file of an error that a parser gave, nil for none.
func (w *Workspace) damaged(name string, err error) error {
	if err == nil {
		return nil
	}
	return inFile(w.dir.Path(name), err)
}

// inFile names the file in an error of the same kind.
func inFile(path string, err error) error {
	kind := fault.Damaged
	var f *fault.Error
	if errors.As(err, &f) {
		kind = f.Kind
	}
	return fault.New(kind, codeInFile, path).Because(err)
}
