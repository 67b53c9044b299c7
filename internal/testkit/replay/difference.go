package replay

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// Difference is one place where ours is meant to be otherwise than what was
// recorded.
type Difference struct {
	Sample string
	Step   int    // in the recording, from 0
	At     string // in the result of the step: .value.host.status, [2].text; "" for all of it
	Was    string // what was recorded there, as JSON, or how that begins and …; "" for nothing
	Want   string // what is to be there, as JSON; "" for nothing
	Item   string // W7 or N1 of spec/cordis.md 22 and 24, or 10.1
	Why    string
}

// Expected is a recording as ours is meant to be: with the differences of its
// sample in their places. One that does not fit the recording is an error, so
// that none is kept longer than it holds.
func Expected(sample string, golden []Recorded, differences []Difference) ([]Recorded, error) {
	list := append([]Recorded{}, golden...)
	for _, d := range differences {
		if d.Sample != sample {
			continue
		}
		if d.Step >= len(list) {
			return nil, fmt.Errorf("%s: a difference is for step %d, of which there are %d", sample, d.Step, len(list))
		}
		result, err := d.apply(list[d.Step].Result)
		if err != nil {
			return nil, fmt.Errorf("%s: step %d %s: %w", sample, d.Step, d.At, err)
		}
		list[d.Step].Result = result
	}
	return list, nil
}

func (d Difference) apply(result any) (any, error) {
	path, err := steps(d.At)
	if err != nil {
		return nil, err
	}
	return d.put(result, path)
}

// steps splits a path into names and places.
func steps(at string) (path []any, err error) {
	for at != "" {
		if rest, ok := strings.CutPrefix(at, "["); ok {
			number, rest, _ := strings.Cut(rest, "]")
			n, err := strconv.Atoi(number)
			if err != nil {
				return nil, err
			}
			path, at = append(path, n), rest
			continue
		}
		end := strings.IndexAny(at[1:], ".[") + 1
		if end == 0 {
			end = len(at)
		}
		path, at = append(path, at[1:end]), at[end:]
	}
	return path, nil
}

// put gives a value with another one at a path.
func (d Difference) put(v any, path []any) (any, error) {
	if len(path) == 0 {
		return d.swap(v, true)
	}
	switch at := path[0].(type) {
	case string:
		o, ok := jsonvalue.Map(v)
		if !ok {
			return nil, fmt.Errorf("there is no object that has %q", at)
		}
		return d.putMember(o, at, path[1:])
	case int:
		list, _ := jsonvalue.Array(v)
		if at >= len(list) {
			return nil, fmt.Errorf("there is no element %d", at)
		}
		inner, err := d.put(list[at], path[1:])
		copied := append([]any{}, list...)
		copied[at] = inner
		return copied, err
	}
	return nil, nil
}

func (d Difference) putMember(o *jsonvalue.Object, name string, rest []any) (any, error) {
	v, there := o.Get(name)
	var inner any
	var err error
	if len(rest) > 0 {
		inner, err = d.put(v, rest)
	} else {
		inner, err = d.swap(v, there)
	}
	if err != nil {
		return nil, err
	}
	copied := jsonvalue.Of()
	for key, e := range o.All() {
		if key != name {
			copied.Set(key, e)
		}
	}
	if len(rest) > 0 || d.Want != "" {
		copied.Set(name, inner)
	}
	return copied, nil
}

// swap gives what is wanted in the place of what was recorded.
func (d Difference) swap(v any, there bool) (any, error) {
	was := ""
	if there {
		was = jsonvalue.Format(v)
	}
	if beginning, long := strings.CutSuffix(d.Was, "…"); was != d.Was && !(long && strings.HasPrefix(was, beginning)) {
		return nil, fmt.Errorf("the difference is from %s, but %s was recorded", or(d.Was, "nothing"), or(was, "nothing"))
	}
	if d.Want == "" {
		return nil, nil
	}
	return jsonvalue.Parse([]byte(d.Want))
}
