package learn

import (
	"regexp"
	"strings"
	"sync"
)

// englishPatterns recognise English statements in lower case.
type englishPatterns struct {
	adverb, modal, universal, plural, dont, dontUse, useNot, preferred, language, timed *regexp.Regexp
	moment, project, loose, complaint, request                                          *regexp.Regexp
	copula, notBut, tailNot, vagueSubject, diagnosis, noun, bareNoun, useAny, belief    *regexp.Regexp
	valueLike, plainValue, correctUse, question, indefinite, keepTo                     *regexp.Regexp
}

// craft is what rules of work are about; what the product should do is a
// request, however it is worded.
const craft = `\b(?:messages?|commits?|prs?|pull requests?|tests?|branch(?:es)?|comments?|migrations?|functions?|methods?|class(?:es)?|types?|files?|imports?|names?|variables?|` +
	`constants?|modules?|packages?|docs?|docstrings?|changes?|fixtures?|mocks?|titles?|descriptions?|repl(?:y|ies)|answers?|releases?|timestamps?|ids?|secrets?|credentials?|` +
	`code|changelog|diffs?|dependenc(?:y|ies)|scripts?|configs?|errors?|exceptions?|logs?|queries|endpoints?|apis?|schemas?|versions?)\b`

// englishNouns name the subjects of definitions.
const englishNouns = `(?:ports?|host(?:name)?s?|servers?|urls?|address(?:es)?|endpoints?|databases?|db|branch(?:es)?|director(?:y|ies)|folders?|paths?|files?|configs?|configuration|` +
	`settings|versions?|users?|user ?names?|accounts?|buckets?|regions?|time ?zones?|schemas?|tables?|queues?|topics?|namespaces?|clusters?|registr(?:y|ies)|images?|` +
	`package managers?|commands?|scripts?|entry ?points?|owners?|maintainers?|deadlines?|teams?|repos?|repositor(?:y|ies)|projects?|services?|docs|documentation|runbooks?|` +
	`dashboards?|environments?|env|encodings?|formats?|licen[cs]es?|languages?|frameworks?|defaults?|limits?|timeouts?|currenc(?:y|ies)|names?|modules?|packages?|` +
	`migrations?|fixtures?|templates?|logs?|ids?|prefix(?:es)?|conventions?|remotes?|proxy|proxies|mirror|compiler|linter|formatter|runtime|channel|cache|tests|ci|cd|app|api|website|backend|frontend|workers?|jobs)`

