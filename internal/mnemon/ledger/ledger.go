// Package ledger is what happened in a turn, one line an event: which reads were
// dispatched and what they gave, which writes were tried and with which Receipt.
//
// A turn outlives the processes that work on it. The counters of its reads and
// the state of its Strategy's policy follow from the ledger alone, so a later
// process goes on where an earlier one stopped, killed or not. A dispatch is
// written before the Source is asked: what was perhaps dispatched counts.
package ledger

import (
	"bytes"

	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// codeLine is: line %d is no event of a turn.
const codeLine = "ledger-line"

// The events.
const (
	Route    = "route"    // a read was asked for: op, target, input
	Dispatch = "dispatch" // a Source is about to be asked: op, read, target, input, limits
	Evidence = "evidence" // it answered: op, read, value
	Failed   = "failed"   // it, or without a read the operation, failed: op, read, message
	Routed   = "routed"   // the read was answered: op, value
	Action   = "action"   // a write was authorised: op, target, input
	Receipt  = "receipt"  // it was answered: op, value
	End      = "end"      // the turn was released: at
)

// Event is one line. Members that an event does not have are absent.
type Event struct {
	Kind    string
	Op      int    // which operation of the turn, from 1
	Read    int    // which read of the operation, from 1; 0: none
	Target  string // the id of the route or the offer
	Input   any
	Limits  any // of a dispatch that a policy narrowed; nil: none
	Value   any // the Evidence or the Receipt
	Message string
	At      string // an instant, RFC 3339
}

// Format returns the line of an event, with its line end.
func (e Event) Format() []byte {
	o := jsonvalue.Of("event", e.Kind)
	if e.Op > 0 {
		o.Set("op", float64(e.Op))
	}
	if e.Read > 0 {
		o.Set("read", float64(e.Read))
	}
	if e.Target != "" {
		o.Set("target", e.Target)
		o.Set("input", e.Input)
	}
	for _, m := range []struct {
		key   string
		value any
	}{{"limits", e.Limits}, {"value", e.Value}} {
		if m.value != nil {
			o.Set(m.key, m.value)
		}
	}
	for _, m := range [][2]string{{"message", e.Message}, {"at", e.At}} {
		if m[1] != "" {
			o.Set(m[0], m[1])
		}
	}
	return append([]byte(jsonvalue.Format(o)), '\n')
}

// Ledger is the events of a turn as a whole.
type Ledger struct {
	Operations []*Operation // in the order in which they began
	Ended      bool
}

// Operation is one read or write that was asked for.
type Operation struct {
	Number int
	Kind   string // Route or Action
	Target string
	Input  any
	Reads  []*Read // what a read dispatched
	Done   bool
	Value  any    // the Evidence or the Receipt; nil when it failed or was cut off
	Failed string // why it failed
}

// Read is one dispatched read.
type Read struct {
	Target string
	Input  any
	Limits any
	Done   bool
	Value  any    // the Evidence; nil when it failed or was cut off
	Failed string // why it failed
}

// Parse reads a ledger. A line that is no JSON, or that has no end, was cut off by
// a kill or a full disk and counts as never written: what it would have told of
// has not begun. Any other damage is a fault that names the line.
func Parse(data []byte) (*Ledger, error) {
	l := &Ledger{}
	for number := 1; len(data) > 0; number++ {
		line, rest, whole := bytes.Cut(data, []byte("\n"))
		if !whole {
			break
		}
		data = rest
		v, err := jsonvalue.Parse(line)
		if err != nil {
			continue
		}
		if e, ok := eventOf(v); !ok || !l.add(e) {
			return nil, fault.New(fault.Damaged, codeLine, number)
		}
	}
	return l, nil
}

func eventOf(v any) (e Event, ok bool) {
	o, ok := jsonvalue.Map(v)
	if !ok {
		return e, false
	}
	text := func(key string) string {
		s, _ := o.Text(key)
		return s
	}
	number := func(key string) int {
		n, _ := o.Number(key)
		return int(n)
	}
	e = Event{Kind: text("event"), Op: number("op"), Read: number("read"), Target: text("target"), Message: text("message"), At: text("at")}
	e.Input, _ = o.Get("input")
	e.Limits, _ = o.Get("limits")
	e.Value, _ = o.Get("value")
	return e, true
}

// add applies one event and reports whether it fits what came before.
func (l *Ledger) add(e Event) bool {
	switch e.Kind {
	case End:
		l.Ended = true
		return true
	case Route, Action:
		if e.Op != l.Next() || e.Target == "" {
			return false
		}
		l.Operations = append(l.Operations, &Operation{Number: e.Op, Kind: e.Kind, Target: e.Target, Input: e.Input})
		return true
	}
	if e.Op < 1 || e.Op >= l.Next() {
		return false
	}
	return l.Operations[e.Op-1].add(e)
}

func (o *Operation) add(e Event) bool {
	switch e.Kind {
	case Dispatch:
		if e.Read != len(o.Reads)+1 {
			return false
		}
		o.Reads = append(o.Reads, &Read{Target: e.Target, Input: e.Input, Limits: e.Limits})
		return true
	case Routed, Receipt:
		o.Done, o.Value = true, e.Value
		return true
	case Evidence, Failed:
		return o.settle(e)
	}
	return false
}

// settle ends a read, or the operation.
func (o *Operation) settle(e Event) bool {
	if e.Read == 0 && e.Kind == Failed {
		o.Done, o.Failed = true, e.Message
		return true
	}
	if e.Read < 1 || e.Read > len(o.Reads) {
		return false
	}
	r := o.Reads[e.Read-1]
	r.Done, r.Value, r.Failed = true, e.Value, e.Message
	return true
}

// Next returns the number of the next operation.
func (l *Ledger) Next() int { return len(l.Operations) + 1 }

// Calls returns how often each route was dispatched.
func (l *Ledger) Calls() map[string]int {
	calls := map[string]int{}
	for _, o := range l.Operations {
		for _, r := range o.Reads {
			calls[r.Target]++
		}
	}
	return calls
}
