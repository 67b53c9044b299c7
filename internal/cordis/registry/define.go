package registry

import "strings"

// Definition is a Package to be kept.
type Definition struct {
	Session       Session
	New           bool     // a new Plugin, with Prefix; else one more Package of PluginID
	Prefix        string   // idPrefix
	PluginID      PluginID // of an existing Plugin
	Name, Purpose string
	Code          Code
}

// Defined is the Package that a Definition made.
type Defined struct {
	PluginID      PluginID  `json:"pluginId"`
	PackageID     PackageID `json:"packageId"`
	Name          string    `json:"name"`
	Purpose       string    `json:"purpose"`
	HasHostHalf   bool      `json:"hasHostHalf"`
	HasClientHalf bool      `json:"hasClientHalf"`
}

// Check says what is wrong with the syntax of a half.
type Check func(half Side, source string) error

// Define keeps a Package, and makes a new Plugin for it if asked (3.2). The error
// is a *Refusal or what check said; then nothing is kept and no id is used up. No
// event follows, nothing runs.
func (r *Registry) Define(d Definition, check Check) (Defined, error) {
	d.Name, d.Purpose, d.Prefix = trim(d.Name), trim(d.Purpose), trim(d.Prefix)
	if err := r.checkPackage(d, check); err != nil {
		return Defined{}, err
	}
	p, err := r.target(d)
	if err != nil {
		return Defined{}, err
	}
	if d.New {
		p.id = PluginID(number(d.Prefix, &r.made.plugin))
		r.plugins = append(r.plugins, p)
	}
	k := &pkg{PackageID(number("pkg", &r.made.pkg)), d.Name, d.Purpose, d.Code.copy()}
	p.packages = append(p.packages, k)
	row := k.row()
	return Defined{p.id, k.id, row.Name, row.Purpose, row.HasHostHalf, row.HasClientHalf}, nil
}

// checkPackage looks at what does not depend on the Plugin, in the order of 3.2.
func (r *Registry) checkPackage(d Definition, check Check) error {
	switch {
	case d.Name == "":
		return &Refusal{Reason: DefineRejected, Rule: RuleName}
	case d.Purpose == "":
		return &Refusal{Reason: DefineRejected, Rule: RulePurpose}
	case d.Code.Host == nil && d.Code.Client == nil:
		return &Refusal{Reason: DefineRejected, Rule: RuleNoCode}
	case max(len(d.Name), len(d.Purpose)) > r.limits.Label:
		return &Refusal{Reason: LimitReached, Rule: RuleLabelLimit, Limit: r.limits.Label}
	}
	for _, h := range d.Code.halves() {
		if len(h.text) > r.limits.Source {
			return &Refusal{Reason: LimitReached, Rule: RuleSourceLimit, Side: h.side, Limit: r.limits.Source}
		}
		if err := check(h.side, string(h.text)); err != nil {
			return err
		}
	}
	return nil
}

// target is the Plugin that the Package goes to: one that is not yet named, or
// one of the Session.
func (r *Registry) target(d Definition) (*plugin, error) {
	if !d.New {
		p, err := r.find(d.Session, d.PluginID)
		if err == nil && len(p.packages) >= r.limits.Packages {
			return nil, &Refusal{Reason: LimitReached, Rule: RulePackageLimit, PluginID: p.id, Limit: r.limits.Packages}
		}
		return p, err
	}
	if !isPrefix(d.Prefix) {
		return nil, &Refusal{Reason: DefineRejected, Rule: RulePrefix}
	}
	if len(r.plugins) >= r.limits.Plugins {
		return nil, &Refusal{Reason: LimitReached, Rule: RulePluginLimit, Limit: r.limits.Plugins}
	}
	return &plugin{session: d.Session, approved: map[PackageID]bool{}}, nil
}

func isPrefix(s string) bool {
	return len(s) >= 3 && len(s) <= 6 && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz") == ""
}

type halfText struct {
	side Side
	text Source
}

// halves are those that are there, Host first.
func (c Code) halves() (out []halfText) {
	if c.Host != nil {
		out = append(out, halfText{Host, *c.Host})
	}
	if c.Client != nil {
		out = append(out, halfText{Client, *c.Client})
	}
	return out
}

// copy keeps the texts apart from who handed them in.
func (c Code) copy() (out Code) {
	for _, h := range c.halves() {
		text := h.text
		if h.side == Host {
			out.Host = &text
		} else {
			out.Client = &text
		}
	}
	return out
}
