package phrase

// Proposal holds the sentences that a decision on a proposal leaves in memory.
type Proposal struct {
	Rejected        string // id
	RejectedBecause string // id, reason
	Overflow        string // number that wait, first line of the further one
	Unwanted        string // a text that was to be stored, reason
}

var (
	proposalEnglish = Proposal{
		Rejected:        "the user rejected proposal %s; nothing of the kind should be proposed again",
		RejectedBecause: "the user rejected proposal %s: %s; nothing of the kind should be proposed again",
		Overflow:        "a further proposal was not stored while %d wait for a decision: %s",
		Unwanted:        "the user did not want this kept: \"%s\": %s",
	}
	proposalChinese = Proposal{
		Rejected:        "用户否决了提案 %s；不要再提出同类建议。",
		RejectedBecause: "用户否决了提案 %s：%s；不要再提出同类建议。",
		Overflow:        "已有 %d 条提案待确认，新的提案未存：%s",
		Unwanted:        "用户不希望保留「%s」：%s",
	}
)
