package redact

import "strings"

// provider is the shape of the credentials of one provider: a prefix, then at
// least min bytes of a set. Figures and names: spec/selfip.md 16 for the first
// ones, the public descriptions of the providers for the others.
type provider struct {
	prefix string
	set    charset
	min    int
	check  func(body string) bool // nil: the shape is enough
}

// label is the prefix without its final separator, the form of the originals.
func (p provider) label() string {
	return strings.TrimRight(p.prefix, "_-.")
}

// providersFor returns the providers whose prefix can be at the start of s. The
// prefixes in small letters hold a mark behind their first word, which ordinary
// words do not.
func providersFor(s string) []provider {
	if lower.has(s[0]) {
		k := alnum.run(s, 10)
		if k == len(s) || !(under | dash | dot).has(s[k]) {
			return nil
		}
	}
	switch s[0] {
	case 'g':
		return providersG[:]
	case 's':
		return providersS[:]
	case 'A', 'C', 'F', 'L', 'N', 'P', 'S', 'G', 'M', 'E', 'H':
		return providersUpper[:]
	case 'a', 'b', 'c', 'd', 'e', 'f', 'h', 'j', 'k', 'l', 'n', 'o', 'p', 'r', 't', 'v', 'w', 'x', 'y':
		return providersLower[:]
	}
	return nil
}

