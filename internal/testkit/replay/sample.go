// Package replay plays the recorded samples of the cordis reference against our
// own binary: it starts a host for each, acts on it as a model, a harness and a
// person with a page would, and compares what comes of it with the recording.
//
// What our messages say is compared by keys (see Gist), never by words. Where
// ours is meant to do better, Differences says so, step by step.
package replay

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// Sample is a folder with a scenario and the sources that it names.
type Sample struct {
	Name, Dir string
	Config    *jsonvalue.Object
	Steps     []*jsonvalue.Object
}

// Samples finds the samples of a folder, which may be one itself, in the order of
// their names.
func Samples(dir string) (list []Sample, err error) {
	if _, err := os.Stat(filepath.Join(dir, "scenario.json")); err == nil {
		s, err := readSample(dir)
		return []Sample{s}, err
	}
	found, err := filepath.Glob(filepath.Join(dir, "*", "scenario.json"))
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%s: no sample is here", dir)
	}
	slices.Sort(found)
	for _, path := range found {
		s, err := readSample(filepath.Dir(path))
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

func readSample(dir string) (Sample, error) {
	s := Sample{Name: filepath.Base(dir), Dir: dir, Config: jsonvalue.Of()}
	doc, err := readObject(filepath.Join(dir, "scenario.json"))
	if err != nil {
		return s, err
	}
	if config, ok := doc.Map("config"); ok {
		s.Config = config
	}
	steps, _ := doc.Array("steps")
	for i, step := range steps {
		o, ok := jsonvalue.Map(step)
		if !ok {
			return s, fmt.Errorf("%s: step %d is no object", dir, i)
		}
		s.Steps = append(s.Steps, o)
	}
	return s, nil
}

// UsesPage says whether a step of the sample needs a page.
func (s Sample) UsesPage() bool {
	return slices.ContainsFunc(s.Steps, func(step *jsonvalue.Object) bool { return text(step, "do") == "page" })
}

// source is the text of a file of the sample.
func (s Sample) source(name string) (string, error) {
	data, err := os.ReadFile(filepath.Join(s.Dir, name))
	return string(data), err
}

// Recorded is the result of one step.
type Recorded struct {
	Step, Note string
	Result     any
}

// Golden reads what the reference did with a sample.
func Golden(dir, name string) (list []Recorded, err error) {
	doc, err := readObject(filepath.Join(dir, name+".golden.json"))
	if err != nil {
		return nil, err
	}
	steps, _ := doc.Array("steps")
	for _, step := range steps {
		o, _ := jsonvalue.Map(step)
		result, _ := o.Get("result")
		list = append(list, Recorded{text(o, "step"), text(o, "note"), result})
	}
	return list, nil
}

func readObject(path string) (*jsonvalue.Object, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	v, err := jsonvalue.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	o, ok := jsonvalue.Map(v)
	if !ok {
		return nil, fmt.Errorf("%s: no object", path)
	}
	return o, nil
}

// text is a member that is a text, "" when it is none.
func text(o *jsonvalue.Object, key string) string {
	s, _ := o.Text(key)
	return s
}

// or is a text, or another one when it is empty.
func or(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// number is a member that is a number, 0 when it is none.
func number(o *jsonvalue.Object, key string) float64 {
	n, _ := o.Number(key)
	return n
}

// reference follows "$id.member" to an earlier result.
func reference(v any, results map[string]any) any {
	switch v := v.(type) {
	case string:
		if !strings.HasPrefix(v, "$") {
			return v
		}
		found, _ := follow(strings.Split(v[1:], "."), results)
		return found
	case []any:
		list := make([]any, len(v))
		for i, e := range v {
			list[i] = reference(e, results)
		}
		return list
	case *jsonvalue.Object:
		copied := jsonvalue.Of()
		for key, e := range v.All() {
			if v, there := lookup(e, results); there {
				copied.Set(key, v)
			}
		}
		return copied
	}
	return v
}

// lookup is reference for a member: one that refers to nothing is not there.
func lookup(v any, results map[string]any) (any, bool) {
	if s, ok := v.(string); ok && strings.HasPrefix(s, "$") {
		return follow(strings.Split(s[1:], "."), results)
	}
	return reference(v, results), true
}

func follow(path []string, results map[string]any) (at any, there bool) {
	at, there = results[path[0]]
	for _, key := range path[1:] {
		o, _ := jsonvalue.Map(at)
		at, there = o.Get(key)
	}
	return at, there
}
