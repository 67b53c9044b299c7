package selfip

import (
	"time"

	"github.com/dshkit/dshkit/internal/selfip/entry"
)

// heartbeatDir holds an empty file for each kind of event that a harness has
// sent. Its modification time is that of the last one, for doctor.
const heartbeatDir = "run/heartbeat"

// Beat notes that an event of a harness arrived.
func (m *Memory) Beat(harness, event string) {
	if m.Workspace == nil || harness == "" || event == "" {
		return
	}
	name := heartbeatDir + "/" + sessionKey(harness+"."+event)
	_ = m.Workspace.dir.Touch(name, m.Now()) // it can be lost
}

// Beats returns the last time of each event of a harness, by event.
func (m *Memory) Beats(harness string) map[string]string {
	out := map[string]string{}
	if m.Workspace == nil {
		return out
	}
	zone := m.Now().Location()
	for _, name := range m.Workspace.listed(heartbeatDir, harness+".") {
		info, err := m.Workspace.dir.Stat(heartbeatDir + "/" + name)
		if err == nil {
			out[name[len(harness)+1:]] = entry.Stamp(time.Unix(0, info.ModTime).In(zone))
		}
	}
	return out
}
