package retro

import "slices"

// Add returns the queue with item at its end, or merged into the row that has
// the same key: one place, the oldest stamp, the highest number of attempts,
// the timer of the row that was there. An item that meets its own row while
// somebody works on it marks that row as renewed, so that Settle keeps it.
//
// A session has one row: its log takes the place of its snapshot. Only two
// snapshots stay beside it: one that was queued after the log, since it tells of
// a session that was resumed, and one that somebody works on, until it is given
// back.
func (q Queue) Add(item Item) Queue {
	next, _ := append(slices.Clip(q), item).merged()
	return next
}

// Drop returns the queue without the rows that have one of the keys, and those
// rows. It asks no owner: a person takes them out.
func (q Queue) Drop(keys []string) (next Queue, dropped []Item) {
	next = make(Queue, 0, len(q))
	for _, item := range q {
		if slices.Contains(keys, item.Key()) {
			dropped = append(dropped, item)
		} else {
			next = append(next, item)
		}
	}
	return next, dropped
}

// merged returns q with one row for each key and session, and how many rows
// went into others. Sessions come first: two rows of a snapshot can stand on
// either side of the log.
func (q Queue) merged() (Queue, int) {
	next := make(Queue, 0, len(q))
	place := make(map[string]int, len(q))
	for _, item := range q.withoutSuperseded() {
		key := item.Key()
		if n, ok := place[key]; ok {
			next[n] = next[n].join(item)
			continue
		}
		place[key] = len(next)
		next = append(next, item)
	}
	return next, len(q) - len(next)
}

// withoutSuperseded puts the log of a session in the place of its snapshot.
func (q Queue) withoutSuperseded() Queue {
	logs := q.logs()
	if len(logs) == 0 {
		return q
	}
	stands := make([]int, len(q)) // which row stands for the one at this place
	for n, item := range q {
		stands[n] = n
		log, ok := logs[item.session()]
		if ok && item.isSnapshot() && item.Claim == "" && !later(item.lastQueued(), q[log].lastQueued()) {
			stands[n] = log
		}
	}
	next := make(Queue, 0, len(q))
	written := make([]bool, len(q))
	for _, n := range stands {
		if !written[n] {
			written[n] = true
			next = append(next, q[n])
		}
	}
	return next
}

// logs finds the last log of every session whose id is known.
func (q Queue) logs() map[string]int {
	var logs map[string]int
	for n, item := range q {
		if id := item.session(); id != "" && item.isLog() {
			if logs == nil {
				logs = make(map[string]int)
			}
			logs[id] = n
		}
	}
	return logs
}

// join merges two rows with the same key; i stands before o in the file.
func (i Item) join(o Item) Item {
	i.T, i.Again = joinStamps(i, o)
	i.Renewed = i.Renewed || o.Renewed || (i.Claim == "") != (o.Claim == "")
	if o.ClaimedAt > i.ClaimedAt {
		i.Claim, i.ClaimedAt = o.Claim, o.ClaimedAt
	}
	if i.LastError == "" || o.LastError != "" && o.LastAttemptAt > i.LastAttemptAt {
		i.LastError = o.LastError
	}
	if later(o.DeadAt, i.DeadAt) {
		i.DeadAt, i.Reason = o.DeadAt, o.Reason
	}
	i.Errors, i.ToolErrors = max(i.Errors, o.Errors), max(i.ToolErrors, o.ToolErrors)
	i.Attempts = max(i.Attempts, o.Attempts)
	i.LastAttemptAt = max(i.LastAttemptAt, o.LastAttemptAt)
	i.Recovered = i.Recovered && o.Recovered
	i.Session = first(i.Session, o.Session)
	i.Harness = first(i.Harness, o.Harness)
	i.Transcript = first(i.Transcript, o.Transcript)
	i.source = joinUnknown(i.source, o.source)
	return i
}

// joinStamps returns when two rows with the same key were queued first and, if
// that was later, last.
func joinStamps(i, o Item) (earliest, latest string) {
	earliest, latest = oldest(i.T, o.T), i.lastQueued()
	if later(o.lastQueued(), latest) {
		latest = o.lastQueued()
	}
	if !later(latest, earliest) {
		latest = ""
	}
	return earliest, latest
}

// joinUnknown returns the source a with the unknown fields of b that a lacks.
func joinUnknown(a, b string) string {
	var own, extra []member
	if a != "" {
		own = members(a)
	}
	if b != "" {
		extra = slices.DeleteFunc(members(b), func(m member) bool {
			return isKnown(m.key) || slices.ContainsFunc(own, func(o member) bool { return o.key == m.key })
		})
	}
	if len(extra) == 0 {
		return a
	}
	var w rowWriter
	for _, m := range append(own, extra...) {
		w.add(m.raw, m.value)
	}
	return w.close()
}

func oldest(a, b string) string {
	if a == "" || later(a, b) {
		return first(b, a)
	}
	return a
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
