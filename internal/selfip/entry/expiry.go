package entry

import "strings"

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
	switch {
	case containsAny(s, credentialWords):
		return ttlCredential
	case containsAny(s, serviceWords):
		return ttlService
	}
	return ttlDefault
}

func containsAny(s string, words []string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}
