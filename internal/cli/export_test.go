package cli

// Parts that cannot be seen from outside.
var (
	Home        = home
	LocaleLang  = localeLang
	NewIdentity = newID
	Prose       = prose
)