var english = sync.OnceValue(func() englishPatterns {
	re := regexp.MustCompile
	return englishPatterns{
		adverb:    re(`^(?:in this (?:repo|project|codebase|team) )?(?:(we|i) )?(?:always|never) ([a-z']+)`),
		modal:     re(`\b(?:should|must|shall|may) (?:always|never)\b|^(?:you|we|.*` + craft + `.*) (?:must not|mustn't|may not)\b|\bneed(?:s)? to always\b`),
		universal: re(`^(?:all|every|each|any|no) .*` + craft + `.*\b(?:should|must|shall|has to|have to|needs?|goes? (?:in|into|to|under)|belongs?|uses?|may)\b`),
		plural:    re(`^(?:[\w./'-]+ ){0,3}?` + craft + ` (?:should|must|shall|have to|need to|shouldn't)\b`),
		dont:      re(`^(?:don't|do not|dont|avoid|stop) (?:ever )?([a-z']+) ?(.*)$`),
		dontUse:   re(`^(?:don't|do not|dont|never|stop) (?:ever )?(?:use|using|run|running|call|calling) (.+?),? (?:but |please )?(?:use|run|call) (.+)$`),
		useNot: re(`^(?:.{0,30}\b)?(?:use|run|prefer|choose|call|import|write|put|return|pick|target|branch (?:from|off)|base|commit to|push to|deploy to|go with|stick (?:to|with)|log|store|name) ` +
			`(.+?)(?:,? (?:and )?not |,? instead of |,? rather than |, (?:don't|do not|never)(?: ever)?(?: use| run| call)? | over )(.+)$`),
		preferred: re(`^(?:(?:i|we) (?:strongly |really |generally |usually |much |would |always )*(?:prefer|hate|dislike|rather)|i'd (?:prefer|rather)|(?:i|we) (?:don't|do not) like|prefer|my preference)\b`),
		language: re(`\b(?:write|reply|respond|answer|comment|document|speak|communicate|talk|describe|commit messages?|comments|pr (?:text|description|title)s?|replies|docs)\b.*\bin (?:english|chinese|simplified chinese|japanese|german|french|spanish|korean)\b|` +
			`\buse (?:english|chinese) (?:for|in|when)\b`),
		timed: re(`^(?:before|after) (?:every|each|any|all|committing|pushing|merging|releasing|deploying|opening|you (?:commit|push|merge|deploy|release|open|finish)|a (?:commit|push|merge|deploy|release)|commits?|pushes|merges|releases)\b.*, .+|^(?:before|after) (?:every|each|any) [a-z]+ (?:run|check|update|add|bump|regenerate|format|test|rebuild)\b.+|^whenever you .+, [a-z]+ .+` +
			`|^(?:run|check|update|add|bump|regenerate|format|test)\b.+ (?:before|after) (?:every|each|any|committing|pushing|merging|releasing|deploying)\b`),
		moment: re(`\b(?:now|today|tonight|tomorrow|this time|at the moment|yet|again|first|quickly|asap|right away|still|currently|just|here|above|below|earlier|for this|so far|next|then)\b|\b(?:this|these|those)\b`),
		// The project is an antecedent that every reader has.
		project:      re(`\bthis (?:project|repo|repository|codebase|workspace|monorepo|team|machine|service|app|package|module)\b`),
		loose:        re(`(?:^| )(?:it|them|that|this|these|those|there|one|so|anything|everything|something|him|her|either|yourself)$`),
		complaint:    re(`\b(?:fail(?:s|ed|ing|ure)?|error(?:s|ing)?|broken|crash(?:es|ed|ing)?|wrong|bugs?|buggy|hangs?|slow|empty|missing|null|undefined|nan|exception|stuck|flaky|timing out|times out|doesn't|does not|isn't|can't|cannot|won't|not working|500|502|503|404)\b`),
		request:      re(`^(?:fix|run|add|write|make|create|update|change|remove|delete|check|look|show|explain|tell|find|implement|refactor|try|go|do|give|let|help|commit|push|merge|open|read|review|test|build|deploy|rename|move|clean|revert|continue|start|stop|install|use|put|set|don't|do not|i want|i need|i'd like)\b`),
		copula:       re(`^(.{2,80}?) (?:is now|are now|was moved to|were moved to|moved to|should be|should have been|must be|(?:is|are) (?:located|stored|kept|defined|deployed|hosted|published|generated|written|called|named)(?: (?:in|at|under|on|to|by|with|from))?|lives? (?:in|at|under|on)|listens? on|runs? on|points? to|belongs? (?:in|to|under)|goes? (?:in|into|under|to)|uses?|expects?|requires?|needs?|is|are) (.+)$`),
		notBut:       re(`^(.{2,80}?) (?:is|are|lives? in|lives? at|uses?|runs? on|listens? on) not (?:in |at |on )?(.+?),? but (?:in |at |on |rather )?(.+)$`),
		tailNot:      re(`^(.+?),? (?:(?:and |but )?not|instead of|rather than|no longer) (?:in |at |on |under |to |from )?(.+)$`),
		vagueSubject: re(`^(?:it|its|it's|that|that's|this|these|those|they|he|she|there|here|which|what|because|since|if|when|while|i|you|who|the (?:one|thing|other one|former|latter|first|second|same))(?:'s|'re)?(?: |$)`),
		diagnosis:    re(`^(?:the |your |my |our )?(?:problem|issue|bug|cause|reason|result|output|response|status|error|value|answer|message|point|goal|idea|plan|fix|question|expected|actual|trick|next step|task|diff|change|patch|failure)\b`),
		noun:         re(`\b` + englishNouns + `$`),
		bareNoun:     re(`^(?:the |our |my |its )?(?:files?|paths?|commands?|names?|configs?|versions?|urls?|address|folders?|director(?:y|ies)|scripts?|modules?|limits?|formats?|docs|logs?|ids?|images?|packages?|tables?|users?|settings|endpoints?|apps?|jobs|defaults?|links?|services?)$`),
		useAny:       re(`^(?:we|our (?:team|project|company|repo|stack|backend|frontend|ci)|(?:the|this) (?:project|repo|repository|codebase|monorepo|service|app|package|team|backend|frontend|ci)|production|staging|prod|ci) (?:all |also )?uses? (?:the )?([a-z0-9@].*)$|^i (?:usually |only |mostly )?use ([a-z0-9.+-]+(?: \d[\w.]*)?)(?: (?:for|on|with) .+)?$|^(?:we|i)(?:'re| are|'m| am) (?:on|using) ([a-z].*\d.*)$`),
		indefinite:   re(`^(?:the |our |my |its )?(?:files?|functions?|variables?|methods?|class(?:es)?|tests?|fields?|columns?|values?|dates?|buttons?|labels?|lines?|params?|parameters?|arguments?|pages?|names?|endpoints?|types?|first one|second one|order|title)$`),
		keepTo:       re(`^keep [a-z ]*s (?:under|below|short|small|within|to) .+`),
		belief:       re(`^(?:i think|i guess|i believe|maybe|perhaps|probably|not sure|looks like|seems|apparently|i wonder|hopefully)\b`),
		valueLike:    re("[0-9/_@`]|[a-z][A-Z]|[A-Za-z0-9][.-][A-Za-z0-9]|(?:^| )[A-Z][A-Za-z0-9]+"),
		plainValue:   re(`^(?:called |named )?"?[a-z]+"?(?: [a-z]+)?$`),
		correctUse:   re(`^(?:use|run|call|target|push to|deploy to|branch from|connect to|it should use|we use) (.+)$`),
		question:     re(`^(?:what|why|how|where|when|who|which|do (?:you|we|i|they|the)|does|did (?:you|we)|is|are|should i|should we|can i|can we|could we|shall)\b`),
	}
})

