package search_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/internal/selfip/search"
	"github.com/dshkit/dshkit/pkg/text"
)

func ids(hits []search.Hit) string {
	var out []string
	for _, h := range hits {
		out = append(out, h.ID)
	}
	return strings.Join(out, " ")
}

func TestRankOrder(t *testing.T) {
	for _, row := range []struct {
		name, query, want string
		notes             []string
	}{
		{"the whole query literally", "clear cache", "2 1", []string{"cache clear, clear the cache of caches", "remember to clear cache after a move of the folder that holds it"}},
		{"words side by side", "billing service timeout", "2 1", []string{"timeout of billing in a far away service", "a timeout in the far billing service"}},
		{"the rare word", "retry quasar", "3 1 2", []string{"retry the call", "retry the build", "quasar"}},
		{"shorter first", "retry", "2 1", []string{"retry budget is five attempts in all", "retry budget"}},
		{"stems", "running tests", "2", []string{"sleep", "run the test"}},
		{"accents", "zurich", "1", []string{"office in Zürich", "office in Bern"}},
		{"one identifier, three spellings", "max-retries", "3 1 2 4", []string{"MAX_RETRIES", "maxRetries", "max-retries", "retry"}},
		{"stop words when there is nothing else", "to be or not to be", "1", []string{"to be, or not", "sleep"}},
		{"stop words else not", "what is the port", "2", []string{"what is the what", "port 80"}},
		{"single characters alone make no hit", "数据库", "", []string{"数学", "据说"}},
		{"number inside a code", "1042", "1", []string{"E1042 is a lock timeout", "E10 is not"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := ids(ask(numbered(row.notes), row.query)); got != row.want {
				t.Errorf("search %q gives %q, want %q", row.query, got, row.want)
			}
		})
	}
}

// TestTies holds that equal matches come by prior, then in the order of files.
func TestTies(t *testing.T) {
	docs := []search.Doc{
		{ID: "a", Text: "same note", Prior: 1},
		{ID: "b", Text: "same note", Prior: 9, Ref: search.Ref{Source: 1}},
		{ID: "c", Text: "same note", Prior: 9, Ref: search.Ref{Source: 1, Offset: 9}},
		{ID: "d", Text: "same note", Prior: 4, Ref: search.Ref{Source: 2}},
	}
	if got := ids(ask(docs, "note")); got != "b c d a" {
		t.Errorf("order %q, want b c d a", got)
	}
}

func TestLimit(t *testing.T) {
	docs := generate(200)
	for limit, want := range map[int]int{-1: 0, 0: 0, 1: 1, 12: 12, 500: 200} {
		got := search.Rank(search.Parse("a 的 the module service 配置 输出 test files interface"), slices.Values(docs), limit)
		if len(got) > want || limit > 0 && len(got) == 0 {
			t.Errorf("limit %d: %d hits", limit, len(got))
		}
	}
	all := search.Rank(search.Parse("seed000001 seed000002"), slices.Values(docs), 1)
	if len(all) != 1 {
		t.Errorf("limit 1: %d hits, want 1", len(all))
	}
}

func TestEmptyQueries(t *testing.T) {
	for query, empty := range map[string]bool{
		"": true, " \t\n": true, "的": true, "的 了": true, "。": true, "a": false, "(((": false, "猫": false, "the": false, "\x00": true,
	} {
		if got := search.Parse(query).Empty(); got != empty {
			t.Errorf("query %q empty: %v, want %v", query, got, empty)
		}
	}
	if got := (search.Query{}).Empty(); !got {
		t.Error("the zero query is not empty")
	}
}

// TestLongQuery asks with a whole document of different words.
func TestLongQuery(t *testing.T) {
	var query strings.Builder
	for _, d := range generate(300) {
		query.WriteString(d.Text + "\n")
	}
	hits := ask(generate(300), query.String())
	if len(hits) != 12 || !slices.ContainsFunc(hits, func(h search.Hit) bool { return h.ID == "0" }) {
		t.Errorf("hits %q, want 12 with the note that the query begins with", ids(hits))
	}
}

