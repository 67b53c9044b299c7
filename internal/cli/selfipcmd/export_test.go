package selfipcmd

import (
	"slices"

	"github.com/dshkit/dshkit/internal/cli"
)

// The tables that New adds, for tests.
var (
	English = slices.Concat(english, faultsEnglish, helpEnglish)
	Chinese = slices.Concat(chinese, faultsChinese, helpChinese)

	FaultsEnglish cli.Table = faultsEnglish
)
