package host

import (
	"context"
	"errors"

	"github.com/dshkit/dshkit/internal/cordis/half"
	"github.com/dshkit/dshkit/internal/cordis/registry"
)

// Rest waits until the Host half of a plugin has done what it had left to later
// when this was called, and says why the plugin is broken, if it is. A start
// ends with apply: what its promises do then, a loop say, comes after.
func (s *Session) Rest(ctx context.Context, plugin PluginID) error {
	if a, release, err := s.host.invocable(plugin, ""); err == nil {
		err = a.pass(ctx)
		release()
		if err != nil {
			return broken(plugin, failureOf(err))
		}
	}
	row, _ := s.host.plugin(plugin)
	if row.LatestRun == nil || row.LatestRun.Error == nil {
		return nil
	}
	return broken(plugin, registry.Failure{Message: row.LatestRun.Error.Message, Stack: row.LatestRun.Error.Stack})
}

// pass has the half do nothing, in its turn.
func (a *activation) pass(ctx context.Context) error {
	if a.half == nil {
		return nil
	}
	// No handler has this name, so no code of the plugin answers.
	if _, err := a.half.Invoke(ctx, "", nil); !errors.Is(err, half.ErrNoMethod) {
		return err
	}
	return nil
}

func broken(plugin PluginID, f registry.Failure) error {
	return &registry.Refusal{
		Reason: registry.HostHalfFailed, Rule: registry.RuleCode, PluginID: plugin, Message: f.Message, Stack: f.Stack,
	}
}

func (h *Host) plugin(id PluginID) (registry.Row, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.registry.Plugin(id)
}
