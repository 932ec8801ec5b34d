// Package empty has a call of C that does no work.
package empty

// static int empty(void) { return 1; }
import "C"

// Call returns 1.
func Call() int { return int(C.empty()) }
