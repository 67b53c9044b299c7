package cordiscmd

import (
	"errors"
	"io"
	"os"
	"time"
	"unicode/utf8"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/filestore"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// Bounds of what is read from outside.
const (
	maxSource = 1 << 20 // of one half, in bytes
	maxInput  = 8 << 20
	inputTime = 10 * time.Second // a pipe that stays open and silent
)

// readSource reads the text of a half from a file, or from standard input for "-".
func readSource(env *cli.Env, name string) (string, error) {
	var (
		data []byte
		err  error
	)
	if name == "-" {
		data, err = readInput(env, maxSource)
	} else {
		data, err = filestore.ReadFile(name, maxSource)
	}
	switch {
	case err != nil:
		return "", err
	case !utf8.Valid(data):
		return "", fault.New(fault.Usage, "bad-source-text", name)
	}
	return string(data), nil
}

// readInput reads standard input to its end.
func readInput(env *cli.Env, limit int) ([]byte, error) {
	if env.In == nil {
		return nil, fault.New(fault.Usage, "no-stdin")
	}
	if env.IsTerminal != nil && env.IsTerminal(env.In) {
		env.Note("reading-stdin")
		data, err := io.ReadAll(io.LimitReader(env.In, int64(limit)+1))
		return checkInput(data, err, limit)
	}
	data, err := io.ReadAll(io.LimitReader(cli.Timed(env.In, inputTime), int64(limit)+1))
	return checkInput(data, err, limit)
}

func checkInput(data []byte, err error, limit int) ([]byte, error) {
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, fault.New(fault.Usage, "stdin-timeout")
	case err != nil:
		return nil, fault.New(fault.Failed, "no-stdin").Because(err)
	case len(data) > limit:
		return nil, fault.New(fault.Usage, "long-input", limit>>20)
	}
	return data, nil
}

// jsonArgument reads an argument that is JSON, or is "-" for standard input.
func jsonArgument(env *cli.Env, text string) (any, error) {
	data := []byte(text)
	if text == "-" {
		var err error
		if data, err = readInput(env, maxInput); err != nil {
			return nil, err
		}
	}
	v, err := jsonvalue.ParseExact(data)
	if err != nil {
		return nil, badInput(err)
	}
	return v, nil
}

// badInput says why a text is no JSON, or where its value would lack something.
func badInput(err error) error {
	loss, ok := errors.AsType[*jsonvalue.LossError](err)
	switch {
	case !ok:
		return fault.New(fault.Usage, "bad-input", err.Error())
	case loss.Twice:
		return fault.New(fault.Usage, "twice-member", "input"+loss.Path)
	}
	return fault.New(fault.Usage, "lossy-number", "input"+loss.Path)
}

// indented is a value as people read it.
func indented(v any) string { return jsonvalue.FormatIndent(v, "  ") }
