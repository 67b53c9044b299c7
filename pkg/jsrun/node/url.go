package node

import (
	"github.com/dop251/goja"

	"github.com/dshkit/dshkit/pkg/jsrun"
)

var urlGroup = map[string]function{
	// parse gives the parts of a URL, or null.
	"parse": func(in *instance, args []jsrun.Value) (jsrun.Value, error) {
		var base *address
		if !missing(arg(args, 1)) {
			var ok bool
			if base, ok = parseAddress(text(args, 1), nil); !ok {
				return goja.Null(), nil
			}
		}
		u, ok := parseAddress(text(args, 0), base)
		if !ok {
			return goja.Null(), nil
		}
		return in.value(u.parts()), nil
	},
	// set gives the parts after one of them was set, or null when it stays.
	"set": func(in *instance, args []jsrun.Value) (jsrun.Value, error) {
		u, ok := parseAddress(text(args, 0), nil)
		if !ok || !u.set(text(args, 1), text(args, 2)) {
			return goja.Null(), nil
		}
		return in.value(u.parts()), nil
	},
	"unescape": func(in *instance, args []jsrun.Value) (jsrun.Value, error) {
		return in.value(decodeUTF8(percentDecode(text(args, 0)))), nil
	},
	"escapeForm": func(in *instance, args []jsrun.Value) (jsrun.Value, error) {
		return in.value(percentEncode(text(args, 0), formSet, true)), nil
	},
	"escapePath": func(in *instance, args []jsrun.Value) (jsrun.Value, error) {
		return in.value(percentEncode(text(args, 0), filePathSet, false)), nil
	},
	"toASCII": func(in *instance, args []jsrun.Value) (jsrun.Value, error) {
		host, ok := domainToASCII(text(args, 0))
		if !ok {
			host = ""
		}
		return in.value(host), nil
	},
	"toUnicode": func(in *instance, args []jsrun.Value) (jsrun.Value, error) {
		return in.value(domainToUnicode(text(args, 0))), nil
	},
}
