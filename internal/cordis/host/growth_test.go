package host_test

import (
	"fmt"
	"testing"

	"github.com/dshkit/dshkit/internal/cordis/host"
)

// TestManySessions: messages that nobody reads are kept for so many Sessions; those
// of the oldest go.
// CR-W25
func TestManySessions(t *testing.T) {
	b := newBench(t, map[string]*script{"code": {}})
	const sessions = 600
	code := "code"
	for n := range sessions {
		s := b.host.Session(host.SessionID(fmt.Sprintf("S-%d", n)))
		d, err := s.Define(b.ctx, host.DefineOptions{Prefix: "dyn", Name: "name", Purpose: "do a thing", Host: &code})
		if err != nil {
			t.Fatal(err)
		}
		if a, err := b.host.PanelRun(b.ctx, host.RunOptions{Plugin: d.PluginID, Package: d.PackageID, Mode: "run"}); err != nil || !a.OK {
			t.Fatalf("%+v, %v", a, err)
		}
		b.host.PanelRemove(b.ctx, d.PluginID)
	}
	kept := func(n int) bool {
		list, err := b.host.Session(host.SessionID(fmt.Sprintf("S-%d", n))).Feedback(b.ctx, host.FeedbackOptions{Keep: true})
		if err != nil {
			t.Fatal(err)
		}
		return len(list) > 0
	}
	if kept(0) || !kept(sessions-512) || !kept(sessions-1) {
		t.Errorf("the first: %t, the oldest that has room: %t, the last: %t", kept(0), kept(sessions-512), kept(sessions-1))
	}
}
