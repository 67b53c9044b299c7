package host

import "encoding/json"

// MarshalJSON writes the answer as the published runner of pages reads it: of a
// success all members, of a failure why.
func (a HostHalfAnswer) MarshalJSON() ([]byte, error) {
	if !a.OK {
		return json.Marshal(struct {
			OK      bool   `json:"ok"`
			Message string `json:"message"`
			Stack   string `json:"stack,omitempty"`
		}{false, a.Message, a.Stack})
	}
	return json.Marshal(struct {
		OK          bool      `json:"ok"`
		PluginID    PluginID  `json:"pluginId"`
		PackageID   PackageID `json:"packageId"`
		PluginRunID RunID     `json:"pluginRunId"`
		WaitingFor  []string  `json:"waitingFor"`
		StartedHere bool      `json:"startedHere"`
	}{true, a.PluginID, a.PackageID, a.PluginRunID, append([]string{}, a.WaitingFor...), a.StartedHere})
}

// MarshalJSON writes the answer as the published runner of pages reads it: a
// success always says what it waits for.
func (r RunResponse) MarshalJSON() ([]byte, error) {
	type bare RunResponse
	if !r.OK {
		return json.Marshal(bare(r))
	}
	return json.Marshal(struct {
		bare
		WaitingFor []string `json:"waitingFor"`
	}{bare(r), append([]string{}, r.WaitingFor...)})
}
