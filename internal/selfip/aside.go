package selfip

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"path"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/gate"
	"github.com/dshkit/dshkit/internal/selfip/quarantine"
	"github.com/dshkit/dshkit/pkg/filestore"
)

// putAside writes a text that a detector fired on into quarantine and returns
// the name of its file.
func (l *Library) putAside(ctx context.Context, now time.Time, v gate.Verdict, source string) (name string, err error) {
	err = l.dir.With(ctx, func(tx *filestore.Tx) error {
		if err := l.furnish(tx); err != nil {
			return err
		}
		name, err = writeAside(tx, now, v, source)
		return err
	})
	return name, err
}

// aside is putAside inside a change.
func (c *change) aside(v gate.Verdict, source string) (string, error) {
	return writeAside(c.tx, c.now, v, source)
}

// writeAside takes the first free number: two texts of one instant must not
// overwrite each other (spec/selfip.md 29, W50). The same text is put aside once.
func writeAside(tx *filestore.Tx, now time.Time, v gate.Verdict, source string) (string, error) {
	if source == "" {
		source = "unknown"
	}
	for n := 1; ; n++ {
		base, whole := quarantine.Name(now, n), ""
		if quarantine.Exceeds(v.Text) {
			whole = quarantine.WholeName(base)
		}
		name := path.Join(quarantineDir, base)
		content := []byte(quarantine.Format(now, v.Text, v.Poison.Pattern, source, whole))
		err := tx.Create(name, content)
		if errors.Is(err, fs.ErrExist) {
			if old, err := tx.Read(name); err == nil && bytes.Equal(old, content) {
				return name, nil
			}
			continue
		}
		if err == nil && whole != "" {
			err = tx.Replace(path.Join(quarantineDir, whole), []byte(v.Text+"\n"))
		}
		return name, err
	}
}
