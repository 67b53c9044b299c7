package cordis

import (
	"runtime/debug"
	"runtime/metrics"
)

// calm is for how many beats nothing must have started, stopped or been collected.
const calm = 5

// tidy gives memory back that plugins which have ended took: the collector of a
// process that has nothing to do would keep it for minutes.
type tidy struct {
	most, last, still   int
	collected, lastSeen uint64 // collections after the last tidying, and at the last beat
}

// beat is told how many plugins run. Those that came and went between two beats
// show by the collections that they caused.
func (t *tidy) beat(running int) {
	t.most = max(t.most, running)
	seen := collections()
	if t.still++; running != t.last || seen != t.lastSeen {
		t.last, t.lastSeen, t.still = running, seen, 0
	}
	if t.still >= calm && (running < t.most || seen != t.collected) {
		t.most = running
		debug.FreeOSMemory()
		t.collected = collections()
		t.lastSeen = t.collected
	}
}

// collections is how often the collector has run.
func collections() uint64 {
	sample := []metrics.Sample{{Name: "/gc/cycles/total:gc-cycles"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
