package redact

import "strings"

const (
	blockLabel = "-----BEGIN"
	blockEnd   = "-----END "
	keyWords   = "PRIVATE KEY"
)

// keyBlock looks for a PEM private key at i, over lines or on one line. A block
// whose end is missing is taken as far as its body goes, and an end whose
// beginning is missing takes the body before it. A line that stands alone in a
// sentence is only talk of keys.
func (sc *scanner) keyBlock(i int) int {
	s := sc.s
	if n := keyLine(s[i:], blockLabel+" "); n > 0 {
		if end := sc.blockExtent(i + n); end > i+n {
			return sc.take(i, end, blockLabel, blockLabel)
		}
	}
	if n := keyLine(s[i:], blockEnd); n > 0 {
		if begin := sc.bodyBefore(i); begin < i {
			return sc.take(begin, i+n, blockLabel, blockLabel)
		}
	}
	return 0
}

// keyLine returns the length of a BEGIN or END line of a private key at the
// start of s, 0 if there is none. The hyphens at its end may be cut off.
func keyLine(s, head string) int {
	if !strings.HasPrefix(s, head) {
		return 0
	}
	n := len(head) + (upper|digit|blank).run(s[len(head):], 60)
	k := strings.Index(s[:n], keyWords)
	if k < 0 {
		return 0
	}
	n = k + len(keyWords)
	n += len(s[n:]) - len(strings.TrimPrefix(s[n:], " BLOCK"))
	return n + dash.run(s[n:], len("-----"))
}

// blockExtent returns the end of the block whose first line ends at i.
func (sc *scanner) blockExtent(i int) int {
	for at := i; !sc.noEnd; {
		k := strings.Index(sc.s[at:], blockEnd)
		if k < 0 {
			sc.noEnd = true
			break
		}
		if n := keyLine(sc.s[at+k:], blockEnd); n > 0 {
			return at + k + n
		}
		at += k + len(blockEnd)
	}
	return i + bodyLength(sc.s[i:])
}

// bodyLength returns the length of the base64 lines at the start of s, with the
// header lines of an old-style block before them.
func bodyLength(s string) int {
	end := 0
	for at := 0; at < len(s); {
		gap := gapLength(s[at:])
		if n := headerLength(s[at+gap:]); n > 0 {
			at += gap + n
			end = at
			continue
		}
		n := (alnum | radix).run(s[at+gap:], unbounded)
		if n == 0 || n < minBodyLine && !isLastLine(s[at+gap:at+gap+n], end) {
			return end
		}
		at += gap + n
		end = at
	}
	return end
}

// minBodyLine is the length from which a run of base64 is no word. Blocks have
// lines of 64 or 76; what was wrapped or cut can be shorter.
const minBodyLine = 16

// isLastLine reports whether a short run ends a body: it follows one and looks
// like base64 and not like a word.
func isLastLine(v string, before int) bool {
	return before > 0 && (strings.HasSuffix(v, "=") || hasDigit(v) && strings.ToLower(v) != v)
}

// gapLength returns the length of what divides two lines of a body: line ends
// and blanks, and what a diff, a quotation, a program text or a listing with
// numbers puts around each line.
func gapLength(s string) int {
	n := 0
	for n < len(s) && n < 64 {
		switch {
		case strings.HasPrefix(s[n:], `\n`) || strings.HasPrefix(s[n:], `\r`):
			n += 2
		case strings.IndexByte(" \t\n\r>|#*\"',", s[n]) >= 0:
			n++
		case s[n] == '+' && endsLine(s[n+1:]):
			n++
		default:
			k := gutterLength(s, n)
			if k == 0 {
				return n
			}
			n += k
		}
	}
	return n
}

// endsLine reports whether nothing but blanks stands before the next line end.
func endsLine(s string) bool {
	rest := strings.TrimLeft(s[:min(len(s), 16)], " \t\r")
	return rest == "" || rest[0] == '\n'
}

// gutterLength returns the length of the line number at n, 0 if there is none.
func gutterLength(s string, n int) int {
	k := digit.run(s[n:], 6)
	before := strings.TrimRight(s[:n], " \t")
	if k == 0 || !strings.HasSuffix(before, "\n") {
		return 0
	}
	for _, mark := range [...]string{"\t", "→", ": ", ":\t", "| ", " | ", "│ "} {
		if strings.HasPrefix(s[n+k:], mark) {
			return k + len(mark)
		}
	}
	return 0
}

func headerLength(s string) int {
	for _, name := range [...]string{"Proc-Type:", "DEK-Info:", "Comment:", "Version:"} {
		if strings.HasPrefix(s, name) {
			if end := strings.IndexAny(s[:min(len(s), 200)], "\r\n\\"); end > 0 {
				return end
			}
			return len(name)
		}
	}
	return 0
}

// bodyBefore returns where the base64 lines that end at i begin, but not
// before the last span.
func (sc *scanner) bodyBefore(i int) int {
	floor := 0
	if n := len(sc.spans); n > 0 {
		floor = sc.spans[n-1].end
	}
	begin := i
	for at := i; at > floor; {
		stop := at
		for stop > floor && strings.IndexByte(" \t\r\n", sc.s[stop-1]) >= 0 {
			stop--
		}
		from := stop
		for from > floor && (alnum | radix).has(sc.s[from-1]) {
			from--
		}
		if n := stop - from; n == 0 || n < minBodyLine && !isLastLine(sc.s[from:stop], 1) {
			break
		}
		begin, at = from, from
	}
	return begin
}

// derPrefixes begin the base64 of private keys: SEC 1 and PKCS 8 elliptic
// curve keys, Ed25519, OpenSSH. RSA is matched by isRSA.
var derPrefixes = [...]string{"MHcCAQEE", "MIGHAgEA", "MC4CAQAw", "b3BlbnNzaC1rZXktdjE"}

// derKey looks for the body of a private key that has lost its first line.
func (sc *scanner) derKey(i int) int {
	s := sc.s[i:]
	if s[0] != 'M' && s[0] != 'b' {
		return 0
	}
	found := isRSA(s)
	for _, p := range derPrefixes {
		found = found || strings.HasPrefix(s, p)
	}
	if !found || (alnum|radix).run(s, judged) < 40 {
		return 0
	}
	end := i + bodyLength(s)
	if n := gapLength(sc.s[end:]); keyLine(sc.s[end+n:], blockEnd) > 0 {
		end += n + keyLine(sc.s[end+n:], blockEnd)
	}
	return sc.take(i, end, blockLabel, blockLabel)
}

// isRSA reports whether s begins with the base64 of a sequence whose first
// member is the number 0: an RSA key (PKCS 1) or any key in PKCS 8.
func isRSA(s string) bool {
	return len(s) > 12 && strings.HasPrefix(s, "MII") && s[6:9] == "IBA" && (s[9] == 'A' || s[9] == 'D')
}
