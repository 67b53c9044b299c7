package compose

import (
	"strings"
	"time"
)

// isDate says whether Date.parse of V8 makes a time of the text. An ISO date is
// read as such; what remains of a text that is none, often all of it, is read by
// rules of old: words may stand for months, zones and the half of the day,
// and what a number means is told by what was met and by what follows it
// (spec/mnemon.md 23).
func isDate(s string) bool {
	r := &dateReader{tokens: dateTokens(s), half: none}
	r.zone.hour, r.zone.minute = none, none
	done, ok := r.readISO()
	if !done {
		ok = r.readRest()
	}
	return ok && r.valid()
}

// none is a part of a date that was not given.
const none = -1

// dateReader reads a date token by token.
type dateReader struct {
	tokens []dateToken
	at     int
	number bool // a number was met
	iso    bool // all of it was an ISO date

	day   []int // up to three numbers, in the order met
	month int   // the month named by a word; 0: none
	time  []int // up to four: hours, minutes, seconds, milliseconds
	half  int   // hours that am or pm add
	zone  struct {
		signed, negative bool
		hour, minute     int
	}
}

func (r *dateReader) peek() dateToken {
	if r.at < len(r.tokens) {
		return r.tokens[r.at]
	}
	return dateToken{}
}

func (r *dateReader) next() dateToken {
	t := r.peek()
	r.at++
	return t
}

func (r *dateReader) skip(kind byte) bool {
	if r.peek().kind != kind {
		return false
	}
	r.at++
	return true
}

func (r *dateReader) addDay(n int) bool {
	if len(r.day) == 3 {
		return false
	}
	r.day = append(r.day, n)
	return true
}

func (r *dateReader) addTime(n int) bool {
	if len(r.time) == 4 {
		return false
	}
	r.time = append(r.time, n)
	return true
}

// endTime adds the last part of the time.
func (r *dateReader) endTime(n int) {
	r.addTime(n)
	for r.addTime(0) {
	}
}

// expectsTime says whether n is the next part of a time that has begun.
func (r *dateReader) expectsTime(n int) bool {
	switch len(r.time) {
	case 1, 2:
		return within(n, 0, 59)
	case 3:
		return within(n, 0, 999)
	}
	return false
}

func (r *dateReader) isUTC() bool { return r.zone.hour == 0 && r.zone.minute == 0 }

func (r *dateReader) setZone(hours int) {
	r.zone.signed, r.zone.negative = true, hours < 0
	r.zone.hour, r.zone.minute = max(hours, -hours), 0
}

// readRest reads by the rules of old.
func (r *dateReader) readRest() bool {
	for {
		ok := true
		switch t := r.next(); t.kind {
		case 0:
			return true
		case '0':
			ok = r.readNumber(t)
		case 'a':
			ok = r.readWord(t)
		case '+', '-':
			ok = r.readSign(t)
		case ')':
			ok = !r.number
		}
		if !ok {
			return false
		}
	}
}

func (r *dateReader) readNumber(t dateToken) bool {
	r.number = true
	n := t.value
	switch {
	case r.skip(':'):
		if r.skip(':') { // hours and no minutes
			return len(r.time) == 0 && r.addTime(n) && r.addTime(0)
		}
		if !r.addTime(n) {
			return false
		}
		r.skip('.')
		return true
	case r.peek().kind == '.' && r.expectsTime(n):
		r.at++
		r.addTime(n)
		if r.peek().kind != '0' {
			return false
		}
		r.endTime(milliseconds(r.next()))
		return true
	}
	r.skip('.')
	switch {
	case r.zone.hour != none && r.zone.minute == none && within(n, 0, 59):
		r.zone.minute = n
		return true
	case r.expectsTime(n):
		r.endTime(n)
		after := r.peek()
		return after.kind == 0 || after.kind == ' ' || after.sign() || after.is("z")
	}
	if !r.addDay(n) {
		return false
	}
	r.skip('-')
	return true
}

// months are known by their first three letters, whatever follows.
const months = "janfebmaraprmayjunjulaugsepoctnovdec"

