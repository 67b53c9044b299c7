// Package exchange holds the forms in which memory comes in from elsewhere and
// goes out: our own JSON lines, Markdown, and what other tools export
// (docs/formats/exchange.md). Text in, lines out: nothing here opens a file, and
// nothing that it reads is believed beyond what a stranger may say.
package exchange

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/text"
)

// Line is one entry in the exchange format: one JSON object a line
// (docs/formats/exchange.md). Text is required; what is missing else is filled
// in as for a new entry. Unknown members are passed over.
type Line struct {
	ID         ID         `json:"id,omitempty"`
	Time       string     `json:"t,omitempty"`
	Kind       entry.Kind `json:"kind,omitempty"`
	Text       string     `json:"text"`
	Importance int        `json:"importance,omitempty"`
	Source     string     `json:"source,omitempty"`
	Uses       int        `json:"uses,omitempty"`
	TTL        int        `json:"ttl,omitempty"`
	Verified   string     `json:"verified,omitempty"`
	Invalid    string     `json:"invalid,omitempty"`
	Library    string     `json:"library,omitempty"` // workspace or global; written, not read

	Number   int  `json:"-"` // of the line in the input, from 1; 0 when it was not read from one
	Exported bool `json:"-"` // it stands in the block that an export put into the file
	Blocked  bool `json:"-"` // a detector fires on it: no agent may be shown it; told by an export
}

// ID is an identity in the exchange format, where it may be a string or a
// number.
type ID string

// UnmarshalJSON accepts a string or a number.
func (id *ID) UnmarshalJSON(data []byte) error {
	if data[0] == '"' {
		return json.Unmarshal(data, (*string)(id))
	}
	var n json.Number
	if json.Unmarshal(data, &n) != nil {
		return fault.New(fault.Usage, codeBadMember, "id")
	}
	*id = ID(n.String())
	return nil
}

// Read reads the exchange format. The first line that cannot be read is a
// fault of kind Usage that names it; name is what the lines come from.
func Read(name string, r io.Reader) ([]Line, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	if mark, _ := in.Peek(3); string(mark) == "\ufeff" {
		_, _ = in.Discard(3)
	}
	var lines []Line
	for number := 1; ; number++ {
		row, err := readRow(in)
		if fault.CodeOf(err) == codeLongRow {
			return nil, fault.New(fault.Usage, codeBadImport, name, number).Because(err)
		}
		if err != nil && err != io.EOF {
			return nil, fault.New(fault.Failed, codeReadInput, name).Because(err)
		}
		if len(bytes.TrimSpace(row)) > 0 {
			line, err := readLine(row)
			if err != nil {
				return nil, fault.New(fault.Usage, codeBadImport, name, number).Because(err)
			}
			line.Number = number
			if err := line.CheckText(name); err != nil {
				return nil, err
			}
			lines = append(lines, line)
		}
		if err == io.EOF {
			return lines, nil
		}
	}
}

// Bounds of one entry that comes in: of its line, in bytes, and of its text, in UTF-16
// code units. An entry is a line that somebody reads; one that fills a file would push
// all others out of it.
const (
	maxRow  = 16 << 20
	maxText = 20_000
)

// readRow reads up to a line feed. The bytes are good until the next read.
func readRow(in *bufio.Reader) ([]byte, error) {
	row, err := in.ReadSlice('\n')
	if err != bufio.ErrBufferFull {
		return row, err
	}
	row = bytes.Clone(row)
	for err == bufio.ErrBufferFull {
		if len(row) > maxRow {
			return nil, fault.New(fault.Usage, codeLongRow, maxRow>>20)
		}
		var more []byte
		more, err = in.ReadSlice('\n')
		row = append(row, more...)
	}
	return row, err
}

// CheckText returns the fault of a line whose text is too long for an entry; name is
// what it comes from.
func (l Line) CheckText(name string) error {
	if text.Len(l.Text) <= maxText {
		return nil
	}
	return fault.New(fault.Usage, codeBadImport, name, l.Number).Because(fault.New(fault.Usage, codeLongText, maxText))
}

// lineFault says in words of our own what keeps a line from being read.
func lineFault(err error) error {
	var known *fault.Error
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &known):
		return known
	case errors.As(err, &wrong) && wrong.Field != "":
		return fault.New(fault.Usage, codeBadMember, wrong.Field)
	}
	return fault.New(fault.Usage, codeNotObject)
}

func readLine(row []byte) (Line, error) {
	var line Line
	if err := json.Unmarshal(row, &line); err != nil {
		return Line{}, lineFault(err)
	}
	if strings.TrimSpace(line.Text) == "" {
		return Line{}, fault.New(fault.Usage, codeEmptyNote)
	}
	if line.Kind == "" {
		line.Kind = entry.Fact
	}
	kind, ok := entry.ParseKind(string(line.Kind))
	if !ok {
		return Line{}, fault.New(fault.Usage, codeUnknownKind, string(line.Kind))
	}
	line.Kind = kind
	if line.ID != "" && !safeID(string(line.ID)) {
		return Line{}, fault.New(fault.Usage, codeBadID, string(line.ID))
	}
	return line, nil
}

// safeID reports whether an id can stand in the metadata of a line.
func safeID(id string) bool {
	return len(id) <= 128 && strings.IndexFunc(id, func(r rune) bool {
		return r <= ' ' || r == 0x7F || strings.ContainsRune(",{}[]", r)
	}) < 0
}
