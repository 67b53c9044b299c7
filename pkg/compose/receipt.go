package compose

import (
	"errors"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// normalizeReceipt validates a Receipt (3.15). Core adds no time of its own.
func normalizeReceipt(v any, view *View, offer *jsonvalue.Object) (*jsonvalue.Object, error) {
	o, err := members(v, "memory mutation Receipt")
	if err != nil {
		return nil, err
	}
	if member(o, "viewId") != view.ID() || member(o, "offerId") != member(offer, "id") ||
		member(o, "sourceInstanceKey") != member(offer, "sourceInstanceKey") {
		return nil, errors.New("memory mutation Receipt is not bound to the requested ActionOffer")
	}
	if err := checkCompletion(o); err != nil {
		return nil, err
	}
	id, err := requiredText(member(o, "id"), "memory mutation Receipt id", 500)
	if err != nil {
		return nil, err
	}
	return cloneObject(o.With("id", id), "memory mutation Receipt")
}

func checkCompletion(o *jsonvalue.Object) error {
	status, completion := member(o, "status"), member(o, "completion")
	switch status {
	case "succeeded", "partial", "failed", "cancelled":
	default:
		return errors.New("memory mutation Receipt has an invalid status")
	}
	switch completion {
	case "committed":
		if at, ok := o.Text("committedAt"); status != "succeeded" || !ok || !isDate(at) {
			return errors.New("committed memory Receipt requires successful status and an explicit commit timestamp")
		}
		return nil
	case "accepted", "candidate", "partial", "failed", "unknown":
	default:
		return errors.New("memory mutation Receipt has an invalid completion")
	}
	if !isUndefined(member(o, "committedAt")) {
		return errors.New("uncommitted memory Receipt cannot claim a commit timestamp")
	}
	if completion == "failed" && status == "succeeded" {
		return errors.New("failed memory completion cannot have successful status")
	}
	return nil
}
