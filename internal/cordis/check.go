package cordis

import "github.com/dshkit/dshkit/internal/cordis/gate"

// Check holds the text of a half, "host" or "client", against the syntax gate. The
// error names the place.
func Check(half, text string) error { return gate.Check(gate.Half(half), text) }
