package registry

import "github.com/dshkit/dshkit/pkg/fault"

// Reason says why a command did not do what it was asked. The codes of
// spec/cordis.md 17.3 are stable.
type Reason string

// The codes.
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
	InvalidArgs        Reason = "invalid-args"
	LimitReached       Reason = "limit"
)

// Rule says which rule of a Reason it was; it finds the sentence.
type Rule string

// The rules.
const (
	RuleName              Rule = "name-empty"
	RulePurpose           Rule = "purpose-empty"
	RuleNoCode            Rule = "no-code"
	RulePrefix            Rule = "bad-prefix"
	RuleSourceLimit       Rule = "source-limit"
	RulePackageLimit      Rule = "package-limit"
	RulePluginLimit       Rule = "plugin-limit"
	RulePlugin            Rule = "plugin-missing"
	RulePackage           Rule = "package-missing"
	RuleNoCurrent         Rule = "no-current"
	RuleAlreadyCurrent    Rule = "already-current"
	RuleDiffers           Rule = "differs"
	RuleBadMode           Rule = "bad-mode"
	RuleStarting          Rule = "starting"
	RuleStopping          Rule = "stopping"
	RulePending           Rule = "pending-request"
	RulePanelPending      Rule = "panel-pending-request"
	RuleCancelled         Rule = "cancelled"
	RuleStoppedStart      Rule = "stopped-while-starting"
	RuleNotRunning        Rule = "not-running"
	RuleStaleRun          Rule = "stale-run"
	RuleSourceRun         Rule = "source-not-running"
	RuleNoClient          Rule = "no-client"
	RuleRequest           Rule = "request-missing"
	RuleMismatch          Rule = "request-mismatch"
	RuleStaleRequest      Rule = "request-stale"
	RuleNoLongerActive    Rule = "no-longer-active"
	RuleDeclined          Rule = "declined"
	RuleStoppedApproval   Rule = "stopped-before-approval"
	RuleRemovedApproval   Rule = "removed-before-approval"
	RuleStoppedActive     Rule = "stopped-before-active"
	RulePackageNeedPlugin Rule = "package-without-plugin"
	RuleCode              Rule = "" // plugin code failed: Message is its own
)

// Refusal is why a command did not do what it was asked, with what it names.
// Its Reason is also that of a run response.
type Refusal struct {
	Reason    Reason
	Rule      Rule
	PluginID  PluginID
	PackageID PackageID
	RunID     RunID
	RequestID RequestID
	Current   PackageID
	Side      Side // of source-limit
	Limit     int  // of the limits
	Message   string
	Stack     string // of plugin code
}

// Error is the English sentence, or what plugin code threw.
func (r *Refusal) Error() string { return r.In("en") }

// In is the sentence in a language: Chinese for "zh-CN", else English. What plugin
// code threw is in no language.
func (r *Refusal) In(language string) string { return string(r.Reason) }

// Unwrap gives the class of the refusal, for exit codes.
func (r *Refusal) Unwrap() error { return fault.New(fault.Failed, string(r.Reason)) }
