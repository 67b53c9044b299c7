package link

// MaxPending is how many addresses the reminder counts (spec/selfip.md 12.2). How
// many it lists is up to the block.
const MaxPending = 8

// Library is the addresses that the library already holds.
type Library struct {
	keys       map[string]bool
	forwarders map[string]bool // hosts that take another address as their path
}

// Recorded returns the addresses in the text of a library: partitions,
// principles and hypotheses, withdrawn entries included.
func Recorded(libraryText string) Library {
	lib := Library{keys: make(map[string]bool), forwarders: make(map[string]bool)}
	for _, l := range Candidates(libraryText) {
		lib.keys[l.Key] = true
		if l.Forwards() {
			lib.forwarders[l.Host()] = true
		}
	}
	return lib
}

// Has reports whether the library holds the address. The whole key decides. The
// host alone decides for a forwarder, which is one resource whatever address is
// handed to it: one recorded page of a site says nothing about the next (W25).
func (lib Library) Has(l Link) bool {
	return lib.keys[l.Key] || lib.forwarders[l.Host()] || l.Forwards() && lib.keys[l.Host()]
}

// Pending returns the addresses in what the user wrote that the library does
// not hold: newest message first, reading order inside a message, MaxPending at
// most. Recorded ones and ones with credentials do not count against the limit.
func Pending(newestFirst []string, lib Library) []Link {
	var pending []Link
	seen := make(map[string]bool)
	for _, message := range newestFirst {
		for _, l := range Candidates(message) {
			if seen[l.Key] || lib.Has(l) || l.Credentials() {
				continue
			}
			if seen[l.Key] = true; len(pending) == MaxPending {
				return pending
			}
			pending = append(pending, l)
		}
	}
	return pending
}
