package fiber_test

import (
	"fmt"

	"pgregory.net/rapid"
)

// Random scripts keep to what both kernels promise alike: no disposer fails
// beside others of one effect, where ours goes on.

var (
	services = rapid.SampledFrom([]string{"a", "b", "c"})
	events   = rapid.SampledFrom([]string{"ev", "fx"})
	waits    = rapid.SampledFrom([]bool{false, false, true})
)

// scripts draws a script with four plugins; one mounts only those after it.
func scripts(t *rapid.T) script {
	s := script{Plugins: map[string]scripted{}}
	for i := range 4 {
		p := scripted{
			Inject: rapid.SliceOfNDistinct(services, 0, 2, rapid.ID).Draw(t, "inject"),
			Waits:  waits.Draw(t, "waits"),
		}
		for j := range rapid.IntRange(0, 5).Draw(t, "ops") {
			p.Ops = append(p.Ops, drawOp(t, fmt.Sprint(j), i+1))
		}
		s.Plugins[fmt.Sprint("P", i)] = p
	}
	for i := range rapid.IntRange(1, 14).Draw(t, "main") {
		s.Main = append(s.Main, drawMain(t, i))
	}
	return s
}

// drawOp draws what an Apply may do.
func drawOp(t *rapid.T, id string, above int) op {
	switch rapid.IntRange(0, 11).Draw(t, "op") {
	case 0, 1, 2:
		o := op{Do: "effect", Name: id, Own: true, Waits: waits.Draw(t, "waits")}
		if rapid.IntRange(0, 9).Draw(t, "fails") == 0 {
			o.Waits, o.Fail = false, "broken "+id
		}
		return o
	case 3, 4:
		return op{Do: "provide", Name: services.Draw(t, "service")}
	case 5:
		return op{Do: "get", Name: services.Draw(t, "service")}
	case 6:
		return op{Do: "use", Name: services.Draw(t, "service")}
	case 7:
		return op{Do: "nest", Name: id, Own: true, Ops: []op{
			{Do: "provide", Name: services.Draw(t, "service")},
			{Do: "effect", Name: "n1", Waits: waits.Draw(t, "waits")},
			{Do: "effect", Name: "n2", Waits: waits.Draw(t, "waits")},
		}}
	case 8:
		return drawListener(t, id)
	case 9:
		return op{Do: "emit", Name: events.Draw(t, "event")}
	case 10:
		if above < 4 {
			return op{Do: "mount", Name: fmt.Sprint("P", rapid.IntRange(above, 3).Draw(t, "plugin")), ID: id}
		}
	case 11:
		if rapid.IntRange(0, 2).Draw(t, "fails") == 0 {
			return op{Do: "fail", Name: "failed " + id}
		}
	}
	return op{Do: "log", Name: "line " + id}
}

func drawListener(t *rapid.T, id string) op {
	return op{
		Do: rapid.SampledFrom([]string{"on", "on", "once"}).Draw(t, "on"), Name: events.Draw(t, "event"), ID: id,
		Prepend: rapid.Bool().Draw(t, "prepend"),
		Value:   rapid.SampledFrom([]any{nil, false, "yes"}).Draw(t, "value"),
		Ops:     []op{{Do: "effect", Name: "heard"}},
	}
}

// drawMain draws what is done from outside.
func drawMain(t *rapid.T, i int) op {
	names := rapid.SampledFrom([]string{"m0", "m1", "m2", "m3", "m4", "m0.1", "m1.2", "m2.0"})
	switch rapid.IntRange(0, 13).Draw(t, "main") {
	case 0, 1, 2, 3:
		return op{Do: "mount", Name: fmt.Sprint("P", rapid.IntRange(0, 3).Draw(t, "plugin")), ID: fmt.Sprint("m", i)}
	case 4, 5:
		return op{Do: "dispose", Name: names.Draw(t, "fiber")}
	case 6:
		return op{Do: "restart", Name: names.Draw(t, "fiber")}
	case 7, 12:
		return op{Do: "release"}
	case 8:
		return op{Do: "provide", Name: services.Draw(t, "service")}
	case 9:
		return op{Do: "undo", Name: services.Draw(t, "service")}
	case 10:
		return op{Do: "emit", Name: events.Draw(t, "event")}
	case 11:
		return op{Do: "undo", Name: fmt.Sprint(names.Draw(t, "fiber"), ".", rapid.IntRange(0, 4).Draw(t, "effect"))}
	}
	return op{Do: "bail", Name: events.Draw(t, "event")}
}
