package snapshot_test

import (
	"strings"
	"testing"

	"github.com/dshkit/dshkit/internal/selfip/snapshot"
)

// long is a session with as much in it as the limits allow.
func long() snapshot.Session {
	s := full()
	for range 50 {
		s.Errors = append(s.Errors, snapshot.Error{Time: start, Kind: snapshot.AgentError, Text: strings.Repeat("error 错误 ", 60)})
		s.Talk = append(s.Talk, snapshot.Turn{Time: start, Role: snapshot.User, Text: strings.Repeat("word 字 ", 80)})
	}
	return s
}

func BenchmarkLog(b *testing.B) {
	s := long()
	b.ReportAllocs()
	for b.Loop() {
		s.Log(now)
	}
}

func BenchmarkParse(b *testing.B) {
	log := long().Log(now)
	b.SetBytes(int64(len(log)))
	b.ReportAllocs()
	for b.Loop() {
		snapshot.Parse(log)
	}
}

func BenchmarkStateOf(b *testing.B) {
	log := long().Log(now)
	b.ReportAllocs()
	for b.Loop() {
		snapshot.StateOf(log)
	}
}
