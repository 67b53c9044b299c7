package webui_test

import (
	"strings"
	"testing"

	"github.com/dshkit/dshkit/internal/webui"
)

func TestHTML(t *testing.T) {
	var h webui.HTML
	h.Doctype()
	h.In("p", []string{"class", `a" onclick="x`}, func() {
		h.Text("1 < 2 & 'x'")
		h.Leaf("b", "</b><script>alert(1)</script>", "title", "<>")
		h.Void("input", "value", "\"\u202e'")
	})
	want := "<!doctype html>\n<p class=\"a&#34; onclick=&#34;x\">1 &lt; 2 &amp; &#39;x&#39;<b title=\"&lt;&gt;\">&lt;/b&gt;&lt;script&gt;alert(1)&lt;/script&gt;</b>\n<input value=\"&#34;&#39;\">\n</p>\n"
	if got := h.String(); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestHTMLNamesAreOurs(t *testing.T) {
	for _, row := range [][]string{{"p x"}, {"P"}, {""}, {"p", "onclick", "x"}, {"p", "a=b", "x"}, {"style"}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q was written", row)
				}
			}()
			var h webui.HTML
			h.Leaf(row[0], "", row[1:]...)
		}()
	}
}

// FuzzEscape holds that no text ends what it stands in.
func FuzzEscape(f *testing.F) {
	for _, s := range []string{"", "<", "&amp;", "\x00\x1b[31m", "\u2066\u202e", "\xff", "a\tb\nc", `"'`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got := webui.Escape(s); strings.ContainsAny(got, "<>\"'\x00\x1b\u202e\u2066") {
			t.Errorf("Escape(%q) = %q", s, got)
		}
	})
}

func TestAssets(t *testing.T) {
	for name, want := range map[string]string{"style.css": "prefers-color-scheme", "page.js": "setInterval"} {
		if got := string(webui.Asset(name)); !strings.Contains(got, want) {
			t.Errorf("%s lacks %q", name, want)
		}
	}
	if js := string(webui.Asset("page.js")); strings.Contains(js, "innerHTML") || strings.Contains(js, "eval") {
		t.Error("the script makes text into a page")
	}
}
