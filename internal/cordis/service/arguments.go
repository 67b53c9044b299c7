package service

import (
	"math"
	"strings"

	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// arg is an argument; undefined and null are nil, as is one that was not given.
func (c *call) arg(i int) any {
	if i >= len(c.args) {
		return nil
	}
	return absent(c.args[i])
}

func absent(v any) any {
	if _, ok := v.(wire.Undefined); ok {
		return nil
	}
	return v
}

// member is a member of a value, nil when there is none.
func member(v any, name string) any {
	switch v := v.(type) {
	case *jsonvalue.Object:
		m, _ := v.Get(name)
		return absent(m)
	case wire.Object:
		for _, m := range v.Members {
			if m.Name == name && m.Getter == nil {
				return absent(m.Value)
			}
		}
	}
	return nil
}

// The readers below note the first argument that is not what it should be; the
// method returns c.bad before it does anything.

func (c *call) wrong(name, want string) {
	if c.bad == nil {
		c.bad = argumentError(name + " must be " + want)
	}
}

// text is an argument or member that must be a text.
func (c *call) text(v any, name string) string {
	s, ok := v.(string)
	if !ok {
		c.wrong(name, "a string")
	}
	return s
}

// textOr is one that may be missing.
func (c *call) textOr(v any, name, missing string) string {
	if v == nil {
		return missing
	}
	return c.text(v, name)
}

// truthOr is a boolean that may be missing.
func (c *call) truthOr(v any, name string, missing bool) bool {
	if v == nil {
		return missing
	}
	b, ok := v.(bool)
	if !ok {
		c.wrong(name, "a boolean")
	}
	return b
}

// whole is a whole number from 0 to most.
func (c *call) whole(v any, name string, most int64) int64 {
	f, ok := v.(float64)
	if !ok || f != math.Trunc(f) || f < 0 {
		c.wrong(name, "a whole number that is not negative")
		return 0
	}
	return int64(min(f, float64(most)))
}

// number is any finite number, which may be missing.
func (c *call) numberOr(v any, name string, missing float64) float64 {
	if v == nil {
		return missing
	}
	f, ok := v.(float64)
	if !ok || math.IsNaN(f) || math.IsInf(f, 0) {
		c.wrong(name, "a finite number")
	}
	return f
}

// object is an argument that must be an object.
func (c *call) object(v any, name string) any {
	switch v.(type) {
	case *jsonvalue.Object, wire.Object:
		return v
	}
	c.wrong(name, "an object")
	return nil
}

// objectOr is one that may be missing.
func (c *call) objectOr(v any, name string) any {
	if v == nil {
		return nil
	}
	return c.object(v, name)
}

// path is a text that can name a file.
func (c *call) path(v any, name string) string {
	s := c.text(v, name)
	if c.bad == nil && (s == "" || strings.ContainsRune(s, 0)) {
		c.wrong(name, "a path without NUL that is not empty")
	}
	return s
}

// plain says whether a value is JSON, so that it can be handed to somebody else.
func plain(v any) bool {
	switch v := v.(type) {
	case nil, bool, string:
		return true
	case float64:
		return !math.IsNaN(v) && !math.IsInf(v, 0)
	case []any:
		for _, item := range v {
			if !plain(item) {
				return false
			}
		}
		return true
	case *jsonvalue.Object:
		for _, item := range v.All() {
			if !plain(item) {
				return false
			}
		}
		return true
	}
	return false
}
