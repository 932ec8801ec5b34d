//go:build !go1.21

package assay

import "unsafe"

// canLend is false because Go can pin memory only since version 1.21. Columns are copied.
const canLend = false

type lentColumns struct{}

func (lentColumns) add(*Column)           {}
func (lentColumns) first() unsafe.Pointer { return nil }
func (lentColumns) free()                 {}
