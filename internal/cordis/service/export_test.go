package service

import "github.com/dshkit/dshkit/internal/cordis/wire"

// Owns says whether a handle is of these services: a method, or something that an
// activation holds.
func (s *Services) Owns(h wire.Handle) bool {
	if h.Home != wire.Host {
		return false
	}
	s.held.mu.Lock()
	defer s.held.mu.Unlock()
	for _, r := range s.held.runs {
		if r.things[h.ID] != nil {
			return true
		}
	}
	return s.static[h.ID] != nil
}
