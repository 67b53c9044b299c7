package replay

import (
	"slices"
	"strings"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// A meaning is a kind of difference that is meant, wherever it comes up: ours does
// better than the reference there (spec/cordis.md 22, 24), or says the same in
// words of its own. What Differences lists is that of single places.
type meaning struct {
	item, why string
	holds     func(m Mismatch, of scene) bool
}

// scene is what was recorded and what came of the same steps.
type scene struct{ want, got []Recorded }

// Unmeant are the mismatches that no meaning explains.
func Unmeant(want, got []Recorded, found []Mismatch) []Mismatch {
	of := scene{want, got}
	return slices.DeleteFunc(found, func(m Mismatch) bool {
		return slices.ContainsFunc(meanings(), func(meant meaning) bool { return meant.holds(m, of) })
	})
}

func meanings() []meaning {
	return slices.Concat(recordMeanings(), messageMeanings(), listMeanings())
}

// recordMeanings are about the states and members of records.
func recordMeanings() []meaning {
	return []meaning{
		{"W29", "a failure record has no stray member", func(m Mismatch, _ scene) bool {
			return ends(m, ".error.ok", "[1].ok") && m.Was == "false" && m.Got == ""
		}},
		{"W10", "the phase is the one that failed", func(m Mismatch, _ scene) bool {
			return ends(m, ".phase") && slices.Contains([]string{`"host-load" "host-apply"`, `"host-apply" "host-load"`, `"client-apply" "client-load"`}, m.Was+" "+m.Got)
		}},
		{"W7", "states are those of now", nowState},
		{"W6", "a failure after waking is recorded", wokenFailure},
		{"W9", "the Host half was unwound with its Client half", func(m Mismatch, of scene) bool {
			return ends(m, ".host.status") && m.Was == `"running"` && m.Got == `"stopped"` &&
				beside(of, Mismatch{Step: m.Step, At: strings.TrimSuffix(m.At, ".status")}, "client.status") == "failed"
		}},
		{"W11", "a request that is settled is named no more", func(m Mismatch, of scene) bool {
			return ends(m, ".approvalRequestId", ".requiresApproval") && m.Got == "" && slices.Contains([]string{"failed", "rejected", "cancelled", "running", "stopped"}, beside(of, m, "status"))
		}},
		{"W12", "a request that never started was cancelled", func(m Mismatch, _ scene) bool {
			return ends(m, ".latestRun.status", ".runtime.status") && m.Was == `"stopped"` && m.Got == `"cancelled"`
		}},
		{"W13", "all packages are counted", func(m Mismatch, _ scene) bool {
			return ends(m, ".plugin.packageCount") && m.Was == "1" && m.Got > "1"
		}},
		{"W14", "the types that signatures name come along", func(m Mismatch, _ scene) bool {
			return ends(m, ".data.referencedTypes") && m.Was == "0"
		}},
	}
}

// nowState: an attempt that parked or woke after its run reads as what it is, and
// what it waits for says the same.
func nowState(m Mismatch, of scene) bool {
	states := []string{`"waiting"`, `"running"`}
	switch {
	case ends(m, ".waitingFor"):
		status := beside(of, m, "status")
		return status == "waiting" && m.Was == "[]" || status == "failed" && m.Got == "[]" || status == "running" && m.Got == "[]"
	case !ends(m, ".state", ".status"), !slices.Contains(states, m.Was), !slices.Contains(states, m.Got):
		return false
	}
	return m.Was != m.Got
}

func wokenFailure(m Mismatch, of scene) bool {
	switch {
	case ends(m, ".state", ".status"):
		return m.Was == `"waiting"` && m.Got == `"failed"`
	case ends(m, ".host.error"):
		return m.Was == "" && beside(of, m, "status") == "failed"
	case ends(m, ".latestRun.error"):
		return m.Was == "" && strings.Contains(m.Got, `"phase":"host-apply"`) && beside(of, m, "host.status") == "failed"
	}
	return false
}

// messageMeanings are about what errors say.
func messageMeanings() []meaning {
	return []meaning{
		{"W20", "the message is the one that was thrown", func(m Mismatch, _ scene) bool {
			return isMessage(m) && m.Was != m.Got && thrownWords(unquoted(m.Was)) == unquoted(m.Got)
		}},
		{"W20", "what is no error has no stack", func(m Mismatch, of scene) bool {
			return ends(m, ".error.stack") && m.Was == `"<present>"` && m.Got == "" && beside(of, m, "message") != ""
		}},
		{"W27", "a class is named as what it is", func(m Mismatch, _ scene) bool {
			return isMessage(m) && m.Was == `"engine.class-called-without-new"` && m.Got == `"host.class"`
		}},
		{"W16", "a handler of a parked plugin says so", func(m Mismatch, _ scene) bool {
			return ends(m, ".message") && m.Was != "" && strings.HasPrefix(m.Got, `"handle.parked(`)
		}},
		{"24", "what the engine says is compared by its kind", func(m Mismatch, _ scene) bool {
			was := engineKind(thrownWords(unquoted(m.Was)))
			return isMessage(m) && was != "" && was == engineKind(unquoted(m.Got))
		}},
		{"19.3", "the place of a syntax error is compared by its line", func(m Mismatch, _ scene) bool {
			return isMessage(m) && sameLine(unquoted(m.Was), unquoted(m.Got))
		}},
		{"W24", "a request that failed did not complete", func(m Mismatch, _ scene) bool {
			return ends(m, "[1].outcome") && m.Was == `"completed"` && m.Got == `"failed"`
		}},
		{"N11", "what render throws is told in our words, with what it threw", func(m Mismatch, _ scene) bool {
			return isMessage(m) && rendered(unquoted(m.Was), unquoted(m.Got))
		}},
		{"10.1, 15.3", "a host offers what it has, with the signatures of its table", func(m Mismatch, of scene) bool {
			return stepOf(of.want, m) == "inspectQuery" && m.Got != "" && m.Got != "[]" && strings.HasPrefix(m.At, ".value.data.") &&
				(ends(m, ".count", ".names", ".methods", ".methodKeys", "].signatures", ".signature") || strings.Contains(m.At, ".methods[") || strings.Contains(m.At, ".signatures["))
		}},
		{"15.3", "what a provider says of itself is in our words, and its results have a schema", func(m Mismatch, _ scene) bool {
			return strings.HasPrefix(m.At, ".value.providers[") && (ends(m, ".description") || strings.Contains(m.At, ".outputSchema."))
		}},
	}
}

// listMeanings are about what is told more, or no more.
func listMeanings() []meaning {
	return []meaning{
		{"W17", "what asynchronous code throws is told, and ends no process", func(m Mismatch, of scene) bool {
			return m.Label == leftOver && m.Got == "" || m.At == "" && stepOf(of.want, m) == "uncaught" && m.Got == "[]"
		}},
		{"W6, W17, W23, W26", "what else is told", toldMore},
		{"6.3", "an object is written as Node writes it", func(m Mismatch, _ scene) bool {
			return ends(m, ".text") && sameLog(unquoted(m.Was), unquoted(m.Got))
		}},
	}
}

// leftOver is the label of the step that recordings end with when an error was
// left that nobody caught.
const leftOver = "process-level failures left over"

// toldMore holds when ours is what was recorded and messages between that the
// reference does not have.
func toldMore(m Mismatch, of scene) bool {
	want, ok := list(m.Was)
	got, ok2 := list(m.Got)
	if !ok || !ok2 || m.At != "" || len(got) <= len(want) {
		return false
	}
	got = slices.DeleteFunc(slices.Clone(got), func(v any) bool {
		return ours(v) && !slices.ContainsFunc(want, func(w any) bool { return jsonvalue.Equal(v, w) })
	})
	again := []Mismatch{}
	if len(got) == len(want) {
		again = Unmeant([]Recorded{{Step: stepOf(of.want, m), Result: want}}, []Recorded{{Result: got}},
			Compare([]Recorded{{Step: stepOf(of.want, m), Result: want}}, []Recorded{{Result: got}}))
	}
	return len(got) == len(want) && len(again) == 0
}

// ours says whether a message or line is one that only ours has.
func ours(v any) bool {
	o, ok := jsonvalue.Map(v)
	if !ok {
		return false
	}
	switch text(o, "topic") {
	case "code-failed":
		return true
	case "run-failed":
		return text(o, "returned") == "running" || text(o, "returned") == "waiting"
	case "user-ran", "user-run-failed":
		return text(o, "how") == "inject"
	}
	return strings.HasPrefix(text(o, "text"), "inject has no required/optional form")
}

func ends(m Mismatch, suffixes ...string) bool {
	return slices.ContainsFunc(suffixes, func(s string) bool { return strings.HasSuffix(m.At, s) })
}

func isMessage(m Mismatch) bool {
	return strings.HasPrefix(m.Was, `"`) && strings.HasPrefix(m.Got, `"`) && ends(m, ".error", ".message")
}

func stepOf(list []Recorded, m Mismatch) string {
	if m.Step >= len(list) {
		return ""
	}
	return list[m.Step].Step
}

func list(s string) ([]any, bool) {
	v, err := jsonvalue.Parse([]byte(s))
	if err != nil {
		return nil, false
	}
	return jsonvalue.Array(v)
}

func unquoted(s string) string {
	v, err := jsonvalue.Parse([]byte(s))
	if err != nil {
		return ""
	}
	s, _ = jsonvalue.Text(v)
	return s
}

// beside is the text at a path from where the member of a mismatch stands, in what
// came out.
func beside(of scene, m Mismatch, path string) string {
	base, _, _ := strings.Cut(m.At+"\x00", m.At[strings.LastIndexByte(m.At, '.'):]+"\x00")
	at, err := steps(base + "." + path)
	if err != nil || m.Step >= len(of.got) {
		return ""
	}
	v := of.got[m.Step].Result
	for _, key := range at {
		switch key := key.(type) {
		case string:
			o, _ := jsonvalue.Map(v)
			v, _ = o.Get(key)
		case int:
			items, _ := jsonvalue.Array(v)
			if key >= len(items) {
				return ""
			}
			v = items[key]
		}
	}
	s, _ := jsonvalue.Text(v)
	return s
}