// zoneHours are the words for zones. Milliseconds are not looked at, so all that
// matters is that they are words.
func zoneHours(word string) (int, bool) {
	switch word {
	case "z", "ut", "utc", "gmt":
		return 0, true
	case "edt":
		return -4, true
	case "est", "cdt":
		return -5, true
	case "cst", "mdt":
		return -6, true
	case "mst", "pdt":
		return -7, true
	case "pst":
		return -8, true
	}
	return 0, false
}

func (r *dateReader) readWord(t dateToken) bool {
	hours, isZone := zoneHours(t.word)
	month := none
	if len(t.word) >= 3 {
		month = strings.Index(months, t.word[:3])
	}
	switch {
	case (t.word == "am" || t.word == "pm") && len(r.time) > 0:
		r.half = 0
		if t.word == "pm" {
			r.half = 12
		}
	case month >= 0 && month%3 == 0:
		r.month = month/3 + 1
		r.skip('-')
	case isZone && r.number:
		r.setZone(hours)
	default:
		// Before the first number any word is good, if it does not touch it.
		return !r.number && r.peek().kind != '0'
	}
	return true
}

// readSign reads the offset of a zone, which has to follow a time or UTC.
func (r *dateReader) readSign(t dateToken) bool {
	if !r.isUTC() && len(r.time) == 0 {
		return !r.number
	}
	r.zone.signed, r.zone.negative = true, t.kind == '-'
	n, length := 0, 0
	if r.peek().kind == '0' {
		digits := r.next()
		n, length = digits.value, digits.length
	}
	r.number = true
	switch {
	case r.peek().kind == ':':
		r.zone.hour, r.zone.minute = n, none
	case length == 1 || length == 2:
		r.zone.hour, r.zone.minute = n, 0
	case length == 3 || length == 4:
		r.zone.hour, r.zone.minute = n/100, n%100
	default:
		return false
	}
	return true
}

// valid says whether what was read is a time that JavaScript can hold.
func (r *dateReader) valid() bool {
	year, month, day, ok := r.date()
	if !ok || !within(month, 1, 12) || !within(day, 1, 31) {
		return false
	}
	hours, ok := r.hours()
	if !ok {
		return false
	}
	at := time.Date(year, time.Month(month), day, hours, r.time[1], r.time[2], r.time[3]*1e6, time.UTC)
	offset := max(r.zone.hour, 0)*60 + max(r.zone.minute, 0)
	if !r.zone.negative {
		offset = -offset
	}
	const farthest = 8.64e15
	ms := float64(at.UnixMilli()) + float64(offset)*60_000
	return -farthest <= ms && ms <= farthest
}

// date tells the numbers apart.
func (r *dateReader) date() (year, month, day int, ok bool) {
	if len(r.day) == 0 {
		return 0, 0, 0, false
	}
	d := append(r.day, 1, 1)
	switch {
	case r.month == 0 && (r.iso || !within(d[0], 1, 31)):
		year, month, day = d[0], d[1], d[2]
	case r.month == 0:
		month, day, year = d[0], d[1], d[2]
	case !within(d[0], 1, 31):
		year, month, day = d[0], r.month, d[1]
	default:
		day, month, year = d[0], r.month, d[1]
	}
	if !r.iso {
		year = century(year)
	}
	return year, month, day, true
}

func century(year int) int {
	switch {
	case within(year, 0, 49):
		return year + 2000
	case within(year, 50, 99):
		return year + 1900
	}
	return year
}

// hours fills up the time and returns its hours on a clock of 24.
func (r *dateReader) hours() (int, bool) {
	for r.addTime(0) {
	}
	h, m, s, ms := r.time[0], r.time[1], r.time[2], r.time[3]
	if r.half != none {
		if !within(h, 0, 12) {
			return 0, false
		}
		h = h%12 + r.half
	}
	if within(h, 0, 23) && within(m, 0, 59) && within(s, 0, 59) && within(ms, 0, 999) {
		return h, true
	}
	return h, h == 24 && m == 0 && s == 0 && ms == 0
}
