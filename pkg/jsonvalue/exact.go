package jsonvalue

// ParseExact reads JSON text as Parse does, but for what JSON.parse takes and
// changes: a number that is too large, which would be infinite, and a second
// member of one name, which would hide the first. Those are a *LossError.
func ParseExact(text []byte) (any, error) {
	return (&parser{text: string(text), exact: true}).document()
}

// A LossError says where a text holds what its value would not.
type LossError struct {
	Path  string // .key and [index] from the whole value, which is ""
	Twice bool   // a second member of one name; else a number that is too large
}

// Error gives the path and the problem.
func (e *LossError) Error() string {
	if e.Twice {
		return e.Path + ": the member is there twice"
	}
	return e.Path + ": the number is too large"
}

// below puts a step in front of the path of a loss.
func below(err error, step string) error {
	if loss, ok := err.(*LossError); ok {
		loss.Path = step + loss.Path
	}
	return err
}
