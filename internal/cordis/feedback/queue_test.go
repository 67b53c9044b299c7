package feedback_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/internal/cordis/feedback"
	"github.com/dshkit/dshkit/internal/cordis/registry"
)

func steer() feedback.Message {
	return feedback.New(registry.Notice{Topic: registry.TopicRunSucceeded}, "en", noon)
}

func context() feedback.Message {
	return feedback.New(registry.Notice{Topic: registry.TopicUserStopped}, "en", noon)
}

// brief gives messages short: kind, number, and what a counter counts.
func brief(list []feedback.Message) []string {
	out := []string{}
	for _, m := range list {
		text := fmt.Sprintf("%s %d", m.Kind, m.Seq)
		if m.Topic == feedback.TopicDropped {
			text += fmt.Sprintf(" dropped %d", m.Facts.Count)
		}
		out = append(out, text)
	}
	return out
}

func fill(limit int, list ...feedback.Message) feedback.Queue {
	q := feedback.NewQueue(limit, "en")
	for _, m := range list {
		q, _ = q.Add(m)
	}
	return q
}

func equal(t *testing.T, what string, got, want []string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func TestQueue(t *testing.T) {
	q := fill(9, steer(), context(), steer())
	equal(t, "all", brief(q.Messages(feedback.Both)), []string{"steer 1", "context 2", "steer 3"})
	equal(t, "steers", brief(q.Messages(feedback.Steer)), []string{"steer 1", "steer 3"})
	left, taken := q.Drain(feedback.Steer)
	equal(t, "taken", brief(taken), []string{"steer 1", "steer 3"})
	equal(t, "left", brief(left.Messages(feedback.Both)), []string{"context 2"})
	equal(t, "the receiver is as it was", brief(q.Messages(feedback.Both)), []string{"steer 1", "context 2", "steer 3"})
	left, added := left.Add(steer())
	equal(t, "numbers go on", brief([]feedback.Message{added}), []string{"steer 4"})
	if got := left.Len(feedback.Both); got != 2 {
		t.Errorf("%d messages", got)
	}
	if got := feedback.NewQueue(3, "en").Messages(feedback.Both); got == nil || len(got) != 0 {
		t.Errorf("an empty queue has %v", got)
	}
}

// CR-W25: the oldest context goes first, then the oldest steer, and what went is
// counted where it stood.
func TestQueueIsBounded(t *testing.T) {
	q := fill(3, steer(), context(), steer(), context(), steer())
	equal(t, "contexts go first", brief(q.Messages(feedback.Both)), []string{"steer 1", "steer 3", "context 4 dropped 2", "steer 5"})
	q, _ = q.Add(steer())
	equal(t, "then steers", brief(q.Messages(feedback.Both)), []string{"steer 1 dropped 1", "steer 3", "context 4 dropped 2", "steer 5", "steer 6"})
	counter := q.Messages(feedback.Context)[0]
	if facts, ok := feedback.Parse(counter.Text); !ok || facts["count"] != "2" || facts["topic"] != "dropped" {
		t.Errorf("the counter says %q", counter.Text)
	}
	q, _ = q.Drain(feedback.Both)
	q, _ = q.Add(steer())
	equal(t, "after a drain", brief(q.Messages(feedback.Both)), []string{"steer 7"})
}

// Nothing is lost without being counted, the order and the bound hold.
func TestQueueConservation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(1, 6).Draw(t, "limit")
		q := feedback.NewQueue(limit, "zh-CN")
		added, taken := 0, 0
		count := func(list []feedback.Message) (n int) {
			for _, m := range list {
				n += max(1, m.Facts.Count)
			}
			return n
		}
		for range rapid.IntRange(0, 40).Draw(t, "steps") {
			switch rapid.IntRange(0, 4).Draw(t, "step") {
			case 0:
				var out []feedback.Message
				q, out = q.Drain(rapid.SampledFrom([]feedback.Kind{feedback.Steer, feedback.Context, feedback.Both}).Draw(t, "kind"))
				taken += count(out)
			case 1, 2:
				q, _ = q.Add(steer())
				added++
			default:
				q, _ = q.Add(context())
				added++
			}
			all := q.Messages(feedback.Both)
			if count(all)+taken != added || q.Len(feedback.Both) > limit || len(all) > limit+2 {
				t.Fatalf("%d added, %d taken, left %v", added, taken, brief(all))
			}
			for i := 1; i < len(all); i++ {
				if all[i].Seq <= all[i-1].Seq {
					t.Fatalf("out of order: %v", brief(all))
				}
			}
		}
	})
}
