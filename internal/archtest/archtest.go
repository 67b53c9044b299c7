// Package archtest holds the rules of the house that a reader cannot see in any
// one file: which room may import which, that every package says what it is
// for, that no clock is read and no pattern compiled where it must not be, and
// that generated files and copied material are what they claim to be
// (design/style.md 2). It has tests only.
package archtest