// notVerbs follow "always" or "never" in sentences that ask for nothing.
const notVerbs = " have mind the a an this that it been had was were got ever again once in on at there so too quite "

// isBaseVerb reports whether w can be what a rule asks for, rather than what is
// being told of: "always fails" tells.
func isBaseVerb(w string) bool {
	switch {
	case strings.Contains(notVerbs, " "+w+" "):
		return false
	case strings.HasSuffix(w, "ed"):
		return w == "need" || w == "embed" || w == "feed" || w == "seed" || w == "proceed"
	case strings.HasSuffix(w, "s"):
		return strings.HasSuffix(w, "ss") || w == "focus" || w == "alias"
	}
	return true
}

// judgeEnglish judges a clause without CJK characters.
func judgeEnglish(whole string, sen sentence, m marks) judgement {
	whole = strings.ReplaceAll(whole, "’", "'")
	low := asciiLower(whole)
	p := english()
	for _, end := range [...]string{" from now on", " going forward", " in future", " in the future"} {
		m.standing = m.standing || strings.HasSuffix(low, end)
	}
	switch {
	case (sen.question || p.question.MatchString(low)) && !m.standing:
		return judgement{verdict: moment}
	case p.belief.MatchString(low):
		return judgement{}
	}
	if j := englishRule(low, m); j.verdict != nothing {
		return j
	}
	if j := englishFact(whole, low, m); j.verdict != nothing {
		return j
	}
	if p.request.MatchString(low) {
		return judgement{verdict: moment}
	}
	return judgement{}
}

// englishRule finds rules: what should be done from now on.
func englishRule(low string, m marks) judgement {
	p := english()
	strong, j := englishStrong(low, m)
	if j.verdict == nothing {
		j = englishWeak(low)
	}
	switch {
	case j.verdict != rule:
		return j
	case p.loose.MatchString(low):
		return judgement{verdict: vague}
	case !strong && p.moment.MatchString(p.project.ReplaceAllString(low, "")), strong && hasDemonstrative(low):
		return judgement{verdict: moment}
	}
	return j
}

