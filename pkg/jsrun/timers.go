package jsrun

import (
	"container/heap"
	"context"
	"time"

	"github.com/dop251/goja"
)

// timers are those of one run. All that is due goes to the queue in the order
// of its time, and what is due at the same time in the order in which it was
// set. Only the owner's goroutine touches them.
type timers struct {
	vm    *VM
	ring  *time.Timer // goes off when the first is due
	queue timerQueue
	live  map[int64]*timer
	last  int64
	seq   int64
}

type timer struct {
	id, seq int64
	due     time.Time
	index   int // in the queue; -1: not in it
	free    bool
	call    Value
	async   any
	ctx     context.Context
}

// instant is a moment of the monotonic clock, to put timers in order. It tells
// no script the time: that comes from Config.Now alone. A deadline is the one
// place where the standard library lends it without asking for the date.
func instant() time.Time {
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	deadline, _ := ctx.Deadline()
	return deadline.Add(-time.Hour)
}

// bell is the channel that says that something is due.
func (t *timers) bell() <-chan time.Time {
	if t.ring == nil {
		return nil
	}
	return t.ring.C
}

// start sets the timer; a delay below zero means the next turn of the queue.
func (t *timers) start(id int64, delay time.Duration, call Value) {
	t.seq++
	one := &timer{id: id, seq: t.seq, call: call, async: t.vm.async, ctx: t.vm.after(), index: -1}
	if old, ok := t.live[id]; ok {
		one.free = old.free
		t.stop(id)
	}
	if t.live == nil {
		t.live = map[int64]*timer{}
	}
	t.live[id] = one
	if delay < 0 {
		t.post(one)
		return
	}
	one.due = instant().Add(delay)
	heap.Push(&t.queue, one)
	if one.index == 0 {
		t.arm(delay)
	}
}

func (t *timers) arm(delay time.Duration) {
	if t.ring == nil {
		t.ring = time.NewTimer(delay)
		return
	}
	t.ring.Reset(delay)
}

// stop forgets the timer.
func (t *timers) stop(id int64) {
	one, ok := t.live[id]
	if !ok {
		return
	}
	delete(t.live, id)
	if one.index >= 0 {
		heap.Remove(&t.queue, one.index)
	}
}

// stopAll is for the end of the run.
func (t *timers) stopAll() {
	if t.ring != nil {
		t.ring.Stop()
	}
	t.queue, t.live = nil, nil
}

// fire hands the queue all that is due.
func (t *timers) fire() {
	now := instant()
	for len(t.queue) > 0 && !t.queue[0].due.After(now) {
		t.post(heap.Pop(&t.queue).(*timer))
	}
	if len(t.queue) > 0 {
		t.arm(t.queue[0].due.Sub(now))
	}
}

func (t *timers) post(one *timer) {
	vm := t.vm
	_ = vm.run.post(&job{ctx: one.ctx, run: func() {
		if t.live[one.id] != one {
			return // stopped, or set again, while it stood in the queue
		}
		delete(t.live, one.id)
		vm.async = one.async
		if _, err := vm.Apply(one.call, nil); err != nil {
			vm.uncaught(err)
		}
	}})
}

// timerQueue is a heap by time, then by age.
type timerQueue []*timer

func (q timerQueue) Len() int { return len(q) }

func (q timerQueue) Less(i, j int) bool {
	if q[i].due.Equal(q[j].due) {
		return q[i].seq < q[j].seq
	}
	return q[i].due.Before(q[j].due)
}

func (q timerQueue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].index, q[j].index = i, j
}

// Push is for package heap.
func (q *timerQueue) Push(x any) {
	one := x.(*timer)
	one.index = len(*q)
	*q = append(*q, one)
}

// Pop is for package heap.
func (q *timerQueue) Pop() any {
	old := *q
	one := old[len(old)-1]
	old[len(old)-1] = nil
	*q = old[:len(old)-1]
	one.index = -1
	return one
}

// timerHost is what the prelude builds setTimeout and the others of.
func (vm *VM) timerHost(native func(name string, f func(call goja.FunctionCall) goja.Value)) {
	t := &vm.timers
	t.vm = vm
	native("newTimer", func(goja.FunctionCall) goja.Value {
		t.last++
		return vm.rt.ToValue(t.last)
	})
	native("startTimer", func(call goja.FunctionCall) goja.Value {
		t.start(call.Argument(0).ToInteger(), time.Duration(call.Argument(1).ToInteger())*time.Millisecond, call.Argument(2))
		return goja.Undefined()
	})
	native("stopTimer", func(call goja.FunctionCall) goja.Value {
		t.stop(call.Argument(0).ToInteger())
		return goja.Undefined()
	})
	native("refTimer", func(call goja.FunctionCall) goja.Value {
		if one, ok := t.live[call.Argument(0).ToInteger()]; ok {
			one.free = !call.Argument(1).ToBoolean()
		}
		return goja.Undefined()
	})
	native("hasRefTimer", func(call goja.FunctionCall) goja.Value {
		one, ok := t.live[call.Argument(0).ToInteger()]
		return vm.rt.ToValue(ok && !one.free)
	})
}
