package quarantine

import "strings"

// override finds orders to set aside what came before (family 1).
func override(words []word) string {
	for i := range words {
		end, pattern := overrideVerb(words, i)
		if pattern == "" {
			continue
		}
		if object := overridden(words, end, words[i].text); object != "" && isOrder(words, i) {
			return pattern + " … " + object
		}
	}
	return ""
}

// overrideVerb returns the index behind a verb that sets rules aside and its
// pattern, "" if there is none at i.
func overrideVerb(words []word, i int) (end int, pattern string) {
	switch words[i].text {
	case "ignore", "disregard", "forget", "override", "bypass":
		return i + 1, words[i].text
	case "attention":
		if at(words, i-1) == "no" && at(words, i-2) == "pay" && at(words, i+1) == "to" {
			return i + 2, "pay no attention to"
		}
	case "not", "don't", "stop", "never", "longer":
		switch at(words, i+1) {
		case "follow", "obey", "following", "obeying":
			return i + 2, words[i].text + " " + words[i+1].text
		}
	}
	return 0, ""
}

// maxObject is how many words may stand between the verb and what it sets
// aside.
const maxObject = 8

// overridden returns what is set aside by the verb before i: instructions that
// are said to be earlier, or the reader's own.
func overridden(words []word, i int, verb string) string {
	qualifier := ""
	for k := i; k < len(words) && k < i+maxObject; k++ {
		w := words[k].text
		switch {
		case words[k].fresh && k > i:
			return ""
		case w == "above" && isGoingOn(at(words, k+1)):
			return "above and …"
		case isQualifier(w, verb):
			qualifier = w
		case isEverything(w) && saysBefore(words, k+1):
			return w + " above"
		case isRules(w):
			if qualifier != "" || w != "prompt" && saysBefore(words, k+1) || ownsRules(words, i, k) {
				return strings.TrimSpace(qualifier + " " + w)
			}
			return ""
		case !isFiller(w):
			return ""
		}
	}
	return ""
}

func isQualifier(w, verb string) bool {
	switch w {
	case "previous", "prior", "above", "earlier", "preceding", "former", "foregoing", "safety", "your":
		return true
	case "past", "existing", "original", "initial", "old", "system", "developer", "ethical", "moderation":
		return verb != "override" && verb != "bypass"
	}
	return false
}

func isRules(w string) bool {
	switch w {
	case "instruction", "instructions", "rule", "rules", "guideline", "guidelines", "guidance", "prompt", "prompts", "direction", "directions",
		"directive", "directives", "policy", "policies", "constraint", "constraints", "restriction", "restrictions", "commands", "orders",
		"training", "programming", "safeguard", "safeguards", "guardrail", "guardrails":
		return true
	}
	return false
}

func isEverything(w string) bool {
	return w == "everything" || w == "anything" || w == "all" || w == "whatever" || w == "what"
}

// isGoingOn reports whether w goes on to what is to be done instead.
func isGoingOn(w string) bool { return w == "and" || w == "instead" || w == "then" }

func isFiller(w string) bool {
	switch w {
	case "all", "any", "the", "of", "my", "our", "these", "those", "this", "that", "every", "each", "and", "or", "with", "completely", "entirely", "its",
		"other", "given", "user", "above", "in", "everything", "anything", "set", "content", "security", "internal", "current", "whatever", "what", "text", "future":
		return true
	}
	return false
}

// saysBefore reports whether the words from i say that something came earlier.
func saysBefore(words []word, i int) bool {
	switch at(words, i) {
	case "above", "before", "previously", "earlier", "prior", "preceding":
		return i >= len(words) || !words[i].fresh
	case "you", "i", "we":
		switch at(words, i+1) {
		case "were", "have", "had", "received", "said", "told", "got", "wrote":
			return !words[i].fresh
		}
	}
	return false
}

// ownsRules reports whether all instructions without exception are meant: "all
// instructions", not "all instructions found in pages".
func ownsRules(words []word, from, k int) bool {
	w := words[k].text
	if w == "rule" || w == "rules" || w == "prompts" || w == "commands" || at(words, from) != "all" || k != from+1 {
		return false
	}
	if k+1 == len(words) || words[k+1].fresh || words[k+1].comma {
		return true
	}
	next := words[k+1].text
	return next == "and" || next == "you" || next == "given"
}

