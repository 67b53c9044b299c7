// Package state is logs/state.json of a library: cooldowns, counters and costs
// that outlive a process (spec/selfip.md 3.9). Keys that this version does not
// know keep their place and their value.
package state

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"

	"github.com/dshkit/dshkit/pkg/fault"
)

const (
	codeDamaged = "state-damaged" // it is no JSON object
	codeVersion = "state-version" // it is of version %v, newer than this program
)

// newest is the version of the format that this program writes. The originals
// write none, which is version 1.
const newest = 1

// The counters that this program keeps, by their keys.
const (
	PendingDead  = "pendingDead"
	Evicted      = "evictedEntries"
	Truncations  = "truncations"
	Blocked      = "injectionBlocked"
	Fallbacks    = "fallbackParses"
	Truncated    = "retroTruncated"
	Aborted      = "retroAborted"
	Compacted    = "compacted"
	Rejected     = "compactRejected"
	Skipped      = "recoverySkipped"
	Retros       = "retrosRun"
	SleptAt      = "sleptAt"      // milliseconds since 1970
	CompactedAt  = "compactAtMap" // by file, milliseconds since 1970
	CompactSlot  = "compactSlot"
	CompactNext  = "compactNextMap"   // by file, the entry that a model is shown first
	CompactGrown = "compactGrownMap"  // by file, its length when a model had seen all of it
	CompactLocal = "compactLocalMap"  // by file, true when the last answer was rejected
	LastFallback = "lastFallbackAt"   // a stamp, or null
	LastCall     = "lastCall"         // the last model call, or null
	Cost         = "cost"             // tokens by day and kind, or null
	PrunedAt     = "prunedAt"         // milliseconds since 1970
	PausedUntil  = "modelPausedUntil" // milliseconds since 1970
	SleepTriedAt = "sleepTriedAt"     // of a sleep for which the model failed; milliseconds since 1970
	SleepSeen    = "sleepSeen"        // what the last sleep left behind, as a digest
	SleepNext    = "sleepNext"        // by partition, the entry before which the next sleep goes on
	Sleeps       = "sleepsRun"
)

// order is that in which the originals write their keys.
var order = []string{
	SleptAt, CompactedAt, PendingDead, Rejected, Compacted, CompactSlot, Aborted, Truncated,
	Fallbacks, LastFallback, Evicted, LastCall, Cost,
}

// State is the content of the file. The zero State is that of a new library.
type State struct {
	keys   []string
	values map[string]json.RawMessage
}

// Parse reads the file. The error is a fault of kind Damaged, or of kind Refused
// when the file is of a newer version; the state can then be read, and must not
// be written.
func Parse(data []byte) (State, error) {
	s := State{values: map[string]json.RawMessage{}}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if len(bytes.TrimSpace(data)) == 0 {
		return s, nil
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return s, fault.New(fault.Damaged, codeDamaged).Because(err)
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return s, fault.New(fault.Damaged, codeDamaged).Because(err)
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return s, fault.New(fault.Damaged, codeDamaged).Because(err)
		}
		s.put(key.(string), value)
	}
	if _, err := dec.Token(); err != nil {
		return s, fault.New(fault.Damaged, codeDamaged).Because(err)
	}
	if len(bytes.TrimSpace(data[dec.InputOffset():])) > 0 {
		return s, fault.New(fault.Damaged, codeDamaged)
	}
	if version := s.Int("version"); version > newest {
		return s, fault.New(fault.Refused, codeVersion, version)
	}
	return s, nil
}

// put sets a value in place or at the end. It changes s.
func (s *State) put(key string, value json.RawMessage) {
	if _, known := s.values[key]; !known {
		s.keys = append(s.keys, key)
	}
	s.values[key] = value
}

// Int returns a number, 0 when there is none or it is not finite.
func (s State) Int(key string) int64 {
	var f float64
	if json.Unmarshal(s.values[key], &f) != nil || math.Abs(f) > 1<<53 {
		return 0
	}
	return int64(f)
}

// Decode reads a value into v and reports whether there was one of that form.
func (s State) Decode(key string, v any) bool {
	raw, ok := s.values[key]
	return ok && string(raw) != "null" && json.Unmarshal(raw, v) == nil
}

// Set returns the state with a value. It must be one that JSON can hold.
func (s State) Set(key string, value any) State {
	next := State{keys: slices.Clone(s.keys), values: map[string]json.RawMessage{}}
	for k, v := range s.values {
		next.values[k] = v
	}
	raw, err := json.Marshal(value)
	if err != nil {
		panic("state: " + err.Error()) // a programmer's mistake
	}
	next.put(key, raw)
	return next
}

// Add returns the state with n added to a counter.
func (s State) Add(key string, n int) State { return s.Set(key, s.Int(key)+int64(n)) }

// Format writes the file: the originals' keys in their order, then the others in
// theirs, two blanks of indent, a line end.
func (s State) Format() []byte {
	keys := slices.DeleteFunc(slices.Clone(order), func(k string) bool { _, ok := s.values[k]; return !ok })
	for _, k := range s.keys {
		if !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	var flat bytes.Buffer
	flat.WriteByte('{')
	for i, k := range keys {
		if i > 0 {
			flat.WriteByte(',')
		}
		name, _ := json.Marshal(k)
		flat.Write(name)
		flat.WriteByte(':')
		flat.Write(s.values[k])
	}
	flat.WriteByte('}')
	var out bytes.Buffer
	_ = json.Indent(&out, flat.Bytes(), "", "  ") // it is valid: every value was parsed or marshalled
	out.WriteByte('\n')
	return out.Bytes()
}
