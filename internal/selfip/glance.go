package selfip

import (
	"github.com/dshkit/dshkit/internal/selfip/catalog"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/pkg/filestore"
)

// line returns the line of a row. It is empty when the file has changed under
// the view so much that no line begins there any more.
func (v *view) line(r catalog.Row) string {
	data, ok := v.data[r.Source]
	if !ok {
		data, _ = v.lib.read(Partitions[r.Source].File)
		v.data[r.Source] = data
	}
	end := int(r.Offset) + r.Size
	if end > len(data) {
		return ""
	}
	return string(data[r.Offset:end])
}

// glance is line for those who need a few lines of many: it reads no more than
// them. known says that the line is the one that the row was made from. Whoever
// calls it closes the view.
func (v *view) glance(r catalog.Row) (line string, known bool) {
	if _, ok := v.data[r.Source]; ok {
		return v.line(r), v.scanned[r.Source]
	}
	f := v.open(r.Source)
	if f == nil {
		return v.line(r), false
	}
	b := make([]byte, r.Size)
	if n, _ := f.ReadAt(b, r.Offset); n < len(b) {
		return "", false
	}
	return string(b), true
}

// open returns a partition file as the rows know it, nil when it has changed.
func (v *view) open(partition int) filestore.File {
	if f, ok := v.files[partition]; ok {
		return f
	}
	if v.files == nil {
		v.files = map[int]filestore.File{}
	}
	source := v.catalog.Sources[partition]
	f, info, err := v.lib.dir.OpenFile(source.Name)
	if err == nil && !source.Same(sourceOf(source.Name, info)) {
		_ = f.Close()
		f = nil
	}
	if err != nil {
		f = nil
	}
	v.files[partition] = f
	return f
}

// close closes what glance has opened.
func (v *view) close() {
	for _, f := range v.files {
		if f != nil {
			_ = f.Close()
		}
	}
	v.files = nil
}

// entry returns the entry of a row.
func (v *view) entry(r catalog.Row) entry.Entry {
	e, _ := entry.ParseLine(v.line(r))
	if e.Kind == "" {
		e.Kind = Partitions[r.Source].Kind
	}
	return e
}