// roleLock finds orders that change who the reader is (family 3).
func roleLock(words []word) string {
	for i := range words {
		p := ""
		switch words[i].text {
		case "now":
			p = nowOn(words, i)
		case "restrictions", "guidelines", "filters", "censorship":
			p = hasNoLimits(words, i)
		case "forward", "on", "henceforth", "onwards":
			if at(words, i) == "henceforth" || at(words, i-1) == "point" && at(words, i-2) == "this" {
				p = mustNow(words, i+1)
			}
		}
		if p != "" && !isExample(words, i) {
			return p
		}
	}
	return ""
}

// hasNoLimits looks for "you have no restrictions".
func hasNoLimits(words []word, i int) string {
	if at(words, i-1) != "no" {
		return ""
	}
	for _, w := range clause(words, i, 8) {
		if w.text == "you" {
			return "you have no restrictions"
		}
	}
	return ""
}

// nowOn looks at the word "now": from now on you must; you are now X.
func nowOn(words []word, i int) string {
	if at(words, i-1) == "from" && at(words, i+1) == "on" {
		return mustNow(words, i+2)
	}
	if p := at(words, i-1); p != "are" && p != "you're" || p == "are" && at(words, i-2) != "you" {
		return ""
	}
	for k := i + 1; k < len(words) && k < i+8 && !words[k].fresh; k++ {
		switch words[k].text {
		case "unrestricted", "unfiltered", "uncensored", "jailbroken", "dan", "omnipotent", "superuser":
			return "you are now unrestricted"
		case "mode":
			if isMode(at(words, k-1)) {
				return "you are now in … mode"
			}
		}
	}
	return ""
}

func isMode(w string) bool {
	switch w {
	case "admin", "administrator", "developer", "debug", "god", "maintenance", "root", "sudo", "jailbreak", "unrestricted", "dan", "free", "privileged":
		return true
	}
	return false
}

// mustNow reports what the reader is told to be from now on.
func mustNow(words []word, i int) string {
	if at(words, i) != "you" {
		return ""
	}
	verb, next := at(words, i+1), at(words, i+2)
	switch {
	case verb == "must" || verb == "shall" || verb == "only" || verb == "are" || verb == "obey":
	case (verb == "have" || verb == "need") && next == "to":
	case (verb == "can" || verb == "may" || verb == "should") && next == "only":
	case verb == "will" && isSubmission(next):
	default:
		return ""
	}
	return "from now on you " + verb
}

func isSubmission(w string) bool {
	switch w {
	case "act", "respond", "answer", "obey", "always", "only", "never", "ignore", "behave", "be", "pretend", "send", "comply":
		return true
	}
	return false
}

// forced finds what drives the reader past its user (family 4): a claim that
// all is approved, an order to keep something from the user or to give secrets
// away.
func forced(words []word) string {
	for i := range words {
		p := ""
		switch words[i].text {
		case "approved", "authorized", "authorised", "granted", "consented", "permitted":
			p = claimsApproval(words, i)
		case "tell", "inform", "notify", "mention", "alert":
			p = conceals(words, i)
		case "exfiltrate":
			if isOrder(words, i) {
				p = "exfiltrate"
			}
		}
		if p != "" && !isExample(words, i) {
			return p
		}
	}
	return ""
}

// claimsApproval looks for "the user has already approved all commands".
func claimsApproval(words []word, i int) string {
	has := false
	for _, w := range clause(words, i, 5) {
		has = has || w.text == "user" || w.text == "human" || w.text == "owner" || w.text == "operator" || w.text == "administrator"
	}
	if !has {
		return ""
	}
	for k := i + 1; k < len(words) && k < i+8 && !words[k].fresh; k++ {
		switch words[k].text {
		case "commands", "actions", "operations", "requests", "tools", "changes", "destructive", "everything":
			return "the user has approved all …"
		}
	}
	return ""
}

// conceals looks for "never tell the user about". How to word something, as in
// "never tell the user to restart", is no concealment.
func conceals(words []word, i int) string {
	switch at(words, i-1) {
	case "never", "not", "don't":
	default:
		return ""
	}
	k := i + 1
	for k < i+4 && (at(words, k) == "this" || at(words, k) == "it" || at(words, k) == "to" || at(words, k) == "the" || at(words, k) == "any" || at(words, k) == "your") {
		k++
	}
	who, next := at(words, k), at(words, k+1)
	if who != "user" && who != "human" && who != "operator" && who != "owner" || next == "to" || next == "how" {
		return ""
	}
	return "never tell the user"
}
