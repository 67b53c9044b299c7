package similar

// isFiller reports whether a word in lower case says nothing that two texts
// could differ in. Prepositions, tenses and "or" are not among them.
func isFiller(w string) bool {
	switch w {
	case "a", "an", "the", "is", "are", "be", "am", "it", "its", "that", "this", "there", "which",
		"and", "please", "just", "really", "very", "so", "do", "does", "i", "we", "us", "you", "our", "your", "my":
		return true
	}
	return false
}

// isBound reports whether a word, or a character of Chinese, denies, bounds or
// dates what is said: with it, or without it, another thing is said.
func isBound(w string) bool {
	switch w {
	case "not", "no", "never", "none", "nor", "without", "neither", "cannot",
		"or", "if", "unless", "until", "except", "only", "but", "instead", "before", "after", "since", "while",
		"all", "every", "each", "any", "some", "most", "both", "always", "sometimes", "often", "rarely",
		"old", "new", "former", "previous", "next", "first", "last", "latest", "current", "legacy", "deprecated",
		"min", "max", "minimum", "maximum", "more", "less", "least", "above", "below", "under", "over",
		"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "once", "twice",
		"was", "were", "will", "may", "might", "must", "should", "can", "could", "would":
		return true
	case "不", "没", "别", "勿", "未", "无", "非", "禁", "莫", "否", "或", "若", "除", "只", "仅", "前", "后",
		"每", "全", "旧", "新", "原", "曾", "最", "多", "少", "上", "下", "左", "右", "主", "备", "内", "外":
		return true
	}
	return false
}
