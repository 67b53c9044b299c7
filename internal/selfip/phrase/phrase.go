// Package phrase holds every sentence that selfip puts before an agent, in the
// languages of the user: one table a language, with the same fields.
package phrase

// Table is all the sentences in one language.
type Table struct {
	Block    Block    // the injected block
	Learn    Learn    // what the local engine writes
	Prompt   Prompt   // what a prompt calls for
	Proposal Proposal // what a decision leaves in memory
	Retro    Retro    // what a model is asked about a session
	Compact  Compact  // what a model is told that compacts a file
	Skill    Skill    // a playbook that is offered as a skill
	Sleep    Sleep    // what consolidation asks and writes
}

// For returns the table of a language: Chinese for "zh-CN", else English.
func For(language string) Table {
	if language == "zh-CN" {
		return Table{
			Block:    blockChinese,
			Learn:    learnChinese,
			Prompt:   promptChinese,
			Proposal: proposalChinese,
			Retro:    retroChinese,
			Compact:  compactChinese,
			Skill:    skillChinese,
			Sleep:    sleepChinese,
		}
	}
	return Table{
		Block:    blockEnglish,
		Learn:    learnEnglish,
		Prompt:   promptEnglish,
		Proposal: proposalEnglish,
		Retro:    retroEnglish,
		Compact:  compactEnglish,
		Skill:    skillEnglish,
		Sleep:    sleepEnglish,
	}
}
