package search

import "io"

// Move tells an index how one of its files has changed.
type Move struct {
	Source int    // its place in Sources
	Now    Source // as it is now; the name stays

	// To returns where the document stands now that stood at an offset, with the
	// same text, and how long its line is. False: it is gone. Nil: all stand
	// where they stood.
	To func(offset int64, size int) (now int64, length int, ok bool)
}

// Move brings the index on disk up to date with files that have changed in a
// known way, in place: documents that moved, or went. w writes to the file that
// the index was opened from. Nobody else may change it meanwhile; who reads it
// has to check what stands at the places that it names. Killed in between, it
// leaves an index that does not know its files any more. Weights still count
// the documents that went.
func (ix *Index) Move(w io.WriterAt, moves []Move) error {
	for _, m := range moves {
		if err := ix.moveDocs(w, m); err != nil {
			return err
		}
		m.Now.Name = ix.sources[m.Source].Name
		ix.sources[m.Source] = m.Now
	}
	var sources []byte
	for i, s := range ix.sources {
		sources = appendSource(sources, s, ix.spans[i])
	}
	_, err := w.WriteAt(append(ix.head.append(nil, sources), sources...), 0)
	return err
}

func (ix *Index) moveDocs(w io.WriterAt, m Move) error {
	docs := &ix.spans[m.Source]
	at := ix.head.docsAt() + docSize*int64(docs.from)
	b := make([]byte, docSize*int(docs.to-docs.from))
	if m.To == nil || len(b) == 0 {
		return nil
	}
	if err := readFull(ix.r, b, at); err != nil {
		return err
	}
	docs.gone = 0
	for rest := b; len(rest) > 0; rest = rest[docSize:] {
		offset, size := readDoc(rest)
		ok := offset != goneAt
		if ok {
			offset, size, ok = m.To(offset, size)
		}
		if !ok {
			offset = goneAt
			docs.gone++
		}
		appendDoc(rest[:0], offset, size)
	}
	_, err := w.WriteAt(b, at)
	return err
}
