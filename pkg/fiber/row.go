package fiber

// row is things in an order. Adding and taking out one takes the same time,
// however many there are. The zero row is empty.
type row[T any] struct {
	first, last *seat[T]
	len         int
}

// seat is the place of one thing in a row.
type seat[T any] struct {
	row           *row[T] // nil: it has left
	before, after *seat[T]
	value         T
}

// push adds a thing behind all others.
func (r *row[T]) push(v T) *seat[T] {
	s := &seat[T]{row: r, value: v, before: r.last}
	if r.last == nil {
		r.first = s
	} else {
		r.last.after = s
	}
	r.last = s
	r.len++
	return s
}

// unshift adds a thing before all others.
func (r *row[T]) unshift(v T) *seat[T] {
	s := &seat[T]{row: r, value: v, after: r.first}
	if r.first == nil {
		r.last = s
	} else {
		r.first.before = s
	}
	r.first = s
	r.len++
	return s
}

// leave takes the thing out of its row. It is safe twice, and on nil.
func (s *seat[T]) leave() {
	if s == nil || s.row == nil {
		return
	}
	r := s.row
	if s.before == nil {
		r.first = s.after
	} else {
		s.before.after = s.after
	}
	if s.after == nil {
		r.last = s.before
	} else {
		s.after.before = s.before
	}
	r.len--
	s.row, s.before, s.after = nil, nil, nil
}

// list is a copy of the row as it is now.
func (r *row[T]) list() []T {
	list := make([]T, 0, r.len)
	for s := r.first; s != nil; s = s.after {
		list = append(list, s.value)
	}
	return list
}

// rows are rows by name; one that is empty is not kept.
type rows[T any] map[string]*row[T]

// push adds a thing behind all others of a name.
func (m rows[T]) push(name string, v T) *seat[T] {
	if m[name] == nil {
		m[name] = &row[T]{}
	}
	return m[name].push(v)
}

// leave takes a thing out of the row of a name.
func (m rows[T]) leave(name string, s *seat[T]) {
	s.leave()
	if r := m[name]; r != nil && r.len == 0 {
		delete(m, name)
	}
}

// list is a copy of the row of a name.
func (m rows[T]) list(name string) []T {
	if r := m[name]; r != nil {
		return r.list()
	}
	return nil
}