// hasDemonstrative reports whether a rule points at something in its context.
func hasDemonstrative(low string) bool {
	p := english()
	rest := " " + p.project.ReplaceAllString(low, "") + " "
	return strings.Contains(rest, " this ") || strings.Contains(rest, " these ") || strings.Contains(rest, " those ")
}

// englishStrong finds rules that say so themselves: from now on, always, never,
// must not.
func englishStrong(low string, m marks) (strong bool, j judgement) {
	p := english()
	if s := p.dontUse.FindStringSubmatch(low); s != nil {
		return m.standing || strings.HasPrefix(low, "never"), judgement{verdict: rule, importance: 8, old: s[1], value: s[2]}
	}
	if s := p.useNot.FindStringSubmatch(low); s != nil && (m.standing || m.corrects || strings.HasPrefix(low, "always")) && !isOver(low, s) {
		return true, judgement{verdict: rule, importance: 9, value: s[1], old: s[2]}
	}
	if s := p.adverb.FindStringSubmatch(low); s != nil && isBaseVerb(s[2]) && (s[1] != "i" || strings.Contains(" want prefer use like write ", " "+s[2]+" ")) {
		return true, judgement{verdict: rule, importance: 9, forbids: strings.Contains(low, "never "+s[2])}
	}
	if p.modal.MatchString(low) && !p.vagueSubject.MatchString(strings.TrimPrefix(low, "you ")) && !strings.Contains(low, " not have ") {
		return true, judgement{verdict: rule, importance: 9, forbids: true}
	}
	if m.standing && len(strings.Fields(low)) > 1 && !p.vagueSubject.MatchString(low) && !p.complaint.MatchString(low) {
		return true, judgement{verdict: rule, importance: 9, forbids: strings.HasPrefix(low, "don't") || strings.HasPrefix(low, "do not")}
	}
	return false, judgement{}
}

// isOver reports whether "over" was taken for a contrast where it is a place.
func isOver(low string, s []string) bool {
	return strings.Contains(low, " over "+s[2]) && !strings.HasPrefix(low, "prefer") && !strings.Contains(low, " prefer ")
}

// mildVerbs follow "don't" in what is said to comfort, or of the moment.
const mildVerbs = " worry bother forget panic know think understand care mind want see need have get be hesitate give do like believe remember " +
	"expect really we you it the waste mean seem work appear exist show display render allow send return let load open close hide scroll redirect " +
	"accept throw retry block fail "

// englishWeak finds rules that are worded like requests, but of a kind that is
// meant to last.
func englishWeak(low string) judgement {
	p := english()
	kept := judgement{verdict: rule, importance: 8}
	if s := p.useNot.FindStringSubmatch(low); s != nil && !isOver(low, s) {
		for _, article := range [...]string{"a ", "an ", "it ", "that ", "this ", "me "} {
			if strings.HasPrefix(s[1], article) {
				return judgement{verdict: moment}
			}
		}
		if !strings.HasPrefix(low, "use ") && !strings.HasPrefix(low, "run ") && !strings.Contains(low, "prefer ") && !p.valueLike.MatchString(s[1]+" "+s[2]) {
			return judgement{verdict: moment}
		}
		kept.value, kept.old = s[1], s[2]
		return kept
	}
	if s := p.dont.FindStringSubmatch(low); s != nil && s[2] != "" && !strings.Contains(mildVerbs, " "+s[1]+" ") {
		if strings.HasPrefix(low, "stop ") && !strings.HasSuffix(s[1], "ing") {
			return judgement{verdict: moment}
		}
		kept.forbids = true
		return kept
	}
	told := p.complaint.MatchString(low)
	switch {
	case p.preferred.MatchString(low), p.language.MatchString(low) && !strings.Contains(low, "translat"), p.timed.MatchString(low) && !told:
		return kept
	case p.universal.MatchString(low) && !told && !strings.HasPrefix(low, "no need") && !strings.Contains(low, "be able to"), p.keepTo.MatchString(low):
		return kept
	case p.plural.MatchString(low) && !told && !p.vagueSubject.MatchString(low) && !strings.HasPrefix(low, "the ") && !strings.Contains(low, "should have") && !strings.HasSuffix(low, " pass") &&
		!strings.Contains(low, "be able to"):
		return kept
	}
	return judgement{}
}

