package control

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/fault"
)

// The codes of this package, each with its English sentence.
const (
	codeNoHost       = "no-host"           // no host runs for %s
	codeConnect      = "host-connect"      // the host cannot be reached
	codeMute         = "host-mute"         // connected with the host, but it gave no answer within %s
	codeNoHostThere  = "no-host-there"     // what answers on the socket of the host is none
	codeGone         = "host-gone"         // the host ended the connection
	codeProtocol     = "protocol-mismatch" // the host speaks version %d of the protocol, this program version %d
	codeStranger     = "host-stranger"     // the socket of the host belongs to the user %d
	codeFolderLink   = "folder-link"       // %q is a link; a host wants a folder of its own
	codeFolderOwner  = "folder-owner"      // %q belongs to the user %d
	codeFolderFile   = "folder-file"       // %q is no folder
	codeFolderMake   = "folder-make"       // the folder %q cannot be used
	codeListen       = "host-listen"       // the socket %q cannot be opened
	codeTaken        = "host-taken"        // the lock or the socket of the host was taken away, so it ended
	codeUnknown      = "unknown-method"    // the host has no method %q
	codeRole         = "role-refused"      // a %s may not call %q
	codeParams       = "bad-params"        // the params do not fit %q
	codeMember       = "bad-member"        // %q has a value of the wrong kind
	codeNoMember     = "unknown-member"    // there is no member %q
	codeShape        = "bad-shape"         // it is of the wrong kind
	codeAnswer       = "bad-answer"        // the answer to %q does not fit
	codeBadMessage   = "bad-message"       // a line is one JSON-RPC 2.0 message in UTF-8
	codeLong         = "message-too-long"  // a message has at most %d bytes
	codeManyRequests = "too-many-requests" // more than %d requests at once
	codeManyClients  = "too-many-clients"  // the host has %d connections, and takes no more
	codeHelloFirst   = "hello-first"       // a connection begins with hello
	codeBadRole      = "bad-role"          // unknown role %q (want client, page or bridge)
	codeSlow         = "slow-reader"       // cut off: more than %d messages waited to be read
	codeThrew        = "plugin-threw"      // plugin code threw: %s
	codeNumber       = "lossy-number"      // %s is too large for a number
	codeTwice        = "twice-member"      // the member %q is there twice
	codeLossy        = "lossy-args"        // %s is -0, which JSON writers make 0
	codeLeaf         = "bad-leaf"          // an object with the member "$" is no known leaf
	codePanic        = "panic"             // of the shared tables
)

// NoHost reports whether err says that there is no host to talk with.
func NoHost(err error) bool { return fault.CodeOf(err) == codeNoHost }

// Absent reports whether err says that there is no host to talk with, or one that
// was just ending.
func Absent(err error) bool { return NoHost(err) || fault.CodeOf(err) == codeGone }

// wireError is an error as it crosses the socket.
type wireError struct {
	Number  int        `json:"code"`
	Message string     `json:"message"`
	Data    *faultData `json:"data,omitempty"`
}

// faultData is a fault: its stable code, its kind, and what it names.
type faultData struct {
	Code  string     `json:"code"`
	Kind  fault.Kind `json:"kind"`
	Args  []any      `json:"args,omitempty"`
	Cause *wireError `json:"cause,omitempty"`

	// Thrown is what plugin code, or a bridge, threw.
	Thrown *Thrown `json:"thrown,omitempty"`
}

// Thrown is what code threw, as it crosses the socket.
type Thrown struct {
	Name    string `json:"name,omitempty"`
	Message string `json:"message"`
	Stack   string `json:"stack,omitempty"`
	Code    string `json:"code,omitempty"`
	Plain   bool   `json:"plain,omitempty"` // no Error but this text was thrown
}

// Error is the message.
func (e *wireError) Error() string { return e.Message }

// numbers are those of the codes that JSON-RPC has numbers for.
func number(code string) int {
	switch code {
	case codeUnknown:
		return numMethod
	case codeParams:
		return numParams
	case codeBadMessage:
		return numParse
	case codeLong:
		return numInvalid
	case codePanic:
		return numInternal
	}
	return numFault
}

// spoken is an error that has its sentence in more than one language.
type spoken interface {
	error
	In(language string) string
}

// wireOf makes what crosses of an error. explain puts it into words.
func wireOf(err error, explain func(error) string) *wireError { return wireIn(err, explain, "") }

// wireIn is wireOf for somebody who speaks a language.
func wireIn(err error, explain func(error) string, language string) *wireError {
	if err == nil {
		return nil
	}
	var told spoken
	if known := new(fault.Error); language != "" && errors.As(err, &told) && errors.As(told, &known) {
		err = fault.New(known.Kind, known.Code, told.In(language))
	}
	w := &wireError{Number: numFault, Message: err.Error()}
	if explain != nil {
		w.Message = explain(err)
	}
	var (
		known  *fault.Error
		thrown *wire.Thrown
	)
	switch {
	case errors.As(err, &known):
	case errors.As(err, &thrown):
		w.Data = &faultData{Code: codeThrew, Kind: fault.Plugin, Args: []any{thrown.Message}, Thrown: (*Thrown)(thrown)}
		return w
	default:
		if told != nil {
			w.Message = told.In(language)
		}
		return w
	}
	w.Number = number(known.Code)
	w.Data = &faultData{Code: known.Code, Kind: known.Kind, Cause: wireIn(known.Err, nil, language)}
	for _, arg := range known.Args {
		w.Data.Args = append(w.Data.Args, plain(arg))
	}
	return w
}

// plain is an argument of a fault as JSON can carry it.
func plain(arg any) any {
	switch v := arg.(type) {
	case nil, bool, string, int, int8, int16, int32, int64, uint8, uint16, uint32, float32, float64:
		return v
	case error:
		return v.Error()
	}
	return fmt.Sprint(arg)
}

// fault is the error that crossed.
func (e *wireError) fault() error {
	if e == nil {
		return nil
	}
	if e.Data == nil || e.Data.Code == "" {
		return errors.New(e.Message)
	}
	if e.Data.Thrown != nil {
		return (*wire.Thrown)(e.Data.Thrown)
	}
	f := fault.New(e.Data.Kind, e.Data.Code, e.Data.Args...)
	if e.Data.Cause != nil {
		f = f.Because(e.Data.Cause.fault())
	}
	return f
}

// UnmarshalJSON reads a fault; whole numbers come back as they were.
func (d *faultData) UnmarshalJSON(data []byte) error {
	type bare faultData
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if err := dec.Decode((*bare)(d)); err != nil {
		return err
	}
	for i, arg := range d.Args {
		if n, ok := arg.(json.Number); ok {
			d.Args[i] = numeric(n)
		}
	}
	return nil
}

func numeric(n json.Number) any {
	if i, err := n.Int64(); err == nil && i >= math.MinInt && i <= math.MaxInt {
		return int(i)
	}
	f, _ := n.Float64()
	return f
}

// FormatFault is an error as one line of JSON, "null" for none.
func FormatFault(err error) []byte {
	line, _ := marshal(wireOf(err, nil)) // all parts can be encoded
	return bytes.TrimSuffix(line, []byte("\n"))
}

// ParseFault reads what FormatFault wrote.
func ParseFault(line []byte) error {
	var w *wireError
	if err := json.Unmarshal(line, &w); err != nil {
		return err
	}
	return w.fault()
}
