package learn_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/selfip/learn"
	"github.com/dshkit/dshkit/pkg/transcript"
)

// TestComplaints: what a person disliked about a reply is the strongest evidence
// there is (spec/selfip.md 24.5): a lesson in their words, before all others.
func TestComplaints(t *testing.T) {
	bad := func(said, about string) transcript.Record {
		return transcript.Record{Kind: transcript.Feedback, Text: said, Input: about}
	}
	for _, row := range []struct {
		name, language string
		said           []transcript.Record
		lessons, facts []string
	}{
		{"with the reply", "en", []transcript.Record{bad("the tests were not run", "Done, all green.")}, []string{`the user did not like the reply "Done, all green." -> the user: "the tests were not run"`}, nil},
		{"without it", "en", []transcript.Record{bad("the tests were not run", "")}, []string{`the user did not like a reply -> the user: "the tests were not run"`}, nil},
		{"in Chinese", "zh-CN", []transcript.Record{bad("太长了，我只要一句话", "好的，下面详细说明")}, []string{`用户不满意这次回复「好的，下面详细说明」 -> 用户说「太长了，我只要一句话」`}, nil},
		{"a rule is a rule already", "en", []transcript.Record{bad("never commit .env.test", "Committed.")}, nil, []string{"never commit .env.test"}},
		{"praise teaches nothing", "en", []transcript.Record{{Kind: transcript.Feedback, Text: "short and to the point", Good: true}}, nil, nil},
		{"a sigh tells nothing", "en", []transcript.Record{bad("bad", "Done.")}, nil, nil},
		{"the last two", "en", []transcript.Record{bad("the first was wrong", ""), bad("the second was wrong", ""), bad("the third was wrong", "")}, []string{
			`the user did not like a reply -> the user: "the third was wrong"`, `the user did not like a reply -> the user: "the second was wrong"`,
		}, nil},
		{"a secret is nobody's lesson", "en", []transcript.Record{bad("you printed password: Fake#Passw0rd!!", "")}, nil, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := engine(row.language, row.said).Conclude(nil)
			if diff := cmp.Diff(row.lessons, said(got.Lessons)); diff != "" {
				t.Errorf("lessons %s", diff)
			}
			if diff := cmp.Diff(row.facts, said(got.Facts)); diff != "" {
				t.Errorf("facts %s", diff)
			}
			for _, c := range got.Lessons {
				if c.Importance != 9 || c.Source != "user" || len(c.Evidence) != 1 || c.Evidence[0].Kind != transcript.Feedback {
					t.Errorf("%+v, want the weight and the evidence of the user's word", c)
				}
			}
		})
	}
}

func said(list []learn.Conclusion) (out []string) {
	for _, c := range list {
		out = append(out, c.Text)
	}
	return out
}
