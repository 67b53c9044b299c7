package feedback

import "github.com/dshkit/dshkit/internal/cordis/registry"

func chinese() words {
	return words{
		topics: map[registry.Topic]sentence{
			registry.TopicRunSucceeded: {
				"Cordis：{plugin}/{package}（{run}）的 {mode} 成功。",
				"它现在已激活。请继续任务并使用它。",
			},
			registry.TopicRunRejected: {
				"Cordis：用户拒绝了 {plugin}/{package}（{run}）的 {mode}。",
				"除非用户要求，不要再次请求同样的激活。",
			},
			registry.TopicRunFailed: {
				"Cordis：{plugin}/{package}（{run}）的 {mode} 失败。",
				"请用 cordis_inspect_self 查看错误，在同一个插件上定义修好的版本并运行。请主动去做，不必等用户要求。",
			},
			registry.TopicHandlerFailed: {
				"Cordis：Client 调用 {plugin}/{package}（{run}）的 Host 处理函数时失败。",
				"插件仍在运行。请在同一个插件上定义修好的版本，并以 mode update 激活。如果缺少服务，请在 inject 中声明；可选的服务用 ctx.get(name) 读取。",
			},
			registry.TopicGuardRejected: {
				"Cordis：守卫拒绝了 {plugin}/{package}（{run}）运行中的一个操作。",
				"插件仍在运行。请在同一个插件上定义修好的版本，并以 mode update 激活：在 inject 中声明代码要用的服务，可选的服务用 ctx.get(name) 读取。",
			},
			registry.TopicRenderFailed: {
				"Cordis：{plugin}/{package}（{run}）显示的内容在绘制时崩溃。",
				"运行仍处于激活状态。请修好 Client 代码，在同一个插件上定义，并以 mode update 激活。",
			},
			registry.TopicCodeFailed: {
				"Cordis：{plugin}/{package}（{run}）的代码在无人等待之处失败。",
				"插件仍在运行。请在同一个插件上定义修好的版本，并以 mode update 激活。",
			},
			registry.TopicUserRan: {
				"Cordis：用户手动运行了 {plugin}/{package}（{run}），现已激活。", "",
			},
			registry.TopicUserRunFailed: {
				"Cordis：用户手动运行了 {plugin}/{package}（{run}），但失败了。", "",
			},
			registry.TopicUserStopped: {
				"Cordis：用户停止了 {plugin}。",
				"它的各个版本和指针都保留。除非用户要求，不要再启动它。",
			},
			registry.TopicUserRemoved: {
				"Cordis：用户移除了 {plugin} 及其所有版本。",
				"它的 id 不能再使用。",
			},
			TopicDropped: {
				"Cordis：较早的 {count} 条消息无人读取，已被丢弃。",
				"请用 cordis_inspect_self 查看现在的状态。",
			},
		},
		last: "这次运行失败得太频繁，之后的失败不再告知。",
	}
}