var (
	providersG = [...]provider{
		{"ghp_", alnum, 20, nil},
		{"github_pat_", word, 20, nil},
		{"gho_", alnum, 20, nil},
		{"ghu_", alnum, 20, nil},
		{"ghs_", alnum | under | dot | dash, 20, nil},
		{"ghr_", alnum, 20, nil},
		{"glpat-", token | dot, 20, nil},
		{"gldt-", token, 20, nil},
		{"glrt-", token | dot, 20, nil},
		{"glptt-", token, 20, nil},
		{"glcbt-", token, 20, nil},
		{"glsa_", word, 32, nil},
		{"glc_", alnum | radix, 32, isMixed},
		{"gsk_", alnum, 32, isMixed},
		{"glft-", token, 20, nil},
		{"glagent-", token, 20, nil},
		{"glimt-", token, 20, nil},
		{"glsoat-", token, 20, nil},
	}
	providersS = [...]provider{
		{"sk_live_", alnum, 16, nil},
		{"sk_test_", alnum, 16, nil},
		{"sk-", token, 20, isKeyBody},
		{"shpat_", alnum, 32, nil},
		{"shpca_", alnum, 32, nil},
		{"shpss_", alnum, 32, nil},
		{"sntrys_", alnum | under | radix, 32, nil},
		{"sntryu_", alnum, 32, nil},
		{"sbp_", alnum, 32, hasDigit},
		{"sq0atp-", token, 20, nil},
		{"sq0csp-", token, 20, nil},
		{"secret_", alnum, 40, isMixed},
		{"shppa_", alnum, 32, nil},
		{"sgp_", word, 40, hasDigit},
		{"sk.eyJ", token | dot, 40, isMixed},
	}
	providersUpper = [...]provider{
		{"AKIA", digit | upper, 12, nil},
		{"ASIA", digit | upper, 16, nil},
		{"AIza", token, 30, nil},
		{"AGE-SECRET-KEY-", digit | upper | dash, 20, nil},
		{"ATATT3", token | radix, 32, nil},
		{"LTAI", alnum, 12, isMixed},
		{"NRAK-", alnum, 20, nil},
		{"PMAK-", alnum | dash, 32, nil},
		{"SG.", token | dot, 40, isTwoPart},
		{"SK", digit | lower, 32, isHexKey},
		{"GOCSPX-", token, 20, nil},
		{"EAA", alnum, 60, isMixed},
		{"AKID", alnum, 32, isMixed},
		{"ABIA", digit | upper, 16, nil},
		{"ACCA", digit | upper, 16, nil},
		{"ATBB", alnum, 32, isMixed},
		{"ATCTT3", token | radix, 32, nil},
		{"AKCp", alnum, 60, isMixed},
		{"CCIPAT_", word, 32, hasDigit},
		{"EZAK", alnum, 50, isMixed},
		{"EZTK", alnum, 50, isMixed},
		{"FLWSECK-", token, 20, hasDigit},
		{"FLWSECK_TEST-", token, 20, hasDigit},
		{"PMAT-", digit | upper, 20, hasDigit},
		{"SWMTKN-1-", token, 40, nil},
		{"HRKU-AA", token, 32, isMixed},
	}
	providersLower = [...]provider{
		{"apify_api_", alnum, 30, isMixed},
		{"amzn.mws.", alnum | dash, 32, hasDigit},
		{"bkua_", alnum, 32, hasDigit},
		{"csk-", alnum, 40, hasDigit},
		{"duffel_live_", token, 40, nil},
		{"duffel_test_", token, 40, nil},
		{"e2b_", alnum, 32, hasDigit},
		{"figo_", token, 20, hasDigit},
		{"fw_", alnum, 22, isMixed},
		{"jina_", token, 40, isMixed},
		{"key-", digit | lower, 32, isHexKey},
		{"lin_oauth_", alnum, 32, nil},
		{"lsv2_pt_", word, 32, hasDigit},
		{"lsv2_sk_", word, 32, hasDigit},
		{"nfp_", alnum, 36, hasDigit},
		{"ops_eyJ", token | radix, 60, nil},
		{"pnu_", alnum, 36, hasDigit},
		{"pul-", digit | lower, 40, hasDigit},
		{"pat-na1-", token, 32, hasDigit},
		{"pat-eu1-", token, 32, hasDigit},
		{"pscale_oauth_", token, 32, isMixed},
		{"rnd_", alnum, 28, isMixed},
		{"rpa_", alnum, 40, isMixed},
		{"tfp_", word | dash, 40, isMixed},
		{"tgp_v1_", token, 40, isMixed},
		{"v1.0-", digit | lower | dash, 100, hasDigit},
		{"wandb_v1_", word, 40, isMixed},
		{"xoxa-", alnum | dash, 10, nil},
		{"xoxb-", alnum | dash, 10, nil},
		{"xoxc-", alnum | dash, 10, nil},
		{"xoxd-", alnum | dash, 10, nil},
		{"xoxe-", alnum | dash, 10, nil},
		{"xoxe.", alnum | dash | dot, 10, nil},
		{"xoxp-", alnum | dash, 10, nil},
		{"xoxr-", alnum | dash, 10, nil},
		{"xoxs-", alnum | dash, 10, nil},
		{"xapp-", alnum | dash, 20, hasDigit},
		{"xai-", alnum, 40, isMixed},
		{"dop_v1_", alnum, 20, nil},
		{"doo_v1_", alnum, 20, nil},
		{"dor_v1_", alnum, 20, nil},
		{"dckr_pat_", token, 20, nil},
		{"dckr_oat_", token, 20, nil},
		{"dp.pt.", alnum, 40, isMixed},
		{"dp.st.", token | dot, 40, isMixed},
		{"figd_", token, 20, nil},
		{"fm2_", alnum | radix, 60, isMixed},
		{"hf_", alnum, 20, nil},
		{"hvs.", token, 20, nil},
		{"hvb.", token, 20, nil},
		{"lin_api_", alnum, 20, nil},
		{"npm_", alnum, 30, nil},
		{"ntn_", alnum, 40, isMixed},
		{"nvapi-", token, 30, nil},
		{"pscale_tkn_", token, 32, isMixed},
		{"pscale_pw_", token, 32, isMixed},
		{"pypi-", token, 40, isMixed},
		{"pplx-", alnum, 30, nil},
		{"phc_", alnum, 32, nil},
		{"phx_", alnum, 32, nil},
		{"rk_live_", alnum, 16, nil},
		{"rk_test_", alnum, 16, nil},
		{"rubygems_", alnum, 32, nil},
		{"r8_", alnum, 30, nil},
		{"tskey-", token, 20, hasDigit},
		{"tvly-", token, 20, hasDigit},
		{"whsec_", alnum | radix, 20, nil},
		{"ya29.", token, 20, nil},
	}
)

// judged is how much of a candidate is looked at before it is accepted.
const judged = 512

// prefix looks for the credential of a known provider at i.
func (sc *scanner) prefix(i int) int {
	if end, label := sc.known(i); end > 0 {
		return sc.take(i, end, label, label)
	}
	if end := sc.webhook(i); end > 0 {
		return end
	}
	return sc.derKey(i)
}

// known returns the end and the label of a credential that starts at i.
func (sc *scanner) known(i int) (end int, label string) {
	s := sc.s[i:]
	for _, p := range providersFor(s) {
		if !strings.HasPrefix(s, p.prefix) {
			continue
		}
		body := s[len(p.prefix):]
		n := p.set.run(body, judged)
		if n < p.min || isFiller(body[:n]) || p.check != nil && !p.check(body[:n]) {
			continue
		}
		n = p.set.run(body, unbounded)
		return i + len(p.prefix) + n - trailing(body[:n]), p.label()
	}
	switch {
	case strings.HasPrefix(s, "eyJ"):
		return sc.webToken(i), "eyJ"
	case digit.has(s[0]):
		return sc.telegram(i)
	case strings.HasPrefix(s, "1//0") && token.run(s[4:], judged) >= 30:
		return i + 4 + token.run(s[4:], unbounded), "1//0"
	case s[0] == 'M' || s[0] == 'N' || s[0] == 'O':
		return sc.discord(i), "discord"
	}
	return 0, ""
}

