package selfipcmd

import "github.com/dshkit/dshkit/internal/cli"

// The tables that New adds, for tests.
var (
	English, Chinese = allTables()

	FaultsEnglish cli.Table = faultsEnglish
)

func allTables() (english, chinese cli.Table) {
	for _, t := range tables {
		english, chinese = append(english, t.english...), append(chinese, t.chinese...)
	}
	return english, chinese
}
