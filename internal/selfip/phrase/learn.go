package phrase

// Learn holds the sentences of the lines that the local engine writes.
type Learn struct{}

var (
	learnEnglish = Learn{}
	learnChinese = Learn{}
)
