package node

import "strings"

// The parameters of RFC 3492, section 5.
const (
	punyBase, punyMin, punyMax   = 36, 1, 26
	punySkew, punyDamp, punyBias = 38, 700, 72
	punyFirst, punyLimit         = 128, 0x10FFFF
	punyDigits                   = "abcdefghijklmnopqrstuvwxyz0123456789"
)

func punyAdapt(delta, count int, first bool) int {
	if first {
		delta /= punyDamp
	} else {
		delta /= 2
	}
	delta += delta / count
	k := 0
	for ; delta > (punyBase-punyMin)*punyMax/2; k += punyBase {
		delta /= punyBase - punyMin
	}
	return k + (punyBase-punyMin+1)*delta/(delta+punySkew)
}

func punyThreshold(k, bias int) int { return min(max(k-bias, punyMin), punyMax) }

func punycode(label []rune) string {
	var out strings.Builder
	for _, r := range label {
		if r < punyFirst {
			out.WriteRune(r)
		}
	}
	basic := out.Len()
	if basic > 0 {
		out.WriteByte('-')
	}
	n, delta, bias := punyFirst, 0, punyBias
	for done := basic; done < len(label); {
		next := punyLimit
		for _, r := range label {
			if int(r) >= n {
				next = min(next, int(r))
			}
		}
		delta += (next - n) * (done + 1)
		n = next
		for _, r := range label {
			if int(r) < n {
				delta++
			}
			if int(r) == n {
				punyNumber(&out, delta, bias)
				bias = punyAdapt(delta, done+1, done == basic)
				delta = 0
				done++
			}
		}
		delta++
		n++
	}
	return out.String()
}

func punyNumber(out *strings.Builder, q, bias int) {
	for k := punyBase; ; k += punyBase {
		t := punyThreshold(k, bias)
		if q < t {
			out.WriteByte(punyDigits[q])
			return
		}
		out.WriteByte(punyDigits[t+(q-t)%(punyBase-t)])
		q = (q - t) / (punyBase - t)
	}
}

func unpunycode(s string) (string, bool) {
	var out []rune
	if dash := strings.LastIndexByte(s, '-'); dash > 0 {
		out, s = []rune(s[:dash]), s[dash+1:]
	}
	n, i, bias := punyFirst, 0, punyBias
	for s != "" {
		before, w := i, 1
		for k := punyBase; ; k += punyBase {
			if s == "" {
				return "", false
			}
			digit := strings.IndexByte(punyDigits, s[0])
			s = s[1:]
			if digit < 0 || w > punyLimit*punyBase {
				return "", false
			}
			i += digit * w
			t := punyThreshold(k, bias)
			if digit < t {
				break
			}
			w *= punyBase - t
		}
		bias = punyAdapt(i-before, len(out)+1, before == 0)
		n += i / (len(out) + 1)
		i %= len(out) + 1
		if n > punyLimit {
			return "", false
		}
		out = append(out[:i], append([]rune{rune(n)}, out[i:]...)...)
		i++
	}
	return string(out), len(out) > 0
}
