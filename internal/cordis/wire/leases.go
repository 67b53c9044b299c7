package wire

import "github.com/dshkit/dshkit/pkg/jsonvalue"

// EachLease calls f for every Lease in a value, with what it keeps, for one who
// writes the value down in a form that holds none.
func EachLease(v any, f func(h Handle, l *Lease)) {
	leased := func(h Handle, l *Lease) {
		if l != nil {
			f(h, l)
		}
	}
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			EachLease(item, f)
		}
	case *jsonvalue.Object:
		for _, member := range v.All() {
			EachLease(member, f)
		}
	case Func:
		leased(v.Handle, v.Lease)
	case Signal:
		leased(v.Handle, v.Lease)
	case Iterator:
		leased(v.Next.Handle, v.Next.Lease)
		leased(v.Return.Handle, v.Return.Lease)
	case Object:
		v.eachLease(f)
	}
}

func (o Object) eachLease(f func(h Handle, l *Lease)) {
	if o.Call != nil {
		EachLease(*o.Call, f)
	}
	for _, m := range o.Members {
		if m.Getter != nil {
			EachLease(*m.Getter, f)
			continue
		}
		EachLease(m.Value, f)
	}
}
