package general

import "github.com/dshkit/dshkit/pkg/jsonvalue"

// Descriptor is the package's memoryPlugin.
func Descriptor() *jsonvalue.Object {
	return jsonvalue.Of(
		"packageName", Package,
		"label", both("General", "通用"),
		"description", both("Admits every available Source, whatever its role.", "接纳所有可用的 Source，不区分角色。"),
		"roles", []any{"strategy"},
		"provides", []any{jsonvalue.Of("id", "strategy"), jsonvalue.Of("id", "strategy.general")},
		"requires", []any{"source"},
	)
}

// Declaration says what a Host may set of it.
func Declaration() *jsonvalue.Object {
	return jsonvalue.Of(
		"kind", "strategy",
		"typeId", TypeID,
		"label", both("General", "通用"),
		"description", both("Admits every available Source, whatever its role.", "接纳所有可用的 Source，不区分角色。"),
		"fields", []any{
			jsonvalue.Of(
				"key", "residentSourceKeys", "input", "source-list",
				"label", both("Resident Sources", "常驻 Source"),
				"description", both("Shown in full at the beginning. Without a choice: the working context.", "开头完整展示。未选择时为工作上下文。"),
			),
			jsonvalue.Of(
				"key", "instruction", "input", "textarea",
				"label", both("Instruction", "说明"),
				"description", both("Your own words for the model, after the protocol.", "附在协议之后、给模型的说明。"),
			),
		},
	)
}

func both(en, zh string) *jsonvalue.Object { return jsonvalue.Of("en", en, "zh-CN", zh) }
