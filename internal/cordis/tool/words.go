package tool

// words are what a tool is called and described as.
type words struct{ title, description string }

// language holds all that is worded in one language.
type language struct {
	tools     map[Name]words
	arguments texts
	results   results
}

func wordsOf(lang string) map[Name]words { return in(lang).tools }

func in(lang string) language {
	if lang == Chinese {
		return chinese()
	}
	return english()
}
