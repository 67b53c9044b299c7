package tool

func chinese() language {
	return language{
		tools: map[Name]words{
			InspectList:  {"列出 Cordis 查询目录", "写插件代码之前，列出能向正在运行的宿主查询什么：Host 的 provider，以及有页面连接后 Client 的 provider，连同各自的方法和输入、输出 schema。只读。用 cordis_inspect_query 调用其中的方法。"},
			InspectQuery: {"查询 Cordis provider", "向 cordis_inspect_list 列出的某个 provider 查询准确的名称和签名：服务、事件、内建名称、工具、slot、主题 token。只读。Host 查询立即返回；Client 查询会等到有页面回答，或者调用被取消。查询结果只用来写代码：插件运行时应调用真正的服务，不要保存这里的结果。"},
			InspectSelf:  {"查看自己的 Cordis 插件", "查看本 Session 的 Plugin。不带参数：全部 Plugin 的状态和版本指针。带 pluginId：它的各个 Package。带 pluginId 和 packageId：该 Package 的准确源码，以及运行状态和错误。修改 Plugin 之前先在这里读源码，修复之前先在这里读错误。"},
			Define:       {"定义 Cordis 版本", "把代码记录为一个不可变的新 Package：属于一个新 Plugin（plugin.kind 为 \"new\"，并给出三到六个小写字母的前缀，完整 id 由宿主生成），或者作为已有 Plugin 的下一个版本（plugin.kind 为 \"existing\"）。每一半都是一段普通 JavaScript 函数体，返回一个插件：(ctx) => { ... } 或 { name, inject, apply(ctx) { ... } }。这里只检查语法：不运行，不询问用户，不改变版本。接着用返回的 id 调用 cordis_run。"},
			Run:          {"运行 Cordis 版本", "激活一个已定义的 Package。mode 为 \"run\"：首次启动，重启或重试 current，以及回退到它。mode 为 \"update\"：切换到与 current 不同的 Package，或重试这样的切换。只有 Host 半部的 Package 立即启动，结果会说明是否在运行。带 Client 半部的立即返回：awaiting-approval 表示要由用户决定，starting 表示页面正在启动。两者都不是成功；不要等待，也不要再次调用，结果稍后会告诉你。update 会先停止旧的运行；新版本失败时不会自动重新启动旧版本。"},
			Stop:         {"停止 Cordis 插件", "结束 Plugin 的运行和等待中的请求：服务、监听器、工具、定时器、handler 以及它显示的内容都会撤销。它的 Package、用户的授权和版本指针保留，因此可以用 cordis_run 再次启动。停止没有运行的 Plugin 也没有问题。"},
			Undefine:     {"删除 Cordis 插件", "停止 Plugin 并永久删除它，包括全部 Package 和用户给它的授权。它的 id 不会再被使用。想保留它请用 cordis_stop。"},
		},
		arguments: texts{
			platform: "provider 所在的一端",
			provider: "provider 的 id，与 cordis_inspect_list 所列一致",
			method:   "方法名",
			input:    "符合该方法输入 schema 的任意 JSON；不需要时省略",

			selfPlugin:  "本 Session 的 Plugin id；省略则列出全部",
			selfPackage: "其中一个 Package 的 id，用来读源码和状态；需要同时给出 pluginId",

			plugin:   "这个 Package 所属的 Plugin",
			newKind:  "新建 Plugin",
			prefix:   "三到六个小写字母，说明它是什么，例如 clock；数字由宿主添加",
			existing: "追加到本 Session 的 Plugin",
			appendTo: "它的 id，例如 clock-1",
			name:     "这个 Package 的简短名称，给人看",
			purpose:  "用一句话说明它的用途，给做决定的用户看",
			code:     "两个半部，至少一个",
			host:     "Host 半部的函数体：返回插件的普通 JavaScript",
			client:   "Client 半部的函数体：返回插件的普通 JavaScript，不能用 JSX",

			runPlugin:  "Plugin 的 id",
			runPackage: "要激活的 Package 的 id",
			mode:       "run：还没有 current，或者它就是 current；update：current 是另一个 Package",
			stop:       "Plugin 的 id",
			undefine:   "Plugin 的 id",
		},
		results: results{
			defined:          "%s/%s 已定义（%s），尚未运行。下一步：cordis_run。",
			running:          "%s/%s 正在运行，运行 id 为 %s。",
			waiting:          "%s/%s 已激活（%s），正在等待 %s；条件具备后会自动启动。",
			awaiting:         "%s/%s 正在等待用户决定（%s），还没有运行。不要等待，也不要再次请求。",
			starting:         "%s/%s 正在启动（%s），还不算成功；结果稍后会告知。",
			stopped:          "%s 已停止。它的 Package 和版本指针保留。",
			undefined:        "%s 已删除。",
			undefinedRunning: "%s 原本在运行，现已停止并删除。",
			host:             "Host", client: "Client", both: "Host 和 Client", and: "、",
		},
	}
}
