package search

// isStopWord reports whether w carries no meaning in a question: articles,
// pronouns, prepositions, auxiliaries, question words and what an apostrophe
// leaves of them. Such words are indexed all the same, for a question that has
// nothing else. A switch costs no work when the process starts.
func isStopWord(w []byte) bool {
	if len(w) > 7 {
		return false
	}
	switch string(w) {
	case "a", "an", "the", "this", "that", "these", "those", "there", "here",
		"i", "me", "my", "we", "our", "you", "your", "he", "him", "his", "she", "her",
		"it", "its", "they", "them", "their",
		"who", "whom", "whose", "what", "which", "when", "where", "why", "how",
		"am", "is", "are", "was", "were", "be", "been", "being",
		"do", "does", "did", "doing", "have", "has", "had", "having",
		"can", "could", "will", "would", "shall", "should", "may", "might", "must",
		"and", "or", "but", "nor", "not", "no", "so", "if", "then", "than", "as", "because", "while",
		"of", "in", "on", "at", "by", "for", "with", "from", "to", "into", "onto",
		"about", "between", "such", "too", "very", "also", "any", "some",
		"s", "t", "d", "ll", "m", "re", "ve", "don", "doesn", "didn", "isn", "aren", "wasn", "won":
		return true
	}
	return false
}

// isStopChar reports whether a Chinese character is never a term on its own
// (the list of spec/selfip.md 13.1).
func isStopChar(r rune) bool {
	switch r {
	case '的', '了', '是', '在', '和', '与', '就', '都', '也', '很', '我', '你', '他', '她', '它',
		'这', '那', '有', '不', '而', '及', '或', '把', '被', '让', '给', '对', '从', '到', '为',
		'以', '之', '其', '则', '于', '并', '且', '但', '若', '因', '只', '哪', '谁', '什', '么',
		'怎', '样', '会', '能', '要', '可', '上', '下', '中', '个', '们':
		return true
	}
	return false
}

// isHiragana reports whether r is of the script in which Japanese writes
// particles and endings: alone it says nothing about the subject.
func isHiragana(r rune) bool { return r >= 0x3040 && r <= 0x309F }
