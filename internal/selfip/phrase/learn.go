package phrase

// Learn holds the words of the lines that the local engine writes around what
// it quotes. Verbs stand in the order of the engine's arguments; quoted words
// stay in their own language.
type Learn struct {
	Arrow string // between error, cause and remedy
	And   string // between two things that happened

	Failed      string // command, decisive line of its output
	Absent      string // path that does not exist
	Found       string // path under which the file was found
	UserSaid    string // words of the user
	Disliked    string // a complaint: the reply that it is about
	DislikedOne string // the same of a reply that nobody knows
	Edited      string // path
	Ran         string // command
	Reported    string // words of the agent
	Passed      string // command

	ToTest, ToBuild, ToLint, ToInstall, ToRun string // what a command is for
	Then                                      string // between two commands of a procedure
	AskedFor                                  string // why a method is kept: the user asked and it passed
	Ended                                     string // why a method is kept: it ended a failure; the decisive line
	When                                      string // situation of a method: command, decisive line

	Given     string // use of an address the user gave without more words
	NamedIn   string // use of an address that an error names; the decisive line
	FetchedIn string // use of an address that was fetched; words of the user

	Request  string // hand-off: time, words of the user
	Reply    string // hand-off: time, words of the agent
	Worked   string // hand-off: time, command
	OpenCall string // hand-off: time, command, decisive line
	OpenTool string // hand-off: time, tool, message
	Fault    string // hand-off: time, message
	Judged   string // hand-off: time, words of the user

	LeftMoment    string // all of these: how many
	LeftVague     string
	LeftSecret    string
	LeftAddress   string
	LeftOpen      string
	LeftTransient string
	LeftEveryday  string
	LeftKnown     string
	LeftLimit     string
	LeftOld       string
	LeftForeign   string
}

var (
	learnEnglish = Learn{
		Arrow: " -> ",
		And:   "; ",

		Failed:      "`%s` failed: %s",
		Absent:      "`%s` does not exist",
		Found:       "the file is `%s`",
		UserSaid:    "the user: \"%s\"",
		Disliked:    "the user did not like the reply \"%s\"",
		DislikedOne: "the user did not like a reply",
		Edited:      "edited %s",
		Ran:         "ran `%s`",
		Reported:    "the agent: \"%s\"",
		Passed:      "`%s` passed",

		ToTest:    "to run the tests",
		ToBuild:   "to build",
		ToLint:    "to check the code",
		ToInstall: "to install what is needed",
		ToRun:     "\"%s\"",
		Then:      ", then ",
		AskedFor:  "the user asked for it and it passed",
		Ended:     "it ended this failure: %s",
		When:      "`%s` fails: %s",

		Given:     "given by the user",
		NamedIn:   "named in the error: %s",
		FetchedIn: "read while working on: \"%s\"",

		Request:  "Last request (%s): %s",
		Reply:    "Last reply (%s): %s",
		Worked:   "Last command that passed (%s): `%s`",
		OpenCall: "Open error (%s): `%s`: %s",
		OpenTool: "Open error (%s): %s: %s",
		Fault:    "Open error (%s): %s",
		Judged:   "The user on the work (%s): %s",

		LeftMoment:    "requests and questions of the moment: %d",
		LeftVague:     "statements that mean nothing without their context: %d",
		LeftSecret:    "statements and addresses with a credential: %d",
		LeftAddress:   "addresses without a purpose, or of one task only: %d",
		LeftOpen:      "failures that nothing resolved (see the hand-off): %d",
		LeftTransient: "failures that passed without a change: %d",
		LeftEveryday:  "everyday errors of writing code, or with too many changes to name the one that helped: %d",
		LeftKnown:     "lines that the library already holds: %d",
		LeftLimit:     "lines beyond what one session may add: %d",
		LeftOld:       "older material that a long session pushed out: %d",
		LeftForeign:   "records of other folders: %d",
	}
	learnChinese = Learn{
		Arrow: " -> ",
		And:   "；",

		Failed:      "`%s` 失败：%s",
		Absent:      "`%s` 不存在",
		Found:       "文件在 `%s`",
		UserSaid:    "用户说「%s」",
		Disliked:    "用户不满意这次回复「%s」",
		DislikedOne: "用户不满意一次回复",
		Edited:      "修改了 %s",
		Ran:         "执行了 `%s`",
		Reported:    "代理说「%s」",
		Passed:      "`%s` 通过",

		ToTest:    "跑测试",
		ToBuild:   "构建",
		ToLint:    "检查代码",
		ToInstall: "安装依赖",
		ToRun:     "「%s」",
		Then:      "，然后 ",
		AskedFor:  "用户要求这样做，并且执行通过",
		Ended:     "它消除了这个失败：%s",
		When:      "`%s` 失败：%s",

		Given:     "用户给出",
		NamedIn:   "错误信息里给出：%s",
		FetchedIn: "处理这件事时查阅：「%s」",

		Request:  "最后的请求（%s）：%s",
		Reply:    "最后的回复（%s）：%s",
		Worked:   "最后通过的命令（%s）：`%s`",
		OpenCall: "未解决的错误（%s）：`%s`：%s",
		OpenTool: "未解决的错误（%s）：%s：%s",
		Fault:    "未解决的错误（%s）：%s",
		Judged:   "用户的评价（%s）：%s",

		LeftMoment:    "一次性的请求和提问：%d",
		LeftVague:     "离开上下文就无法理解的话：%d",
		LeftSecret:    "含有凭据的话和地址：%d",
		LeftAddress:   "没有用途或只属于一次任务的地址：%d",
		LeftOpen:      "没有解决的失败（见交接）：%d",
		LeftTransient: "没有改动就自行消失的失败：%d",
		LeftEveryday:  "写代码时的日常错误，或改动太多无法归因：%d",
		LeftKnown:     "库里已有的内容：%d",
		LeftLimit:     "超出单次会话上限的内容：%d",
		LeftOld:       "因会话过长而被挤出的旧内容：%d",
		LeftForeign:   "其他目录中的记录：%d",
	}
)
