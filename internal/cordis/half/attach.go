package half

import (
	"context"
	"errors"

	"github.com/dshkit/dshkit/internal/cordis/wire"
)

// Settings are what whoever starts a sandbox knows of it.
type Settings struct {
	Limits Limits
	Circle *Circle      // that the half belongs to; nil: one of its own
	Kill   func()       // ends the sandbox, whatever it does; nil: it ends with the link
	Fate   func() error // waits until the sandbox has ended and says why; nil: not known
}

// Attach starts a half in the sandbox at the other end of the link: it evaluates
// the body. It owns the link from here on, also when it fails.
func Attach(ctx context.Context, link wire.Link, settings Settings, source Source, world World) (Half, error) {
	return nil, errors.Join(errors.New("half: not built yet"), link.Close())
}
