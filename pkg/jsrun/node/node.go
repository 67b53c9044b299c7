// Package node gives scripts the parts of Node that published packages use, over
// interfaces that the host hands in. What the host does not hand in is denied
// with an error that says what is missing.
package node
