package cordis

import "runtime/debug"

// calm is for how many beats nothing must have started or stopped.
const calm = 5

// tidy gives memory back that plugins which have ended took: the collector of a
// process that has nothing to do would keep it for minutes.
type tidy struct {
	most, last, still int
}

// beat is told how many plugins run.
func (t *tidy) beat(running int) {
	t.most = max(t.most, running)
	if t.still++; running != t.last {
		t.last, t.still = running, 0
	}
	if t.still >= calm && running < t.most {
		t.most = running
		debug.FreeOSMemory()
	}
}
