package source

const (
	codeGone  = "is-gone"
	warnOdd   = "is-odd"
	unrelated = "not-an-id"
)

func f(env E) {
	env.Say("said", "not-this")
	env.Warn(codeGone)
	fault.New(fault.Busy, "is-busy", "nor-this")
	errors.New("nor that")
	env.Note("Not an id")
}
