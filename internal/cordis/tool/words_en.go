package tool

func english() language {
	return language{
		tools: map[Name]words{
			InspectList:  {"List Cordis providers", "List what can be asked about the running host before writing plugin code: the providers of the Host and, once a page has connected, of the Client, each with its methods and the schemas of their input and output. Read only. Ask the methods with cordis_inspect_query."},
			InspectQuery: {"Ask a Cordis provider", "Ask one provider of cordis_inspect_list for exact names and signatures: services, events, built-in names, tools, slots, theme tokens. Read only. Host queries answer at once. A Client query waits until a page answers or the call is cancelled. The answers are for writing code: a plugin calls the real service and does not keep what was answered here."},
			InspectSelf:  {"Look at own Cordis plugins", "Look at the Plugins of this Session. Without arguments: all of them, with state and pointers. With pluginId: its Packages. With pluginId and packageId: the exact source of that Package and how its run is doing, with errors. Read the source here before you change a Plugin, and the errors here before you repair one."},
			Define:       {"Define a Cordis package", "Record code as a new, unchangeable Package: of a new Plugin (plugin.kind \"new\" with a prefix of three to six lowercase letters; the host makes the full id) or as the next version of an existing one (plugin.kind \"existing\"). Each half is the body of a plain JavaScript function that returns a plugin, (ctx) => { ... } or { name, inject, apply(ctx) { ... } }. Only the syntax is checked: nothing runs, nothing is asked of the user, no version changes. Next, call cordis_run with the ids that are returned."},
			Run:          {"Run a Cordis package", "Activate a Package that was defined. mode \"run\": the first start, a restart or retry of the current Package, a rollback to it. mode \"update\": switch to another Package than the current one, or retry such a switch. A Package with a Host half alone starts now, and the result says whether it runs. One with a Client half answers at once: awaiting-approval means that the user has to decide, starting that a page is at it. Neither is success; do not wait and do not call again, the outcome is told to you later. An update stops the old run first and does not start it again when the new one fails."},
			Stop:         {"Stop a Cordis plugin", "End the run of a Plugin and its pending request: services, listeners, tools, timers, handlers and what it shows are undone. Its Packages, what the user allowed, and its pointers stay, so cordis_run can start it again. Stopping one that does not run is fine."},
			Undefine:     {"Remove a Cordis plugin", "Stop a Plugin and remove it for good, with all its Packages and what the user allowed for it. Its id is never used again. Use cordis_stop to keep it."},
		},
		arguments: texts{
			platform: "where the provider lives",
			provider: "id of the provider, as cordis_inspect_list says it",
			method:   "name of the method",
			input:    "any JSON that fits the input schema of the method; left out when it needs none",

			selfPlugin:  "id of a Plugin of this Session; left out to list them all",
			selfPackage: "id of one of its Packages, for the source and the state; needs pluginId",

			plugin:   "the Plugin that the Package becomes a version of",
			newKind:  "make a new Plugin",
			prefix:   "three to six lowercase letters that say what it is, such as clock; the host adds a number",
			existing: "append to a Plugin of this Session",
			appendTo: "its id, such as clock-1",
			name:     "short name of this Package, for people",
			purpose:  "what it is for, in one sentence, for the user who decides about it",
			code:     "the halves, at least one",
			host:     "body of the Host half: plain JavaScript that returns a plugin",
			client:   "body of the Client half: plain JavaScript that returns a plugin; no JSX",

			runPlugin:  "id of the Plugin",
			runPackage: "id of the Package to activate",
			mode:       "run: no current Package yet, or this one is it; update: another one is current",
			stop:       "id of the Plugin",
			undefine:   "id of the Plugin",
		},
		results: results{
			defined:          "%s/%s is defined (%s), not running. Next: cordis_run.",
			running:          "%s/%s is running as %s.",
			waiting:          "%s/%s is active as %s and waits for %s; it starts by itself when that is there.",
			awaiting:         "%s/%s awaits the decision of the user as %s. It does not run yet. Do not wait and do not ask again.",
			starting:         "%s/%s is starting as %s. It has not succeeded yet; the outcome is told later.",
			stopped:          "%s is stopped. Its Packages and pointers stay.",
			undefined:        "%s is removed.",
			undefinedRunning: "%s was running; it is stopped and removed.",
			host:             "Host", client: "Client", both: "Host and Client", and: ", ",
		},
	}
}
