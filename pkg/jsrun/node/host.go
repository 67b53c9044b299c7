package node

import (
	"time"

	"github.com/dop251/goja"

	"github.com/dshkit/dshkit/pkg/jsrun"
)

func give(f func(h *Host) any) function {
	return func(in *instance, _ []jsrun.Value) (jsrun.Value, error) { return in.value(f(in.host)), nil }
}

var hostGroup = map[string]function{
	"cwd":      give(func(h *Host) any { return h.cwd() }),
	"platform": give(func(h *Host) any { return orElse(h.Platform, "linux") }),
	"arch":     give(func(h *Host) any { return orElse(h.Arch, "x64") }),
	"home":     give(func(h *Host) any { return h.Home }),
	"temp":     give(func(h *Host) any { return orElse(h.Temp, "/tmp") }),
	"hostname": give(func(h *Host) any { return orElse(h.Hostname, "localhost") }),
	"user":     give(func(h *Host) any { return h.User }),
	"pid":      give(func(h *Host) any { return h.PID }),
	"execPath": give(func(h *Host) any { return h.ExecPath }),
	"now":      give(func(h *Host) any { return float64(h.now().UnixNano()) / 1e6 }),
	"args": give(func(h *Host) any {
		list := []any{}
		for _, a := range h.Args {
			list = append(list, a)
		}
		return list
	}),
	"envNames": give(func(h *Host) any {
		list := []any{}
		if h.Environ != nil {
			for _, name := range h.Environ() {
				list = append(list, name)
			}
		}
		return list
	}),
	"env": func(in *instance, args []jsrun.Value) (jsrun.Value, error) {
		if in.host.Env == nil {
			return goja.Undefined(), nil
		}
		value, ok := in.host.Env(text(args, 0))
		if !ok {
			return goja.Undefined(), nil
		}
		return in.value(value), nil
	},
	// elapsed is nanoseconds since the run first asked.
	"elapsed": func(in *instance, _ []jsrun.Value) (jsrun.Value, error) {
		if in.began.IsZero() {
			in.began = in.host.now()
		}
		return in.value(int64(in.host.now().Sub(in.began))), nil
	},
	"log": func(in *instance, args []jsrun.Value) (jsrun.Value, error) {
		if in.host.Log != nil {
			in.host.Log(text(args, 0), text(args, 1))
		}
		return goja.Undefined(), nil
	},
}

func (h *Host) cwd() string {
	if h.Cwd == nil {
		return "/"
	}
	return h.Cwd()
}

func (h *Host) now() time.Time {
	if h.Now == nil {
		return time.Unix(0, 0)
	}
	return h.Now()
}

func orElse(s, fallback string) string {
	if s == "" {
		return fallback
	}
	return s
}
