package feedback

import "github.com/dshkit/dshkit/internal/cordis/registry"

func english() words {
	return words{
		topics: map[registry.Topic]sentence{
			registry.TopicRunSucceeded: {
				"Cordis: the {mode} of {plugin}/{package} ({run}) succeeded.",
				"It is active now. Go on with the task and use it.",
			},
			registry.TopicRunRejected: {
				"Cordis: the user declined the {mode} of {plugin}/{package} ({run}).",
				"Do not request the same activation again unless the user asks for it.",
			},
			registry.TopicRunFailed: {
				"Cordis: the {mode} of {plugin}/{package} ({run}) failed.",
				"Look at the error with cordis_inspect_self, define a repaired Package on the same Plugin and run it. Do so on your own; the user need not ask.",
			},
			registry.TopicHandlerFailed: {
				"Cordis: a Host handler of {plugin}/{package} ({run}) failed when the Client called it.",
				"The Plugin is still running. Define a repaired Package on the same Plugin and activate it with mode update. If a service was missing, declare it in inject, or read it with ctx.get(name) when it is optional.",
			},
			registry.TopicGuardRejected: {
				"Cordis: the guard refused something that {plugin}/{package} ({run}) did while running.",
				"The Plugin is still running. Define a repaired Package on the same Plugin and activate it with mode update: declare in inject what the code uses, or read it with ctx.get(name) when it is optional.",
			},
			registry.TopicRenderFailed: {
				"Cordis: what {plugin}/{package} ({run}) shows crashed while it was drawn.",
				"The run is still active. Repair the Client code, define it on the same Plugin and activate it with mode update.",
			},
			registry.TopicCodeFailed: {
				"Cordis: code of {plugin}/{package} ({run}) failed where nobody waits for it.",
				"The Plugin is still running. Define a repaired Package on the same Plugin and activate it with mode update.",
			},
			registry.TopicUserRan: {
				"Cordis: the user ran {plugin}/{package} by hand as {run}, and it is active.", "",
			},
			registry.TopicUserRunFailed: {
				"Cordis: the user ran {plugin}/{package} by hand as {run}, and it failed.", "",
			},
			registry.TopicUserStopped: {
				"Cordis: the user stopped {plugin}.",
				"Its Packages and pointers stay. Do not start it again unless the user asks for it.",
			},
			registry.TopicUserRemoved: {
				"Cordis: the user removed {plugin} with all its Packages.",
				"Its id cannot be used any more.",
			},
			TopicDropped: {
				"Cordis: {count} earlier messages were dropped, because nobody had read them.",
				"Look at the present state with cordis_inspect_self.",
			},
		},
		last: "This run has failed so often that its further failures are not told.",
	}
}
