package sandbox

import (
	"context"
	"errors"

	"github.com/dshkit/dshkit/internal/cordis/wire"
)

func serve(context.Context, wire.Link, Config) error {
	return errors.New("not built yet")
}
