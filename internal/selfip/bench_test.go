package selfip_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/exchange"
)

// stocked is a workspace with n entries in its four partitions.
func stocked(b *testing.B, n int) *room {
	b.Helper()
	r := newRoom(b)
	var lines []exchange.Line
	kinds := []entry.Kind{entry.Fact, entry.Lesson, entry.Resource, entry.Method}
	for i := range n {
		lines = append(lines, exchange.Line{
			Time: entry.Stamp(clock.AddDate(0, 0, -i%400)), Kind: kinds[i%len(kinds)], Importance: i%10 + 1,
			Text: fmt.Sprintf("note%05dq about the %s, %s", i, strings.Fields("parser gateway ledger cache 部署 worker")[i%6], filler),
		})
	}
	if _, err := r.own().Import(b.Context(), lines); err != nil {
		b.Fatal(err)
	}
	r.own().Search("parser", 5) // makes the index
	return r
}

// BenchmarkUses measures what a process does for each use of a library, without
// its start.
func BenchmarkUses(b *testing.B) {
	for _, n := range []int{1000, 10_000} {
		r := stocked(b, n)
		run := func(name string, f func(i int)) {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				for i := 0; b.Loop(); i++ {
					f(i)
				}
			})
		}
		run("start", func(i int) { r.own().StartText(fmt.Sprint("s", i), selfip.Startup) })
		run("prompt", func(i int) {
			m := r.own()
			m.Quick = true
			m.PromptText("s0", fmt.Sprintf("why does note%05dq say that of the gateway?", i%n))
		})
		run("remember", func(i int) { r.tool(r.own(), fact(fmt.Sprintf("another%05dq: %s", i, filler))) })
		run("search", func(i int) { r.own().Search(fmt.Sprintf("note%05dq gateway", i%n), 10) })
		run("count", func(int) {
			m := r.own()
			if err := m.CountUses(b.Context(), m.Search("ledger cache", 5)); err != nil {
				b.Fatal(err)
			}
		})
	}
}
