package selfip

import (
	"github.com/dshkit/dshkit/internal/selfip/catalog"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/pkg/filestore"
)

// fewLines is how many lines of a partition are read one by one. Whoever needs
// more gets them from the whole file.
const fewLines = 64

// line returns the line of a row. It is empty when the file has changed under
// the view so much that no line begins there any more. Whoever calls it closes
// the view.
func (v *view) line(r catalog.Row) string {
	line, _ := v.glance(r)
	return line
}

// glance is line that also tells whether the line is known to be the one that
// the row was made from.
func (v *view) glance(r catalog.Row) (line string, known bool) {
	data, ok := v.data[r.Source]
	f := v.open(r.Source)
	if !ok && f != nil && v.glances[r.Source] < fewLines {
		v.glances[r.Source]++
		b := make([]byte, r.Size)
		n, _ := f.ReadAt(b, r.Offset)
		return string(b[:n]), n == r.Size
	}
	if !ok {
		data, _ = v.lib.read(Partitions[r.Source].File)
		v.data[r.Source] = data
	}
	end := int(r.Offset) + r.Size
	if end > len(data) {
		return "", false
	}
	return string(data[r.Offset:end]), v.scanned[r.Source]
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
