package control

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// Lossless is an Optional that arrives as it was sent or not at all: -0, which
// writers of JSON make 0, and what is too large for a number are refused where it is written and where it is read.
type Lossless struct{ Optional }

// MarshalJSON writes the value.
func (l Lossless) MarshalJSON() ([]byte, error) {
	if err := noLoss(l.V); err != nil {
		return nil, err
	}
	return l.Optional.MarshalJSON()
}

// UnmarshalJSON reads a value, null too.
func (l *Lossless) UnmarshalJSON(data []byte) error {
	if err := l.Optional.UnmarshalJSON(data); err != nil {
		return err
	}
	return noLoss(l.V)
}

// exact refuses what readers of JSON disagree about or change without a word: a
// number that is too large, and a second member of one name. It names the place.
func exact(raw []byte) error {
	_, err := jsonvalue.ParseExact(raw)
	loss, ok := errors.AsType[*jsonvalue.LossError](err)
	switch {
	case !ok:
		return nil // the decoder says what else is wrong
	case loss.Twice:
		return fault.New(fault.Usage, codeTwice, strings.TrimPrefix(loss.Path, "."))
	}
	return fault.New(fault.Usage, codeNumber, strings.TrimPrefix(loss.Path, "."))
}

func noLoss(v any) error {
	if code, at := lossy(v); code != "" {
		return fault.New(fault.Usage, code, "args"+at)
	}
	return nil
}

// lossy finds the first number that JSON cannot hold: its fault, and where it is.
// The way there is put together only when there is one.
func lossy(v any) (code, at string) {
	switch v := v.(type) {
	case float64:
		return lossyNumber(v), ""
	case []any:
		for i, item := range v {
			if code, at := lossy(item); code != "" {
				return code, fmt.Sprintf("[%d]%s", i, at)
			}
		}
	case *jsonvalue.Object:
		for key, item := range v.All() {
			if code, at := lossy(item); code != "" {
				return code, "." + key + at
			}
		}
	}
	return "", ""
}

func lossyNumber(f float64) (code string) {
	switch {
	case f == 0 && math.Signbit(f):
		return codeLossy
	case math.IsInf(f, 0) || math.IsNaN(f):
		return codeNumber
	}
	return ""
}
