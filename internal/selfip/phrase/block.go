package phrase

// Block holds the sentences of the injected block.
type Block struct{}

var (
	blockEnglish = Block{}
	blockChinese = Block{}
)
