package gate

// words are what a report says besides what the parser does.
type words struct {
	head  string // the half
	place string // line and column
	hints map[Hint]string
}

func wordsIn(language string) words {
	if language == "zh-CN" {
		return chinese()
	}
	return english()
}

func english() words {
	return words{
		head:  "code.%s does not parse",
		place: ", line %d, column %d:",
		hints: map[Hint]string{
			TypeScript: "A half is plain JavaScript, not TypeScript: take the annotations out.\n  wrong: const port = value as number\n  right: const port = value",
			Body:       "A half is the body of an async function in plain JavaScript: without import and export, JSX and types. Check that every bracket is closed, and closed once: an object that is returned ends with } and not with });",
		},
	}
}

func chinese() words {
	return words{
		head:  "code.%s 无法解析",
		place: "，第 %d 行第 %d 列：",
		hints: map[Hint]string{
			TypeScript: "半部是普通 JavaScript，不是 TypeScript：请去掉类型标注。\n  错误：const port = value as number\n  正确：const port = value",
			Body:       "半部是普通 JavaScript 的 async 函数体：没有 import 和 export，没有 JSX 和类型。请检查每个括号都已关闭且只关闭一次：返回的对象以 } 结尾，而不是 });",
		},
	}
}
