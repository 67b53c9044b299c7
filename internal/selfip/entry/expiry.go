package entry

import (
	"strings"
	"sync"
)

// Review periods in days (spec/selfip.md 17.1).
const (
	ttlCredential = 30
	ttlService    = 90
	ttlDefault    = 180
)

// Words that say what an entry depends on. They are looked for anywhere in the
// lower-cased text, as the originals do.
var (
	credentialWords = []string{
		"api key", "api_key", "api-key", "apikey", "token", "password", "secret",
		"密钥", "密码", "凭据", "凭证",
	}
	serviceWords = []string{
		"endpoint", "base url", "base_url", "base-url", "baseurl", "host", "model:", "model=",
		"model :", "model =", "quota", "pricing", "version",
		"端点", "域名", "模型名", "配额", "价格", "计费", "版本号",
	}
)

// InferTTL returns after how many days an entry with this text should be looked
// at again. Pass the text as it was before redaction: the words that name a
// credential are gone afterwards.
func InferTTL(s string) int {
	s = strings.ToLower(s)
	words, ttl := expiryWords(), ttlDefault
	for i := range len(s) {
		for _, w := range words[s[i]] {
			if w.ttl < ttl && strings.HasPrefix(s[i:], w.word) {
				ttl = w.ttl
			}
		}
	}
	return ttl
}

// expiryWord is a word that shortens the review period.
type expiryWord struct {
	word string
	ttl  int
}

// expiryWords are all words by their first byte, so that a text is gone through
// once.
var expiryWords = sync.OnceValue(func() *[256][]expiryWord {
	var out [256][]expiryWord
	for _, w := range credentialWords {
		out[w[0]] = append(out[w[0]], expiryWord{w, ttlCredential})
	}
	for _, w := range serviceWords {
		out[w[0]] = append(out[w[0]], expiryWord{w, ttlService})
	}
	return &out
})
