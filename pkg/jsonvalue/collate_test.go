package jsonvalue_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// placed is a text and its place in ICU's order, which texts that compare alike
// share.
type placed struct {
	text  string
	place int
}

// recordedOrder reads texts in the order that Node gave them. A line that begins
// with = compares like the one before.
func recordedOrder(t testing.TB) []placed {
	t.Helper()
	var order []placed
	place := 0
	for line := range strings.Lines(readCorpus(t, "order.txt")) {
		v, err := jsonvalue.Parse([]byte(line[1:]))
		if err != nil {
			t.Fatal(err)
		}
		if line[0] == '<' {
			place++
		}
		order = append(order, placed{v.(string), place})
	}
	if len(order) < 5000 || len(order)-place < 300 {
		t.Fatalf("%d texts in %d places", len(order), place)
	}
	return order
}

// deviations are pairs that we order otherwise, among those recorded: accents and
// strokes of letters that are otherwise the same, which x/text weighs as Unicode 6.2
// did. It is known, and a change of it is news.
var deviations = map[[2]string]bool{
	{"\uFF9F", "\u0305"}: true,
	{"\u0141", "\u1E3C"}: true,
}

func checkOrder(t *testing.T, a, b placed) {
	t.Helper()
	want := cmp.Compare(a.place, b.place)
	if deviations[[2]string{a.text, b.text}] || deviations[[2]string{b.text, a.text}] {
		want = -want
	}
	if got := jsonvalue.CompareKeys(a.text, b.text); got != want {
		t.Errorf("CompareKeys(%+q, %+q) = %d, want %d", a.text, b.text, got, want)
	}
	if got := jsonvalue.CompareKeys(b.text, a.text); got != -want {
		t.Errorf("CompareKeys(%+q, %+q) = %d, want %d", b.text, a.text, got, -want)
	}
}

// TestRecordedOrder (MN12) compares texts of all scripts with their neighbours,
// which are the hardest to tell apart, and 40,000 pairs of others.
func TestRecordedOrder(t *testing.T) {
	order := recordedOrder(t)
	for i := range order[1:] {
		checkOrder(t, order[i], order[i+1])
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 40_000 {
		checkOrder(t, order[random.IntN(len(order))], order[random.IntN(len(order))])
	}
}

// TestOrderOfHan holds what x/text alone gets wrong: radical and stroke over all
// blocks, wherever an ideograph stands in a text.
func TestOrderOfHan(t *testing.T) {
	for _, list := range []string{"一 㐀 中", "丗 世", "中 丬", "亐 不 与", "丁 𠀀 中", "鿿 龥", "한 あ 一 龥"} {
		texts := strings.Fields(list)
		for _, frame := range []string{"*", "*a", "a*", "key_*", "中*中", "é*", "*\u0301", "🤔*"} {
			framed := make([]string, len(texts))
			for i, text := range texts {
				framed[i] = strings.ReplaceAll(frame, "*", text)
			}
			shuffled := slices.Clone(framed)
			slices.Reverse(shuffled)
			slices.SortStableFunc(shuffled, jsonvalue.CompareKeys)
			if !slices.Equal(shuffled, framed) {
				t.Errorf("sorted %q, want %q", shuffled, framed)
			}
		}
	}
}

// TestASCIIAgreesWithTables compares ASCII without the tables and, behind a letter
// that needs them, with them.
func TestASCIIAgreesWithTables(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	text := func() string {
		b := make([]byte, random.IntN(6))
		for i := range b {
			b[i] = byte(random.IntN(128))
		}
		return string(b)
	}
	for range 20_000 {
		a, b := text(), text()
		if random.IntN(2) == 0 {
			b = strings.ToUpper(a) + b
		}
		fast, slow := jsonvalue.CompareKeys(a, b), jsonvalue.CompareKeys("中"+a, "中"+b)
		if fast != slow {
			t.Errorf("%+q, %+q: %d, behind a letter %d", a, b, fast, slow)
		}
	}
}

// TestOrderByManyGoroutines is for the race detector.
func TestOrderByManyGoroutines(t *testing.T) {
	order := recordedOrder(t)
	var group sync.WaitGroup
	for worker := range 4 {
		group.Go(func() {
			for i := worker; i+1 < len(order); i += 16 {
				checkOrder(t, order[i], order[i+1])
			}
		})
	}
	group.Wait()
}

func BenchmarkCompareKeys(b *testing.B) {
	for _, pair := range [][3]string{
		{"ascii", "maxCharacters", "maxResults"},
		{"instance", "source:default-three-tier:runtime", "source:default-three-tier:documents"},
		{"han", "记忆空间", "记忆来源"},
		{"accents", "résumé", "resumé"},
	} {
		b.Run(pair[0], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				jsonvalue.CompareKeys(pair[1], pair[2])
			}
		})
	}
}

func BenchmarkDigest(b *testing.B) {
	var items []any
	for i := range 200 {
		items = append(items, jsonvalue.Of("instanceKey", "source:x", "typeId", "runtime", "role", "working-context", "available", true, "maxCharacters", float64(i), "scope", jsonvalue.Of("workspace", "w", "branch", "main")))
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := jsonvalue.Digest(items); err != nil {
			b.Fatal(err)
		}
	}
}
