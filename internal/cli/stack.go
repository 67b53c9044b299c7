package cli

// stackSize is more stack than nearly every command needs, in bytes.
const stackSize = 24 << 10

// growStack makes the stack as large as a command needs, at once and while it is
// shallow. Left alone it doubles several times in the depth of a command, and
// each time all that is on it is walked and moved: a sixth of a millisecond, as
// much as a hook spends on reading its library.
//
//go:noinline
func growStack(at int) byte {
	var room [stackSize]byte
	return room[at]
}
