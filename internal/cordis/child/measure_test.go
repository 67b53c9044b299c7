//go:build linux

package child_test

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/child"
)

const small = `
	harness.handle("echo", (args) => args)
	return { name: "small", apply(ctx) { ctx.effect(() => () => {}) } }`

// BenchmarkStart is a half from its text to its first answer.
func BenchmarkStart(b *testing.B) {
	for _, spare := range []bool{false, true} {
		b.Run(fmt.Sprintf("spare=%v", spare), func(b *testing.B) {
			starter := child.NewProcesses(binary(b), spare, with(child.Settings{}))
			defer starter.Close()
			for b.Loop() {
				if spare {
					b.StopTimer()
					starter.Settled()
					b.StartTimer()
				}
				h := running(b, starter, "small", small)
				b.StopTimer()
				_ = h.Close()
				b.StartTimer()
			}
		})
	}
	b.Run("in-process", func(b *testing.B) {
		starter := child.NewInProcess(with(child.Settings{}))
		defer starter.Close()
		for b.Loop() {
			_ = running(b, starter, "small", small).Close()
		}
	})
}

// BenchmarkIdle tells the proportional set size of 200 idle halves.
func BenchmarkIdle(b *testing.B) {
	const halves = 200
	for b.Loop() {
		starter := child.NewProcesses(binary(b), false, with(child.Settings{}))
		for i := range halves {
			running(b, starter, fmt.Sprintf("small-%d", i), small)
		}
		time.Sleep(3 * time.Second) // for the measure: processes rest after a while
		var kib int
		for _, pid := range starter.PIDs() {
			kib += pss(b, pid)
		}
		b.ReportMetric(float64(kib)/1024, "MiB")
		b.ReportMetric(float64(kib)/halves, "KiB/half")
		_ = starter.Close()
	}
}

func pss(t testing.TB, pid int) int {
	f, err := os.Open(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if fields := strings.Fields(lines.Text()); fields[0] == "Pss:" {
			kib, err := strconv.Atoi(fields[1])
			if err != nil {
				t.Fatal(err)
			}
			return kib
		}
	}
	t.Fatalf("no Pss of %d", pid)
	return 0
}
