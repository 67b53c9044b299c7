package feedback

import (
	"slices"
	"time"
)

// Queue is what a Session has not read yet, oldest first. Its methods return a new
// Queue and leave the receiver as it was.
type Queue struct {
	limit    int
	language string
	messages []Message
	last     uint64 // the last Seq given
}

// NewQueue holds at most limit messages, and those that count what was dropped.
// The language is that of these.
func NewQueue(limit int, language string) Queue {
	return Queue{limit: max(limit, 1), language: language}
}

// Add puts a message at the end and gives it its Seq. When there is no room, the
// oldest context goes first, then the oldest steer. In the place of those that
// went, of each kind, stands a message of the topic dropped, which counts them.
func (q Queue) Add(m Message) (Queue, Message) {
	q.last++
	m.Seq = q.last
	q.messages = append(slices.Clone(q.messages), m)
	if q.Len(Both) > q.limit {
		q.drop()
	}
	return q, m
}

// drop takes one message out and counts it. The messages are the queue's own.
func (q *Queue) drop() {
	at := slices.IndexFunc(q.messages, func(m Message) bool { return m.Kind == Context && m.Topic != TopicDropped })
	if at < 0 {
		at = slices.IndexFunc(q.messages, func(m Message) bool { return m.Topic != TopicDropped })
	}
	gone := q.messages[at]
	count := Message{Seq: gone.Seq, Kind: gone.Kind, Topic: TopicDropped, At: gone.At, Facts: Facts{Count: 1}}
	q.messages = slices.Delete(q.messages, at, at+1)
	before := slices.IndexFunc(q.messages, func(m Message) bool { return m.Kind == gone.Kind && m.Topic == TopicDropped })
	if before >= 0 {
		count.Facts.Count += q.messages[before].Facts.Count
		q.messages = slices.Delete(q.messages, before, before+1)
	}
	count.Text = count.write(q.language)
	at, _ = slices.BinarySearchFunc(q.messages, count.Seq, func(m Message, seq uint64) int { return int(int64(m.Seq) - int64(seq)) })
	q.messages = slices.Insert(q.messages, at, count)
}

// Newest is when the last message came that still waits; the zero time is none.
func (q Queue) Newest() time.Time {
	if len(q.messages) == 0 {
		return time.Time{}
	}
	return q.messages[len(q.messages)-1].At
}

// Messages are those of a kind, oldest first.
func (q Queue) Messages(k Kind) []Message {
	out := []Message{}
	for _, m := range q.messages {
		if m.is(k) {
			out = append(out, m)
		}
	}
	return out
}

func (m Message) is(k Kind) bool { return k == Both || m.Kind == k }

// Drain takes the messages of a kind out.
func (q Queue) Drain(k Kind) (Queue, []Message) {
	out := q.Messages(k)
	q.messages = slices.DeleteFunc(slices.Clone(q.messages), func(m Message) bool { return m.is(k) })
	return q, out
}

// Len counts the messages of a kind, without those that count what was dropped.
func (q Queue) Len(k Kind) int {
	n := 0
	for _, m := range q.messages {
		if m.is(k) && m.Topic != TopicDropped {
			n++
		}
	}
	return n
}
