package inspect

// HostManifests are the providers that a host has of its own: Service, Event,
// Builtin, Tool (spec/cordis.md 15.2).
func HostManifests() []Manifest { return nil }
