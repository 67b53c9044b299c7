package learn

import (
	"regexp"
	"strings"
	"sync"

	"github.com/dshkit/dshkit/pkg/text"
)

// continuePatterns tell whether a clause goes on with what the one before it
// said.
type continuePatterns struct {
	contrast, contrastUse, uses, usesNot, usesInstead, timed, condition *regexp.Regexp
	zhContrast, zhContrastUse, zhUses, zhNot, zhInstead, zhTime         *regexp.Regexp
}

var continuing = sync.OnceValue(func() continuePatterns {
	re := regexp.MustCompile
	return continuePatterns{
		contrast:    re(`^(?:and not|but not|not|instead of|rather than|no longer|but rather)\b`),
		contrastUse: re(`^(?:don't|do not|dont|never) (?:ever )?(?:use|run|call)\b`),
		uses:        re(`\b(?:use|run|call|prefer|with)\b`),
		usesNot:     re(`^(?:don't|do not|dont|never|stop) (?:ever )?(?:use|using|run|running|call|calling)\b`),
		usesInstead: re(`^(?:but |please )?(?:use|run|call)\b`),
		condition:   re(`^(?:to|for|when|unless|except|if|in|on|until|only) |^除(?:非|了)`),
		timed:       re(`^(?:before|after|whenever) [^,]+$`),

		zhContrast:    re(`^(?:而)?(?:不是|不在|而非|并非|不叫)|^而`),
		zhContrastUse: re(`^(?:不要|别|不)(?:再)?(?:直接|用|使用|跑|运行|走)`),
		zhUses:        re(`用|使用|跑|运行|走`),
		zhNot:         re(`(?:不是|不在|不叫)[^,，]+$|^(?:不要|别)|[^,，]不要[^,，]+$`),
		zhInstead:     re(`^(?:而是|是|而在|在|叫|应该是|要|应该|请用|用|改用|应该用|统一用)`),
		zhTime:        re(`^(?:每次|每个|凡是|所有|提交|推送|合并|发布|部署|上线|改完|改了|修改|新增|写完|提 ?pr|commit|push|merge)[^,，]{0,16}(?:前|后|时|的时候|完)$`),
	}
})

// continues reports whether the clause next belongs to the statement body: the
// other half of a contrast, or what is to be done at the time that body names.
func continues(body, next string) bool {
	if text.Len(body)+text.Len(next) > maxStatement {
		return false
	}
	p := continuing()
	b, n := asciiLower(strings.ReplaceAll(body, "’", "'")), asciiLower(strings.ReplaceAll(next, "’", "'"))
	switch {
	case p.contrast.MatchString(n), p.zhContrast.MatchString(n), strings.HasPrefix(n, "but ") && strings.Contains(b, " not "):
		return !startsClause(" " + n + " ")
	case p.condition.MatchString(n):
		return true
	case p.contrastUse.MatchString(n) && p.uses.MatchString(b), p.zhContrastUse.MatchString(n) && p.zhUses.MatchString(b):
		return true
	case p.usesNot.MatchString(b) && p.usesInstead.MatchString(n), p.zhNot.MatchString(b) && p.zhInstead.MatchString(n):
		return true
	}
	if strings.Contains(b, "先") && strings.HasPrefix(n, "再") {
		return true
	}
	return p.timed.MatchString(b) || p.zhTime.MatchString(b)
}
