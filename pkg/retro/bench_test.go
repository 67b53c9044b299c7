package retro_test

import (
	"fmt"
	"testing"

	"github.com/dshkit/dshkit/pkg/retro"
)

func BenchmarkClaim(b *testing.B) {
	for _, rows := range []int{3, 100, 10_000} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			var q retro.Queue
			for n := range rows {
				item := one(fmt.Sprintf("logs/session-2026-09-14T22-00-00-000+08-00-%08d.md", n))
				item.Session = fmt.Sprintf("session-%08d", n)
				q = append(q, item)
			}
			data := q.Format()
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				q, _ := retro.Parse(data)
				q, _, _ = q.Claim(clock, "w1", lim, nil)
				q.Format()
			}
		})
	}
}
