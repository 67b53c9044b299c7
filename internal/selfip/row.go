package selfip

import (
	"strconv"
	"time"

	"github.com/dshkit/dshkit/pkg/text"
)

// jsonRow writes a JSON object on one line. The rows of sessions and of the
// journal are written by nearly every process, once: an encoder that learns
// their type first costs more than the rest of the writing. What it writes is
// what encoding/json writes without the escapes for HTML.
type jsonRow []byte

func newJSONRow() *jsonRow {
	r := append(make(jsonRow, 0, 512), '{')
	return &r
}

// key begins a member.
func (r *jsonRow) key(name string) {
	if last := (*r)[len(*r)-1]; last != '{' && last != '[' {
		*r = append(*r, ',')
	}
	*r = append(append(append(*r, '"'), name...), '"', ':')
}

// text writes a member.
func (r *jsonRow) text(name, value string) {
	r.key(name)
	*r = text.AppendJSON(*r, value)
}

// some writes a member that has a value.
func (r *jsonRow) some(name, value string) {
	if value != "" {
		r.text(name, value)
	}
}

func (r *jsonRow) number(name string, value int) {
	r.key(name)
	*r = strconv.AppendInt(*r, int64(value), 10)
}

func (r *jsonRow) time(name string, value time.Time) {
	r.text(name, value.Format(time.RFC3339Nano))
}

// open begins an object or a list.
func (r *jsonRow) open(bracket byte) {
	if last := (*r)[len(*r)-1]; last == '}' {
		*r = append(*r, ',')
	}
	*r = append(*r, bracket)
}

func (r *jsonRow) close(bracket byte) { *r = append(*r, bracket) }

// end returns the row with a line end.
func (r *jsonRow) end() []byte { return append(*r, '}', '\n') }
