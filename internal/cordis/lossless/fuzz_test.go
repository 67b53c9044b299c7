package lossless_test

import (
	"errors"
	"testing"

	"github.com/dshkit/dshkit/internal/cordis/lossless"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// judge is what the engine itself says of a value: whether JSON loses any of its
// numbers, and its text.
const judge = `(text => {
	const lost = v => typeof v === 'number' ? !isFinite(v) || Object.is(v, -0)
		: v !== null && typeof v === 'object' && Object.values(v).some(lost)
	const value = JSON.parse(text)
	return { value, lost: lost(value), text: JSON.stringify(value) }
})`

// FuzzClone compares copies with what the engine says of the same value.
func FuzzClone(f *testing.F) {
	for _, text := range []string{`{"b":[1,{"a":null}],"2":true,"1":"\ud800"}`, `[-0]`, `{"a":{"b":1e400}}`, `{"__proto__":{"x":1},"toString":[]}`, `[1e21,1e-7,5e-324,[[]]]`, `"\u2028"`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := jsonvalue.Parse([]byte(text)); err != nil || len(text) > 2000 {
			t.Skip() // the engine's own parser is not what is tested
		}
		with(t, judge+"("+jsonvalue.Quote(jsonvalue.WellFormed(text))+")", func(vm *jsrun.VM, v jsrun.Value) {
			o := v.(*jsrun.Object)
			got, err := lossless.Clone(vm, vm.Member(o, "value"), "root")
			lost := vm.Member(o, "lost").ToBoolean()
			var refused *lossless.Error
			switch {
			case lost != errors.As(err, &refused):
				t.Errorf("%s: lost is %v, Clone says %v", text, lost, err)
			case !lost && err != nil:
				t.Errorf("%s: %v", text, err)
			case !lost && jsonvalue.Format(got) != vm.Scalar(vm.Member(o, "text")):
				t.Errorf("%s: copied as %s, the engine says %v", text, jsonvalue.Format(got), vm.Scalar(vm.Member(o, "text")))
			}
		})
	})
}
