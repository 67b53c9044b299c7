package selfipcmd

import (
	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/selfip"
)

// plotHeight is the lines of one chart.
const plotHeight = 6

// maxPlotDays is as far back as figures are kept.
const maxPlotDays = 400

// runPlot shows how a library went from day to day.
func runPlot(env *cli.Env, days int) error {
	o, err := open(env, env.Flags.Dir)
	if err != nil {
		return err
	}
	o.warn(env)
	m := o.memory
	lib := m.Workspace
	if lib == nil || !m.Scope.ReadWorkspace && m.Global != nil {
		lib = m.Global
	}
	if lib == nil {
		return m.NoWorkspace
	}
	return env.Report(plotReport{lib.Label, lib.Root, m.Figures(lib, days)})
}

type plotReport struct {
	library selfip.Label
	dir     string
	days    []selfip.Figure
}

// PlotJSON is what status --plot writes with --json.
type PlotJSON struct {
	Library string       `json:"library"`
	Dir     string       `json:"dir"`
	Days    []FigureJSON `json:"days"` // the oldest first
}

// FigureJSON is how the library stood on one local day.
type FigureJSON struct {
	Day      string `json:"day"`
	Entries  int    `json:"entries"`  // live ones at its end, archived ones with them
	Sessions int    `json:"sessions"` // that were given something to read
	Injected int    `json:"injectedChars"`
	Tokens   int    `json:"tokens"`
}

func (r plotReport) JSON() any {
	out := PlotJSON{Library: string(r.library), Dir: r.dir, Days: []FigureJSON{}}
	for _, f := range r.days {
		out.Days = append(out.Days, FigureJSON{f.Day, f.Live, f.Sessions, f.Injected, f.Tokens})
	}
	return out
}

func (r plotReport) Text(w *cli.Writer) {
	r.chart(w, w.Phrase("plot-size", w.Phrase("library-"+string(r.library))), false, func(f selfip.Figure) int { return f.Live })
	r.chart(w, w.Phrase("plot-injected"), true, func(f selfip.Figure) int { return f.Injected })
	r.chart(w, w.Phrase("plot-tokens"), true, func(f selfip.Figure) int { return f.Tokens })
	var sum selfip.Figure
	for _, f := range r.days {
		sum.Sessions, sum.Injected, sum.Tokens = sum.Sessions+f.Sessions, sum.Injected+f.Injected, sum.Tokens+f.Tokens
	}
	w.Say("plot-sums", len(r.days), sum.Sessions, sum.Injected, sum.Tokens)
}

func (r plotReport) chart(w *cli.Writer, title string, sum bool, of func(selfip.Figure) int) {
	c := cli.Chart{Title: title, Height: plotHeight, Sum: sum, From: r.days[0].Day, To: r.days[len(r.days)-1].Day}
	for _, f := range r.days {
		c.Values = append(c.Values, of(f))
	}
	for _, line := range c.Lines() {
		w.Line(line)
	}
	w.Line("")
}
