package node

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/dshkit/dshkit/pkg/jsrun"
)

const noNetwork = "the host grants this script no network; it does so by Host.Network"

var netGroup = map[string]function{"fetch": fetch}

// fetch sends (method, url, headers, body, redirect) and calls back with the
// answer's head. It returns what aborts the request.
func fetch(in *instance, args []jsrun.Value) (jsrun.Value, error) {
	if in.host.Network == nil {
		return nil, errors.New(noNetwork)
	}
	r := &Request{Method: text(args, 0), URL: text(args, 1), Redirect: text(args, 4)}
	flat := in.list(arg(args, 2))
	for i := 0; i+1 < len(flat); i += 2 {
		r.Header = append(r.Header, [2]string{flat[i], flat[i+1]})
	}
	if !missing(arg(args, 3)) {
		r.Body = append([]byte{}, raw(args, 3)...)
	}
	request, abort := context.WithCancel(in.lifetime())
	in.settle(arg(args, 5), func(ctx) (answer, error) {
		response, err := in.host.Network.Do(request, r)
		if err != nil {
			abort()
			return nil, err
		}
		return func(in *instance) (jsrun.Value, error) { return in.response(response, request, abort) }, nil
	})
	return in.function("abort", func(*instance, []jsrun.Value) (jsrun.Value, error) {
		abort()
		return nil, nil
	}), nil
}

// response is the head of an answer and two functions: read gives the next part
// of its body, close gives the rest up.
func (in *instance) response(r *Response, request ctx, abort context.CancelFunc) (jsrun.Value, error) {
	object := in.vm.New()
	flat := []any{}
	for _, h := range r.Header {
		flat = append(flat, h[0], h[1])
	}
	limit := in.host.MaxBody
	if limit <= 0 {
		limit = defaultMaxBody
	}
	body := &bounded{body: r.Body, left: limit, limit: limit}
	closed := func() {
		abort()
		_ = r.Body.Close() // nothing more is wanted of it
	}
	// The body goes with the run, whether the script reads it or not.
	context.AfterFunc(request, func() { _ = r.Body.Close() })
	err := errors.Join(
		object.Set("status", r.Status),
		object.Set("statusText", r.StatusText),
		object.Set("url", r.URL),
		object.Set("redirected", r.Redirected),
		object.Set("headers", in.value(flat)),
		object.Set("read", in.function("read", func(in *instance, args []jsrun.Value) (jsrun.Value, error) {
			in.settle(arg(args, 0), func(ctx) (answer, error) {
				part, err := body.next()
				if part == nil {
					closed()
					return plain(nil), err
				}
				return func(in *instance) (jsrun.Value, error) { return in.bytes(part) }, nil
			})
			return nil, nil
		})),
		object.Set("close", in.function("close", func(*instance, []jsrun.Value) (jsrun.Value, error) {
			closed()
			return nil, nil
		})),
	)
	return object, err
}

// bounded is a body that may not be longer than the host lets it.
type bounded struct {
	body        io.Reader
	left, limit int64
}

// next gives the next part, nil at the end.
func (b *bounded) next() ([]byte, error) {
	part := make([]byte, 64<<10)
	for {
		n, err := b.body.Read(part)
		if b.left -= int64(n); b.left < 0 {
			return nil, fmt.Errorf("the answer is longer than the %d bytes that the host takes", b.limit)
		}
		if n > 0 {
			return bytes.Clone(part[:n]), nil
		}
		if errors.Is(err, io.EOF) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
	}
}
