package compose

// milliseconds are the first three digits of a fraction.
func milliseconds(t dateToken) int {
	n := t.value
	for i := t.length; i < 3; i++ {
		n *= 10
	}
	for i := min(t.length, 9); i > 3; i-- {
		n /= 10
	}
	return n
}

// readISO reads as much of an ISO date as there is. done says that the text was
// one, or that it is none in a way that the other rules cannot mend.
func (r *dateReader) readISO() (done, ok bool) {
	if !r.isoDate() {
		r.number = len(r.day) > 0
		return false, false
	}
	r.number = true
	if r.peek().is("t") {
		r.at++
		if !r.isoTime() || !r.isoZone() || r.peek().kind != 0 {
			return true, false
		}
	} else if r.peek().kind != 0 {
		return false, false
	}
	r.iso = true
	return true, true
}

func (r *dateReader) isoDate() bool {
	if !r.isoYear() {
		return false
	}
	for _, most := range []int{12, 31} {
		if !r.skip('-') {
			return true
		}
		if !r.peek().pair(1, most) {
			return false
		}
		r.addDay(r.next().value)
	}
	return true
}

func (r *dateReader) isoYear() bool {
	if !r.peek().sign() {
		if !r.peek().digits(4) {
			return false
		}
		return r.addDay(r.next().value)
	}
	negative := r.next().kind == '-'
	if !r.peek().digits(6) {
		r.at-- // the sign is for the other rules
		return false
	}
	year := r.next().value
	if negative && year == 0 {
		return false
	}
	if negative {
		year = -year
	}
	return r.addDay(year)
}

// isoTime reads hours and minutes, and seconds and a fraction if there are any.
// 24 hours have nothing after them.
func (r *dateReader) isoTime() bool {
	if !r.peek().pair(0, 24) {
		return false
	}
	hours := r.next().value
	r.addTime(hours)
	most := 59
	if hours == 24 {
		most = 0
	}
	for i := range 2 {
		if !r.skip(':') {
			return i > 0
		}
		if !r.peek().pair(0, most) {
			return false
		}
		r.addTime(r.next().value)
	}
	if !r.skip('.') {
		return true
	}
	if t := r.peek(); t.kind != '0' || hours == 24 && t.value > 0 {
		return false
	}
	return r.addTime(milliseconds(r.next()))
}

func (r *dateReader) isoZone() bool {
	switch t := r.peek(); {
	case t.is("z"):
		r.at++
		r.setZone(0)
		return true
	case !t.sign():
		return true
	}
	r.zone.signed, r.zone.negative = true, r.next().kind == '-'
	if t := r.peek(); t.digits(4) && within(t.value/100, 0, 23) && within(t.value%100, 0, 59) {
		r.at++
		r.zone.hour, r.zone.minute = t.value/100, t.value%100
		return true
	}
	if !r.peek().pair(0, 23) {
		return false
	}
	r.zone.hour = r.next().value
	if !r.skip(':') || !r.peek().pair(0, 59) {
		return false
	}
	r.zone.minute = r.next().value
	return true
}