// englishFact finds definitions and corrections.
func englishFact(whole, low string, m marks) judgement {
	p := english()
	if s := p.correctUse.FindStringSubmatchIndex(low); m.corrects && s != nil {
		value := whole[s[2]:s[3]]
		if p.valueLike.MatchString(value) && !p.moment.MatchString(low) && !p.loose.MatchString(low) {
			return judgement{verdict: rule, importance: 8, value: value}
		}
	}
	if s := p.notBut.FindStringSubmatch(low); s != nil {
		return englishClaim(judgement{verdict: fact, importance: 8, subject: s[1], old: s[2], value: s[3]}, low, true)
	}
	s := p.copula.FindStringSubmatchIndex(low)
	if s == nil && p.useAny.MatchString(low) {
		return englishUse(low)
	}
	if s == nil {
		if m.remember && len(strings.Fields(low)) > 2 && !strings.HasPrefix(low, "to ") && !p.complaint.MatchString(low) && !p.vagueSubject.MatchString(low) {
			if p.request.MatchString(low) {
				return judgement{verdict: rule, importance: 8}
			}
			return judgement{verdict: fact, importance: 8}
		}
		return judgement{}
	}
	j := judgement{verdict: fact, importance: 6, subject: low[s[2]:s[3]], value: low[s[4]:s[5]]}
	if t := p.tailNot.FindStringSubmatch(j.value); t != nil {
		j.value, j.old = t[1], t[2]
		return englishClaim(j, low, true)
	}
	if m.corrects || m.remember {
		return englishClaim(j, low, true)
	}
	if p.useAny.MatchString(low) {
		return englishUse(low)
	}
	if !isDefinition(whole, low, s) {
		return judgement{}
	}
	return englishClaim(j, low, false)
}

// englishUse is what someone says to work with.
func englishUse(low string) judgement {
	p := english()
	if p.complaint.MatchString(low) || p.moment.MatchString(p.project.ReplaceAllString(low, "")) || p.loose.MatchString(low) {
		return judgement{}
	}
	return judgement{verdict: fact, importance: 6}
}

// englishClaim turns away facts that are no facts: told of something in the
// context, about the state of the work, or a complaint.
func englishClaim(j judgement, low string, sure bool) judgement {
	p := english()
	bare := p.project.ReplaceAllString(low, "the project")
	if sure {
		j.importance = 8
	}
	switch {
	case p.diagnosis.MatchString(bare):
		return judgement{}
	case p.indefinite.MatchString(j.subject):
		return judgement{verdict: vague}
	case p.vagueSubject.MatchString(bare), p.loose.MatchString(low):
		if sure {
			return judgement{verdict: vague}
		}
		return judgement{}
	case p.moment.MatchString(bare) && !strings.Contains(bare, " now "), p.complaint.MatchString(j.value):
		return judgement{}
	}
	return j
}

// states are values that say how something is at the moment.
const states = " ok okay good bad fine done correct right ready open closed up down available new old same different too very not big small full stale outdated " +
	"deprecated gone failing running working red green busy locked public private important nice better worse easy hard simple safe unsafe clear unclear huge tiny a an "

// isDefinition reports whether "subject is value" defines something: the
// subject is of a kind that has a value, and the value looks like one.
func isDefinition(whole, low string, at []int) bool {
	p := english()
	subject, value := low[at[2]:at[3]], low[at[4]:at[5]]
	if !p.noun.MatchString(subject) || p.bareNoun.MatchString(subject) || p.vagueSubject.MatchString(subject) {
		return false
	}
	first, _, _ := strings.Cut(value, " ")
	if strings.Contains(states, " "+first+" ") || strings.HasSuffix(first, "ing") || strings.HasSuffix(first, "ed") && first != "shared" {
		return false
	}
	return p.valueLike.MatchString(whole[at[4]:at[5]]) || p.plainValue.MatchString(value)
}
