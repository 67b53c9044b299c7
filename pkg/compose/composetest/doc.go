// Package composetest is the contract of package compose as tests: an author of
// a Source, a Strategy or an extension runs them on their own.
package composetest
