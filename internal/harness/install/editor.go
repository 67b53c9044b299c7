package install

import "github.com/dshkit/dshkit/pkg/fault"

// editor changes a file whose form is of one harness alone, or of none. The plan
// that it is given holds the file as it is.
type editor interface {
	install(t Target, plan Plan, o Options) Plan
	uninstall(t Target, plan Plan, program string, record *Record) Plan
	status(t Target, s Status, current []byte, program string) Status
}

// uninstallEdited gives the file back the bytes that it had when nobody changed
// it since, else takes ours out.
func (t Target) uninstallEdited(plan Plan, program string, record *Record) Plan {
	if blankFile(plan.Before) {
		return plan.finish(plan.Before, record)
	}
	if record == nil {
		record = &Record{}
	}
	if before, ok := record.restore(plan.Before); ok && len(t.Status(before, program).Entries) == 0 {
		return plan.finish(before, record)
	}
	return t.editor.uninstall(t, plan, program, record)
}

// refuse withdraws a plan.
func (p Plan) refuse(e *fault.Error) Plan {
	p.After, p.Created, p.Refusal = p.Before, false, e
	return p
}
