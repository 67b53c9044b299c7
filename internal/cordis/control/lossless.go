package control

import (
	"fmt"
	"math"

	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// Lossless is an Optional that arrives as it was sent or not at all: -0, which
// writers of JSON make 0, is refused where it is written and where it is read.
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

func noLoss(v any) error {
	if path, lost := negativeZero(v, "args"); lost {
		return fault.New(fault.Usage, codeLossy, path)
	}
	return nil
}

// negativeZero finds the first -0 and where it is.
func negativeZero(v any, path string) (at string, found bool) {
	switch v := v.(type) {
	case float64:
		return path, v == 0 && math.Signbit(v)
	case []any:
		for i, item := range v {
			if at, found := negativeZero(item, fmt.Sprintf("%s[%d]", path, i)); found {
				return at, true
			}
		}
	case *jsonvalue.Object:
		for key, item := range v.All() {
			if at, found := negativeZero(item, path+"."+key); found {
				return at, true
			}
		}
	}
	return "", false
}
