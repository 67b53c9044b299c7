package node

import (
	"crypto/hmac"
	"crypto/md5"
	"crypto/pbkdf2"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"crypto/subtle"
	"errors"
	"fmt"
	"hash"
	"strings"

	"github.com/dop251/goja"

	"github.com/dshkit/dshkit/pkg/jsrun"
)

var errNoChance = errors.New("the host gives no random bytes: it sets Host.RandomBytes to allow them")

var cryptoGroup = map[string]function{
	"hash": func(in *instance, args []jsrun.Value) (jsrun.Value, error) {
		make := newHash(text(args, 0))
		if make == nil {
			return goja.Null(), nil
		}
		if missing(arg(args, 1)) {
			return in.hasher(make())
		}
		return in.hasher(hmac.New(make, append([]byte(nil), raw(args, 1)...)))
	},
	"random": func(in *instance, args []jsrun.Value) (jsrun.Value, error) {
		if in.host.RandomBytes == nil {
			return nil, errNoChance
		}
		in.host.RandomBytes(raw(args, 0))
		return goja.Undefined(), nil
	},
	"uuid": func(in *instance, _ []jsrun.Value) (jsrun.Value, error) {
		id, err := in.host.uuid()
		return in.value(id), err
	},
	"equal": func(in *instance, args []jsrun.Value) (jsrun.Value, error) {
		return in.value(subtle.ConstantTimeCompare(raw(args, 0), raw(args, 1)) == 1), nil
	},
	"pbkdf2": func(in *instance, args []jsrun.Value) (jsrun.Value, error) {
		make := newHash(text(args, 4))
		if make == nil {
			return goja.Null(), nil
		}
		key, err := pbkdf2.Key(make, string(raw(args, 0)), raw(args, 1), int(number(args, 2)), int(number(args, 3)))
		if err != nil {
			return nil, err
		}
		return in.bytes(key)
	},
}

func (h *Host) uuid() (string, error) {
	if h.NewUUID != nil {
		return h.NewUUID(), nil
	}
	if h.RandomBytes == nil {
		return "", errNoChance
	}
	var b [16]byte
	h.RandomBytes(b[:])
	b[6] = b[6]&0x0F | 0x40
	b[8] = b[8]&0x3F | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:]), nil
}

// newHash finds a hash by the names that OpenSSL and Web Crypto use.
func newHash(name string) func() hash.Hash {
	switch strings.ReplaceAll(strings.TrimPrefix(strings.ToLower(name), "rsa-"), "-", "") {
	case "md5":
		return md5.New
	case "sha1":
		return sha1.New
	case "sha224":
		return sha256.New224
	case "sha256":
		return sha256.New
	case "sha384":
		return sha512.New384
	case "sha512":
		return sha512.New
	case "sha512256":
		return sha512.New512_256
	case "sha3256":
		return func() hash.Hash { return sha3.New256() }
	case "sha3512":
		return func() hash.Hash { return sha3.New512() }
	}
	return nil
}

// hasher is a running hash in the hands of a script.
func (in *instance) hasher(h hash.Hash) (jsrun.Value, error) {
	object := in.vm.New()
	for name, f := range map[string]function{
		"text": func(_ *instance, args []jsrun.Value) (jsrun.Value, error) {
			h.Write([]byte(text(args, 0)))
			return goja.Undefined(), nil
		},
		"bytes": func(_ *instance, args []jsrun.Value) (jsrun.Value, error) {
			h.Write(raw(args, 0))
			return goja.Undefined(), nil
		},
		"digest": func(in *instance, args []jsrun.Value) (jsrun.Value, error) {
			if missing(arg(args, 0)) {
				return in.bytes(h.Sum(nil))
			}
			return in.encode(h.Sum(nil), text(args, 0))
		},
		"copy": func(in *instance, _ []jsrun.Value) (jsrun.Value, error) {
			cloner, ok := h.(hash.Cloner)
			if !ok {
				return nil, errors.New("this hash cannot be copied")
			}
			clone, err := cloner.Clone()
			if err != nil {
				return nil, err
			}
			return in.hasher(clone)
		},
	} {
		if err := object.Set(name, in.function(name, f)); err != nil {
			return nil, err
		}
	}
	return object, nil
}