func TestShare(t *testing.T) {
	docs := numbered([]string{"wifi password", "password", "guest wi-fi password"})
	got := map[string]float64{}
	for _, h := range ask(docs, "wi-fi password") {
		got[h.ID] = h.Share
	}
	if got["1"] != 1 || got["3"] != 1 || got["2"] <= 0 || got["2"] >= 0.5 {
		t.Errorf("shares %v, want 1 for notes 1 and 3 and less than a half for note 2", got)
	}
}

// TestRankIgnoresOrder holds that the order in which notes are met changes
// nothing but ties.
func TestRankIgnoresOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		docs := slices.Collect(drawFiles(t).docs())
		for i := range docs {
			docs[i].Ref, docs[i].Prior = search.Ref{}, float64(i)
		}
		q := search.Parse(phrases().Draw(t, "query"))
		want := search.Rank(q, slices.Values(docs), len(docs))
		got := search.Rank(q, slices.Values(rapid.Permutation(docs).Draw(t, "order")), len(docs))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("another order, another answer (-want +got):\n%s", diff)
		}
	})
}

// FuzzSearch holds for any note and query: no panic, shares and scores in
// range, a note finds itself, and an index says the same as a scan.
func FuzzSearch(f *testing.F) {
	f.Add("重跑gen-itgc后清零", "itgc")
	f.Add("parseHTTPServer v2.1 C++ ｷｬｯｼｭ", "APIs don't 10,000")
	f.Add("Ａ－ｂ が e\u0301 ĳ", "\xff -. ++ (((")
	f.Fuzz(func(t *testing.T, note, query string) {
		note = text.OneLine(note)
		docs := files{{
			{ID: "note", Text: note, Ref: search.Ref{Size: len(note)}},
			{ID: "other", Text: "another note", Ref: search.Ref{Offset: int64(len(note)) + 1, Size: 12}},
		}}
		for _, s := range []string{query, note} {
			q := search.Parse(s)
			hits := search.Rank(q, docs.docs(), 5)
			checkHits(t, s, hits)
			indexed, err := docs.build(t, []int{0}).Search(q, search.Settings{Limit: 5, Load: docs.load})
			if diff := cmp.Diff(hits, indexed); err != nil || diff != "" {
				t.Fatalf("query %q over %q: error %v (-scan +index):\n%s", s, note, err, diff)
			}
		}
		self := search.Rank(search.Parse(note), docs.docs(), 5)
		if !search.Parse(note).Empty() && (len(self) == 0 || !self[0].Phrase) {
			t.Fatalf("note %q does not find itself: %v", note, self)
		}
	})
}

func checkHits(t *testing.T, query string, hits []search.Hit) {
	for _, h := range hits {
		if !(h.Share >= 0 && h.Share <= 1+1e-9) || !(h.Score >= 0) || !(h.Weight >= 0) {
			t.Fatalf("query %q: hit %+v out of range", query, h)
		}
	}
}

// TestLiteralOverIndex holds that a query of marks alone is answered by an
// index too.
func TestLiteralOverIndex(t *testing.T) {
	f := files{{{ID: "a", Text: "call f((("}, {ID: "b", Text: "call g(", Ref: search.Ref{Offset: 10}}}, {{ID: "c", Text: "(((", Ref: search.Ref{Source: 1}}}}
	hits, err := f.build(t, []int{0}).Search(search.Parse("((("), search.Settings{
		Limit: 5, Load: f.load, Scanned: slices.Values(f[1]),
	})
	if got := ids(hits); err != nil || got != "a c" {
		t.Errorf("hits %q, error %v, want a c", got, err)
	}
}

func TestBuildIsStable(t *testing.T) {
	build := func() []byte {
		raw, err := search.Build([]search.Part{{Docs: slices.Values(generate(300))}})
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	if !bytes.Equal(build(), build()) {
		t.Error("the same notes give different bytes")
	}
}
