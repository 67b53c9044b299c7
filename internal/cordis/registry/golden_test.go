package registry_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/cordis/registry"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

const testdata = "../../../testdata"

// better says where ours differs from what the reference did, and why: the numbers
// are those of spec/cordis.md 22 and 24. A step that does not differ any more fails
// the test.
var better = map[string]map[int]string{
	"17-update-rollback": {
		22: "13: the count of Packages in package mode",
	},
	"20-client-decline": {
		9:  "11: an attempt that was rejected names no request",
		18: "12: an attempt that was not started stays cancelled",
	},
	"24-client-failures": {
		1:  "9, 10, 11: the Host half that was undone reads stopped, the phase is that of the step, no request is named",
		5:  "9, 10, 11",
		9:  "10, 11",
		13: "9, 11",
		17: "10, 11",
		46: "8: the success is told first",
		47: "8: the crash stays",
		48: "8",
	},
	"25-future-approval": {
		18: "24: the request of a failed run is not completed",
	},
	"27-transitions": {
		4:  "1: the stop waits for the start that it cancels",
		5:  "1: so the start comes to nothing",
		6:  "1",
		7:  "1: and undefine finds nothing running",
		10: "2: so does undefine",
		11: "2",
		30: "10: a page that never had the source cannot have applied it",
		34: "9, 10",
		38: "5: a second page joins",
		39: "5: and cannot fail what goes well",
		41: "5: the page that carries it out is heard",
		42: "5",
		43: "5",
		45: "1, 2, 5: no run is announced that was stopped while it started; completed after all",
	},
}

// CR-A16: what the samples that need no plugin code came to with the reference, step
// by step: values with their members in order, events, feedback, mentions. CR-W29:
// without what slipped into its records.
func TestGoldens(t *testing.T) {
	for _, sample := range []string{"17-update-rollback", "18-session-isolation", "20-client-decline", "24-client-failures", "25-future-approval", "26-mention", "27-transitions"} {
		t.Run(sample, func(t *testing.T) {
			replay(t, sample)
		})
	}
}

func load(t *testing.T, path ...string) *jsonvalue.Object {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(append([]string{testdata}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonvalue.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	o, _ := jsonvalue.Map(v)
	return o
}

func replay(t *testing.T, sample string) {
	s := newStage(t, sample)
	recorded, _ := jsonvalue.Array(member(load(t, "oracle", "cordis", "golden", sample+".golden.json"), "steps"))
	steps, _ := jsonvalue.Array(member(load(t, "cordis-samples", sample, "scenario.json"), "steps"))
	at := 0
	for _, step := range steps {
		o, _ := jsonvalue.Map(step)
		got, known := s.do(o)
		silent, _ := jsonvalue.Truth(member(o, "silent"))
		if silent || text(o, "do") == "wait" {
			continue
		}
		record, _ := jsonvalue.Map(recorded[at])
		if known {
			s.compare(at, record, got)
		}
		at++
	}
	if at != len(recorded) {
		t.Errorf("%d steps, %d were recorded", at, len(recorded))
	}
}

func (s *stage) compare(at int, record *jsonvalue.Object, got any) {
	s.t.Helper()
	want := jsonvalue.FormatIndent(golden(member(record, "result")), "  ")
	ours := jsonvalue.FormatIndent(clean(got), "  ")
	why, differs := better[s.sample][at]
	switch same := ours == want; {
	case same && differs:
		s.t.Errorf("step %d, %s: no longer differs (%s)", at, text(record, "step"), why)
	case !same && !differs:
		s.t.Errorf("step %d, %s (%s) (-want +got):\n%s", at, text(record, "step"), text(record, "note"), lines(want, ours))
	case differs:
		s.t.Logf("step %d, %s, better (%s):\n%s", at, text(record, "step"), why, lines(want, ours))
	}
}

func lines(want, got string) string {
	return cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n"))
}

func member(o *jsonvalue.Object, key string) any { v, _ := o.Get(key); return v }

func text(o *jsonvalue.Object, key string) string { t, _ := jsonvalue.Text(member(o, key)); return t }

// golden drops what the reference let slip into its records (CR-W29).
func golden(v any) any {
	return walk(v, func(o *jsonvalue.Object, key string, v any) (any, bool) {
		return v, key != "ok" || !o.Has("phase")
	})
}

var sentences = regexp.MustCompile(`^(?:the user declined|plugin "[^"]*" was stopped before .* (?:was approved|was active on a page)$)`)

// clean gives our records the keys of the goldens.
func clean(v any) any {
	converted, err := jsonvalue.From(v)
	if err != nil {
		panic(err)
	}
	return walk(converted, func(_ *jsonvalue.Object, key string, v any) (any, bool) {
		message, isText := jsonvalue.Text(v)
		switch {
		case key == "stack" && isText:
			return "<present>", true
		case key == "message" && sentences.MatchString(message):
			if message[0] == 't' {
				return "request.declined", true
			}
			return "request.stopped-before-approval", true
		case (key == "host" || key == "client") && isText:
			return fmt.Sprintf("<%d chars>", jsonvalue.Len(message)), true
		}
		return v, true
	})
}

// walk copies a value and lets f change or drop each member.
func walk(v any, f func(o *jsonvalue.Object, key string, v any) (any, bool)) any {
	if list, ok := jsonvalue.Array(v); ok {
		out := make([]any, 0, len(list))
		for _, item := range list {
			out = append(out, walk(item, f))
		}
		return out
	}
	o, ok := jsonvalue.Map(v)
	if !ok {
		return v
	}
	out := jsonvalue.Of()
	for key, item := range o.All() {
		if changed, keep := f(o, key, item); keep {
			out.Set(key, walk(changed, f))
		}
	}
	return out
}

// keys are the goldens' names of our rules.
func key(r *registry.Refusal) string {
	name := map[registry.Rule]string{
		registry.RulePlugin: "plugin-missing({p})", registry.RulePackage: "package-missing({p}/{k})",
		registry.RuleNoCurrent: "mode.no-current", registry.RuleAlreadyCurrent: "mode.already-current",
		registry.RuleDiffers: "mode.differs(current={c})", registry.RuleStarting: "transition.starting",
		registry.RulePending: "transition.pending-request", registry.RulePanelPending: "panel.pending-request({q})",
		registry.RuleNotRunning: "not-running({p})", registry.RuleStaleRun: "run-no-longer-active({r})",
	}[r.Rule]
	if name == "" {
		return r.Error()
	}
	for from, to := range map[string]string{
		"{p}": string(r.PluginID), "{k}": string(r.PackageID), "{c}": string(r.Current), "{q}": string(r.RequestID), "{r}": string(r.RunID),
	} {
		name = regexp.MustCompile(regexp.QuoteMeta(from)).ReplaceAllLiteralString(name, to)
	}
	return name
}

func only(list []any, keep func(*jsonvalue.Object) bool) []any {
	return slices.DeleteFunc(list, func(v any) bool { o, _ := jsonvalue.Map(v); return !keep(o) })
}
