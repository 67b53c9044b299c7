package registry

import (
	"strconv"
	"strings"

	"github.com/dshkit/dshkit/pkg/fault"
)

// Reason says why a command did not do what it was asked. The reasons are the
// stable codes of spec/cordis.md 17.3 and of a run response (5.1).
type Reason string

// The reasons.
const (
	DefineRejected     Reason = "define-rejected"
	PluginMissing      Reason = "plugin-missing"
	PackageMissing     Reason = "package-missing"
	InvalidMode        Reason = "invalid-mode"
	TransitionInFlight Reason = "transition-in-flight"
	HostHalfFailed     Reason = "host-half-failed"
	ClientHalfFailed   Reason = "client-half-failed"
	WasRejected        Reason = "rejected"
	WasCancelled       Reason = "cancelled"
	NotRunning         Reason = "not-running"
	StaleRun           Reason = "stale-run"
	RequestMissing     Reason = "request-missing"
	StaleRequest       Reason = "stale-request"
	NoClientHalf       Reason = "no-client-half"
	LimitReached       Reason = "limit"
)

// kind is the class that a reason gives a fault.
func (r Reason) kind() fault.Kind {
	switch r {
	case DefineRejected:
		return fault.Usage
	case PluginMissing, PackageMissing, RequestMissing, NoClientHalf:
		return fault.NotFound
	case InvalidMode, TransitionInFlight, NotRunning, StaleRun, StaleRequest:
		return fault.Conflict
	case HostHalfFailed, ClientHalfFailed:
		return fault.Plugin
	case WasRejected, LimitReached:
		return fault.Refused
	case WasCancelled:
		return fault.Timeout
	}
	return fault.Failed
}

// Rule says which rule of a Reason it was; it finds the sentence.
type Rule string

// The rules. A refusal without a rule is what plugin code threw.
const (
	RuleCode            Rule = ""
	RuleName            Rule = "name-empty"
	RulePurpose         Rule = "purpose-empty"
	RuleNoCode          Rule = "no-code"
	RulePrefix          Rule = "bad-prefix"
	RuleSourceLimit     Rule = "source-limit"
	RuleLabelLimit      Rule = "label-limit"
	RulePackageLimit    Rule = "package-limit"
	RulePluginLimit     Rule = "plugin-limit"
	RulePlugin          Rule = "plugin-missing"
	RulePackage         Rule = "package-missing"
	RuleBadMode         Rule = "bad-mode"
	RuleNoCurrent       Rule = "no-current"
	RuleAlreadyCurrent  Rule = "already-current"
	RuleDiffers         Rule = "differs"
	RuleStarting        Rule = "starting"
	RuleStopping        Rule = "stopping"
	RulePending         Rule = "pending-request"
	RulePanelPending    Rule = "panel-pending-request"
	RuleCancelled       Rule = "cancelled"
	RuleStoppedStart    Rule = "stopped-while-starting"
	RuleNotRunning      Rule = "not-running"
	RuleStaleRun        Rule = "stale-run"
	RuleSourceRun       Rule = "source-not-running"
	RuleNoClient        Rule = "no-client"
	RuleRequest         Rule = "request-missing"
	RuleMismatch        Rule = "request-mismatch"
	RuleStaleRequest    Rule = "request-stale"
	RuleDecided         Rule = "request-decided"
	RuleNoLongerActive  Rule = "no-longer-active"
	RuleDeclined        Rule = "declined"
	RuleStoppedApproval Rule = "stopped-before-approval"
	RuleStoppedActive   Rule = "stopped-before-active"
)

// Refusal is why a command did not do what it was asked, with what it names.
type Refusal struct {
	Reason    Reason
	Rule      Rule
	PluginID  PluginID
	PackageID PackageID
	RunID     RunID
	RequestID RequestID
	Current   PackageID
	Side      Side   // of source-limit
	Limit     int    // of the limits
	Message   string // of plugin code
	Stack     string // of plugin code
}

// Error is the English sentence, or what plugin code threw.
func (r *Refusal) Error() string { return r.In("en") }

// In is the sentence in a language: Chinese for "zh-CN", else English. What plugin
// code threw is in no language.
func (r *Refusal) In(language string) string {
	if r.Rule == RuleCode {
		return r.Message
	}
	sentences := english()
	if language == "zh-CN" {
		sentences = chinese()
	}
	return strings.NewReplacer(
		"{plugin}", string(r.PluginID), "{package}", string(r.PackageID), "{run}", string(r.RunID),
		"{request}", string(r.RequestID), "{current}", string(r.Current), "{half}", string(r.Side),
		"{limit}", strconv.Itoa(r.Limit),
	).Replace(sentences[r.Rule])
}

// Unwrap gives the class and the code of the refusal, for exit codes.
func (r *Refusal) Unwrap() error { return fault.New(r.Reason.kind(), string(r.Reason), r.Error()) }
