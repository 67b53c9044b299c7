package control

import (
	"runtime"
	"runtime/metrics"
)

// Vitals are what the process of the host takes.
type Vitals struct {
	Goroutines int    `json:"goroutines"`
	Heap       uint64 `json:"heap"`      // bytes that its last collection found in use
	Processes  int    `json:"processes"` // of Host halves, the one that is kept ready included
}

// liveHeap is the name of that figure.
const liveHeap = "/gc/heap/live:bytes"

// vitals looks at this process; processes may be nil.
func vitals(processes func() int) Vitals {
	sample := []metrics.Sample{{Name: liveHeap}}
	metrics.Read(sample)
	v := Vitals{Goroutines: runtime.NumGoroutine()}
	if sample[0].Value.Kind() == metrics.KindUint64 {
		v.Heap = sample[0].Value.Uint64()
	}
	if processes != nil {
		v.Processes = processes()
	}
	return v
}
