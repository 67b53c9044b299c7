package mnemoncmd

import (
	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// viewReport is a View as a whole.
type viewReport struct{ view *jsonvalue.Object }

func (r viewReport) JSON() any { return r.view }

func (r viewReport) Text(w *cli.Writer) {
	writeView(w, r.view)
	each(r.view, "projection", func(o *jsonvalue.Object) {
		key, _ := o.Text("sourceInstanceKey")
		text, _ := o.Text("text")
		w.Line("")
		w.Line(w.Bold(key))
		w.Line(text)
	})
}

// evidenceReport is what a read gave.
type evidenceReport struct{ evidence *jsonvalue.Object }

func (r evidenceReport) JSON() any { return r.evidence }

func (r evidenceReport) Text(w *cli.Writer) {
	if unavailable, ok := r.evidence.Text("unavailable"); ok {
		w.Say("evidence-unavailable", unavailable)
	}
	if output, ok := r.evidence.Get("output"); ok {
		w.Line(jsonvalue.FormatIndent(output, "  "))
		return
	}
	items, _ := r.evidence.Array("items")
	if len(items) == 0 {
		w.Say("evidence-none")
	}
	each(r.evidence, "items", func(o *jsonvalue.Object) {
		id, _ := o.Text("id")
		text, _ := o.Text("text")
		w.Line(w.Dim(id))
		w.Line(text)
	})
	if truncated, _ := r.evidence.Truth("truncated"); truncated {
		w.Say("evidence-truncated")
	}
}

// receiptReport is what came of a write.
type receiptReport struct{ receipt *jsonvalue.Object }

func (r receiptReport) JSON() any { return r.receipt }

func (r receiptReport) Text(w *cli.Writer) {
	status, _ := r.receipt.Text("status")
	completion, _ := r.receipt.Text("completion")
	w.Say("receipt-row", status, completion)
	if at, ok := r.receipt.Text("committedAt"); ok {
		w.Say("receipt-committed", at)
	}
	if details, ok := r.receipt.Get("details"); ok {
		w.Line(jsonvalue.FormatIndent(details, "  "))
	}
}
