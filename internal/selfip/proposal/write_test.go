package proposal_test

import (
	"testing"

	"github.com/dshkit/dshkit/internal/selfip/proposal"
)

func TestCode(t *testing.T) {
	for said, want := range map[string]string{
		"Problem: x.\n```javascript\nexport const fixed = true\n```": "export const fixed = true",
		"x\n```\na\n```\n```js\nb\n```":                              "a",
		"x\n```JS\n\n a\nb\n\n```\n":                                 "a\nb",
		"x\n```sh\nmake\n```":                                        "",
		"x\n```js\nnever ended":                                      "",
		"x\n```sh\nmake\n```\ny\n```js\nb\n```":                      "b",
		"no code":                                                    "",
	} {
		if got := proposal.Code(said); got != want {
			t.Errorf("code of %q: %q, want %q", said, got, want)
		}
	}
}

func TestFormat(t *testing.T) {
	if got, want := string(proposal.Format("S", "\nProblem: x.\n\n")), "# 提案 @ S（待人工确认后应用）\n\nProblem: x.\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := proposal.Summary(proposal.Format("S", "Problem: x.")); got != "Problem: x." {
		t.Errorf("summary %q", got)
	}
}
