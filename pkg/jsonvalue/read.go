package jsonvalue

// Text returns a value that is a text.
func Text(v any) (string, bool) {
	s, ok := v.(string)
	return s, ok
}

// Number returns a value that is a number.
func Number(v any) (float64, bool) {
	f, ok := v.(float64)
	return f, ok
}

// Truth returns a value that is a boolean.
func Truth(v any) (value, ok bool) {
	value, ok = v.(bool)
	return value, ok
}

// Array returns a value that is an array.
func Array(v any) ([]any, bool) {
	items, ok := v.([]any)
	return items, ok
}

// Map returns a value that is a plain object.
func Map(v any) (*Object, bool) {
	o, ok := v.(*Object)
	return o, ok && o != nil
}

// Text returns the member if it is a text.
func (o *Object) Text(key string) (string, bool) {
	v, _ := o.Get(key)
	return Text(v)
}

// Number returns the member if it is a number.
func (o *Object) Number(key string) (float64, bool) {
	v, _ := o.Get(key)
	return Number(v)
}

// Truth returns the member if it is a boolean.
func (o *Object) Truth(key string) (value, ok bool) {
	v, _ := o.Get(key)
	return Truth(v)
}

// Array returns the member if it is an array.
func (o *Object) Array(key string) ([]any, bool) {
	v, _ := o.Get(key)
	return Array(v)
}

// Map returns the member if it is a plain object.
func (o *Object) Map(key string) (*Object, bool) {
	v, _ := o.Get(key)
	return Map(v)
}

// Texts returns an array of these texts.
func Texts(texts []string) []any {
	items := make([]any, len(texts))
	for i, s := range texts {
		items[i] = s
	}
	return items
}
