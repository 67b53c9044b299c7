package jsonvalue

import (
	"math"
	"strconv"
	"strings"
)

// FormatNumber writes a number as ECMAScript's Number::toString does: the
// shortest digits that read back as the same number, 1e21 as "1e+21", -0 as "0",
// and NaN, Infinity, -Infinity by their names.
func FormatNumber(f float64) string {
	switch {
	case f == 0:
		return "0"
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	case f < 0:
		return "-" + FormatNumber(-f)
	case f < 1<<53 && f == math.Trunc(f):
		return strconv.FormatInt(int64(f), 10)
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(f, 'e', -1, 64), "e")
	digits := strings.Replace(mantissa, ".", "", 1)
	power, _ := strconv.Atoi(exponent)
	return layOut(digits, power+1)
}

// layOut writes 0.digits times ten to the point. The bounds are those of the
// standard (Number::toString, steps 6 to 12).
func layOut(digits string, point int) string {
	n := len(digits)
	switch {
	case n <= point && point <= 21:
		return digits + strings.Repeat("0", point-n)
	case 0 < point && point <= 21:
		return digits[:point] + "." + digits[point:]
	case -6 < point && point <= 0:
		return "0." + strings.Repeat("0", -point) + digits
	}
	sign := "+"
	if point < 1 {
		sign = ""
	}
	if n > 1 {
		digits = digits[:1] + "." + digits[1:]
	}
	return digits + "e" + sign + strconv.Itoa(point-1)
}
