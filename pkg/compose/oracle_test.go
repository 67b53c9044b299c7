package compose_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/dshkit/dshkit/internal/testkit/marks"
	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// scenario is a recorded scenario, its marks made values, with its answers.
type scenario struct {
	settings compose.Settings
	steps    []step
}

type step struct {
	call   *jsonvalue.Object
	answer *jsonvalue.Object
}

func readScenario(t *testing.T, name string) scenario {
	t.Helper()
	played := marks.Decode(readJSON(t, "oracle/mnemon/scenarios/"+name+".json")).(*jsonvalue.Object)
	golden := readJSON(t, "oracle/mnemon/scenarios/"+name+".golden.json").(*jsonvalue.Object)
	steps, _ := played.Array("steps")
	answers, _ := golden.Array("results")
	if len(steps) == 0 || len(steps) != len(answers) {
		t.Fatalf("%s: %d steps, %d answers", name, len(steps), len(answers))
	}
	var s scenario
	runner, _ := played.Map("runner")
	s.settings = settings(runner)
	for i := range steps {
		s.steps = append(s.steps, step{steps[i].(*jsonvalue.Object), answers[i].(*jsonvalue.Object)})
	}
	return s
}

func settings(o *jsonvalue.Object) (s compose.Settings) {
	s.StrategyInstanceKey, _ = o.Text("strategyInstanceKey")
	s.StrategyTypeID, _ = o.Text("strategyTypeId")
	s.StrategyFallback, _ = o.Text("strategyFallback")
	return s
}

func readJSON(t *testing.T, name string) any {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonvalue.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// plain is a value with Go's maps, for comparing whatever the order of members.
// What JSON cannot hold is written as the recordings do.
func plain(t *testing.T, v any) any {
	t.Helper()
	var out any
	if err := json.Unmarshal([]byte(jsonvalue.Format(encoded(v))), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func encoded(v any) any {
	switch v := v.(type) {
	case jsonvalue.Foreign:
		return jsonvalue.Of("$"+string(v.Kind), true)
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = encoded(item)
		}
		return out
	case *jsonvalue.Object:
		out := &jsonvalue.Object{}
		for key, item := range v.All() {
			out.Set(key, encoded(item))
		}
		return out
	}
	return v
}

// foreign stands for something of a kind that JSON cannot hold.
func foreign(kind jsonvalue.Kind) jsonvalue.Foreign { return marks.Foreign(kind) }
