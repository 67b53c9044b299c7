package fault_test

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"github.com/dshkit/dshkit/pkg/fault"
)

func TestErrorNamesCodeArgumentsAndCause(t *testing.T) {
	for _, row := range []struct {
		err  *fault.Error
		want string
	}{
		{fault.New(fault.Busy, "lock-busy"), "lock-busy"},
		{fault.New(fault.Damaged, "bad-line", "facts.md", 3), "bad-line facts.md 3"},
		{fault.New(fault.Failed, "x", "two words", "第二"), "x two words 第二"},
		{fault.New(fault.Failed, "x", "a\nforged line"), `x "a\nforged line"`},
		{fault.New(fault.Failed, "x", 1).Because(fs.ErrNotExist), "x 1: file does not exist"},
	} {
		if got := row.err.Error(); got != row.want {
			t.Errorf("Error() = %q, want %q", got, row.want)
		}
	}
}

func TestKindAndCode(t *testing.T) {
	inner := fault.New(fault.NotFound, "file-missing", "a").Because(fs.ErrNotExist)
	for name, row := range map[string]struct {
		err  error
		kind fault.Kind
		code string
	}{
		"nil":     {nil, "", ""},
		"foreign": {errors.New("x"), fault.Failed, ""},
		"plain":   {inner, fault.NotFound, "file-missing"},
		"wrapped": {fmt.Errorf("reading: %w", inner), fault.NotFound, "file-missing"},
		"joined":  {errors.Join(errors.New("x"), inner), fault.NotFound, "file-missing"},
		"outer":   {fault.New(fault.Damaged, "bad-store").Because(inner), fault.Damaged, "bad-store"},
	} {
		if kind, code := fault.KindOf(row.err), fault.CodeOf(row.err); kind != row.kind || code != row.code {
			t.Errorf("%s: kind %q, code %q, want %q, %q", name, kind, code, row.kind, row.code)
		}
	}
	if !errors.Is(inner, fs.ErrNotExist) {
		t.Errorf("%v does not match its cause", inner)
	}
}

func TestErrorsOfOneCodeMatch(t *testing.T) {
	busy := fault.New(fault.Busy, "lock-busy")
	if err := fmt.Errorf("x: %w", fault.New(fault.Busy, "lock-busy", "run/lock")); !errors.Is(err, busy) {
		t.Errorf("%v does not match %v", err, busy)
	}
	for _, other := range []error{
		fault.New(fault.Busy, "host-busy"), fault.New(fault.Failed, "lock-busy"), errors.New("lock-busy"),
	} {
		if errors.Is(other, busy) {
			t.Errorf("%v matches %v", other, busy)
		}
	}
}

func TestBecauseLeavesTheOriginalAlone(t *testing.T) {
	shared := fault.New(fault.Busy, "lock-busy")
	if err := shared.Because(fs.ErrClosed); !errors.Is(err, fs.ErrClosed) || shared.Err != nil {
		t.Errorf("Because gave %v and left %v", err, shared)
	}
}
