package cli

import (
	"runtime"
	"runtime/debug"
)

// late is when the first collection comes, in percent of the least heap, 4 MiB.
const late = 800

// PostponeCollection lets the heap grow to 32 MiB before its first collection, for
// a command that fills it and ends: what it would find is in use. From then on
// the runtime collects as always. A process whose user set GOGC keeps it.
func (e *Env) PostponeCollection() {
	if e.Getenv("GOGC") != "" {
		return
	}
	usual := debug.SetGCPercent(late)
	if usual == late { // postponed already
		return
	}
	first := new([16]byte)
	runtime.AddCleanup(first, func(usual int) { debug.SetGCPercent(usual) }, usual)
}
