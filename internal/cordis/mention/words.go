package mention

func english() sentences {
	return sentences{
		available: `The user refers to the Plugin @{plugin}. Take its Package {package} as the base of what is asked.
Before you change anything, read its exact source: cordis_inspect_self with pluginId "{plugin}" and packageId "{package}".
Define the new version on the same Plugin: cordis_define with plugin {"kind": "existing", "pluginId": "{plugin}"}. Do not make a new Plugin.
Then activate it: cordis_run with mode "{mode}" and the packageId that cordis_define returned.`,
		unavailable: `The user refers to @{plugin}, but no such Plugin is available in this Session. It may have been removed, may have gone when the host restarted, or may belong to another Session.
Do not say that it was changed, and do not silently make another one in its place. Tell the user that it is not available, and ask how to go on.`,
	}
}

func chinese() sentences {
	return sentences{
		available: `用户提到了插件 @{plugin}。请以它的版本 {package} 为基础完成所要求的事。
修改之前先读它的准确源码：cordis_inspect_self，pluginId 为 "{plugin}"，packageId 为 "{package}"。
在同一个插件上定义新版本：cordis_define，plugin 为 {"kind": "existing", "pluginId": "{plugin}"}。不要新建插件。
然后激活它：cordis_run，mode 为 "{mode}"，packageId 为 cordis_define 返回的值。`,
		unavailable: `用户提到了 @{plugin}，但本会话中没有可用的这个插件。它可能已被移除，可能在宿主重启时消失，也可能属于另一个会话。
不要声称它已被修改，也不要悄悄新建一个来代替。请告诉用户它不可用，并询问如何继续。`,
	}
}
