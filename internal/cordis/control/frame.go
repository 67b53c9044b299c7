package control

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"unicode/utf8"
)

// readLine reads up to a line end, which it leaves out. Of a line over the limit
// nothing is kept, and the next one is read as if it had not been there. What
// the end of the input has torn is no line.
func readLine(in *bufio.Reader, limit int) (line []byte, long bool, err error) {
	for {
		piece, err := in.ReadSlice('\n')
		if len(line)+len(piece) > limit+1 {
			long, line = true, nil
		}
		if !long {
			line = append(line, piece...)
		}
		switch {
		case err == nil:
			return bytes.TrimSuffix(line, []byte("\n")), long, nil
		case errors.Is(err, io.EOF) && len(line) > 0:
			return nil, false, io.ErrUnexpectedEOF
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, false, err
		}
	}
}

// parse makes a message of a line.
func parse(line []byte) (m message, ok bool) {
	if !utf8.Valid(line) || json.Unmarshal(line, &m) != nil || m.Version != "2.0" {
		return message{ID: m.ID}, false
	}
	if m.ID != nil && !isID(m.ID) {
		return message{}, false
	}
	return m, m.Method != "" || m.ID != nil && (m.Result != nil || m.Error != nil)
}

// isID reports whether an id is a text or a number.
func isID(id json.RawMessage) bool {
	return len(id) > 0 && (id[0] == '"' || id[0] == '-' || id[0] >= '0' && id[0] <= '9')
}

// format makes a line of a message.
func format(m message) ([]byte, error) {
	m.Version = "2.0"
	return marshal(m)
}

// marshal is JSON with the characters of HTML as they are, and a line end.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return b.Bytes(), err
}