// trailing returns how many bytes at the end of body are punctuation of the
// sentence around it.
func trailing(body string) int {
	return len(body) - len(strings.TrimRight(body, "."))
}

// webToken returns the end of a JSON web token: three parts of at least ten
// characters (the third may be missing when the second is a JSON object too).
func (sc *scanner) webToken(i int) int {
	if i < sc.jwtDead {
		return 0
	}
	const prefix, part = len("eyJ"), 10
	s := sc.s
	first := i + token.run(s[i:], unbounded)
	second := dotted(s, first)
	third := dotted(s, second)
	switch {
	case first-i < prefix+part || second-first <= part:
	case third-second > part:
		return third
	case strings.HasPrefix(s[first+1:], "eyJ"):
		return max(second, third)
	}
	sc.jwtDead = first
	return 0
}

// dotted returns the end of a dot at i and the token behind it, i if there is
// none.
func dotted(s string, i int) int {
	if i >= len(s) || s[i] != '.' {
		return i
	}
	n := token.run(s[i+1:], unbounded)
	if n == 0 {
		return i
	}
	return i + 1 + n
}

// telegram looks for the token of a bot: digits, a colon, 35 characters.
func (sc *scanner) telegram(i int) (end int, label string) {
	s := sc.s[i:]
	n := digit.run(s, 11)
	if n < 8 || n > 10 || !strings.HasPrefix(s[n:], ":AA") {
		return 0, ""
	}
	if body := token.run(s[n+1:], 64); body < 33 || body > 40 {
		return 0, ""
	}
	return i + n + 1 + token.run(s[n+1:], 64), "telegram"
}

// discord looks for the token of a bot: an encoded number, a time, a digest.
func (sc *scanner) discord(i int) int {
	s := sc.s[i:]
	a := token.run(s, 32)
	if a < 23 || a > 28 || a >= len(s) || s[a] != '.' {
		return 0
	}
	b := token.run(s[a+1:], 8)
	if c := a + 1 + b; b < 6 || b > 7 || c >= len(s) || s[c] != '.' || !isMixed(s[:a]) {
		return 0
	}
	c := token.run(s[a+b+2:], 64)
	if c < 27 || c > 45 {
		return 0
	}
	return i + a + b + 2 + c
}

// webhook looks for an address whose last part is a credential.
func (sc *scanner) webhook(i int) int {
	s := sc.s[i:]
	if s[0] != 'h' && s[0] != 'd' {
		return 0
	}
	for _, host := range [...]string{"hooks.slack.com/services/", "discord.com/api/webhooks/", "discordapp.com/api/webhooks/"} {
		if !strings.HasPrefix(s, host) {
			continue
		}
		n := (token | radix).run(s[len(host):], judged)
		if path := s[len(host) : len(host)+n]; n >= 20 && hasDigit(path) {
			return sc.take(i+len(host), i+len(host)+n, "webhook", "webhook")
		}
	}
	return 0
}

// isKeyBody tells a key from a slug such as sk-learn-compatible-estimator: a
// key has a long part without hyphens, or is well mixed.
func isKeyBody(body string) bool {
	run, digits, uppers := 0, 0, 0
	for i := 0; i < len(body); i++ {
		switch {
		case body[i] == '-':
			run = -1
		case digit.has(body[i]):
			digits++
		case upper.has(body[i]):
			uppers++
		}
		if run++; run >= 16 {
			return true
		}
	}
	return digits >= 6 || digits > 0 && uppers > 0
}

// isMixed reports whether body has digits and both cases of letters.
func isMixed(body string) bool {
	var seen charset
	for i := 0; i < len(body); i++ {
		seen |= kindOf(body[i])
	}
	return seen&digit != 0 && seen&upper != 0 && seen&lower != 0
}

func hasDigit(body string) bool { return strings.ContainsAny(body, "0123456789") }

// isHexKey reports whether body is exactly 32 hexadecimal digits.
func isHexKey(body string) bool {
	return len(body) == 32 && strings.Trim(body, "0123456789abcdef") == ""
}

// isFiller reports whether v only stands for a value: xxxx, ***, ... .
func isFiller(v string) bool {
	return strings.Trim(v, "xX*.-_•…#?") == ""
}

// isTwoPart reports whether body is two long parts with a dot between.
func isTwoPart(body string) bool {
	a, b, ok := strings.Cut(body, ".")
	return ok && len(a) >= 16 && len(b) >= 16
}
