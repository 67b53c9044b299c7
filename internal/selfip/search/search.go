// Package search finds notes by their words: English, Chinese, Japanese and
// Korean prose and the identifiers of code, in short notes and long ones.
//
// It works in two steps. The first walks the terms of the query, over documents
// that it is handed (Rank) or over an index (Index.Search), and keeps the best
// by BM25. The second looks at the texts of those few: whether the query
// stands there literally, which of its words stand side by side, which single
// characters it shares. Both ways use the same statistics, so an index together
// with a scan of what changed since gives the same answer as a scan of all.
//
// The package opens nothing: an index is bytes behind an io.ReaderAt and the
// text of a candidate comes from the caller. An index is a throw-away: any
// damage is an error, never a panic and never a wrong text, and the caller
// builds it again. Why it ranks as it does stands in
// docs/adr/0002-search-ranking.md.
package search

// Ref says where a document stands.
type Ref struct {
	Source int   // number of its file in the caller's list
	Offset int64 // bytes from the start of the file
	Size   int   // bytes
}

// Doc is one note.
type Doc struct {
	Ref
	ID    string
	Text  string
	Prior float64 // decides between equal matches: the higher one first
}

// Hit is a note that was found. Hits come best first.
type Hit struct {
	Doc
	Score  float64 // what a reader is shown (spec/selfip.md 13.2), two decimals
	Weight float64 // what decides the order among hits alike in Phrase
	Share  float64 // part of the weight of the query's words that the note has, 0 to 1
	Phrase bool    // the query stands in the note literally, but for case and width
}

// shortlist is how many candidates more than asked for get the second look.
const shortlist = 20
