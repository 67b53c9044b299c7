package cli_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/pkg/text"
)

func TestChart(t *testing.T) {
	for name, c := range map[string]struct {
		chart cli.Chart
		want  string
	}{
		"columns": {
			cli.Chart{Title: "条目", Values: []int{0, 1, 25, 50, 75, 100, 99}, Height: 4, From: "9-1", To: "9-7"},
			"条目\n" +
				"100 |     ##\n" +
				"    |    ###\n" +
				"    |   ####\n" +
				"    | .#####\n" +
				"  0 +-------\n" +
				"     9-1 9-7\n",
		},
		"nothing": {
			cli.Chart{Title: "t", Values: []int{0, 0, 0}, Height: 2, From: "a", To: "b"},
			"t\n0 |\n  |\n0 +---\n   a b\n",
		},
		"sums": {
			cli.Chart{Title: "t", Values: []int{9, 1, 1, 2, 2}, Height: 1, Width: 14, Sum: true, From: "昨天", To: "今天"},
			"t\n10 |#.\n 0 +--\n    昨天 今天\n",
		},
		"last": {
			cli.Chart{Title: "t", Values: []int{9, 1, 1, 2, 2}, Height: 1, Width: 14, From: "a", To: "b"},
			"t\n2 |.#\n0 +--\n   a b\n",
		},
	} {
		got := strings.Join(c.chart.Lines(), "\n") + "\n"
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestChartFits(t *testing.T) {
	for n := range 500 {
		for _, line := range (cli.Chart{Title: "t", Values: make([]int, n+1), Height: 3, Width: 40, From: "2026-01-01", To: "2026-09-15"}).Lines() {
			if text.Width(line) > 40 {
				t.Fatalf("%d values: %q takes %d columns, want at most 40", n+1, line, text.Width(line))
			}
		}
	}
}
