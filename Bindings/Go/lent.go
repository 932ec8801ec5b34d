//go:build go1.21

package assay

// #include <stdlib.h>
// #include "column.h"
import "C"

import (
	"runtime"
	"unsafe"
)

const canLend = true

// lentColumns are pinned buffers of columns. C memory refers to them, because Go memory that is passed to C may not
// contain pointers.
type lentColumns struct {
	pinner  runtime.Pinner
	columns []lentColumn
	c       unsafe.Pointer
}

type lentColumn struct {
	bytes, offsets, validity unsafe.Pointer
	byteCount                int
}

func (lent *lentColumns) add(column *Column) {
	one := lentColumn{byteCount: len(column.Bytes), offsets: unsafe.Pointer(&column.Offsets[0])}
	lent.pinner.Pin(&column.Offsets[0])
	if len(column.Bytes) > 0 {
		one.bytes = unsafe.Pointer(&column.Bytes[0])
		lent.pinner.Pin(&column.Bytes[0])
	}
	if len(column.Validity) > 0 {
		one.validity = unsafe.Pointer(&column.Validity[0])
		lent.pinner.Pin(&column.Validity[0])
	}
	lent.columns = append(lent.columns, one)
}

// first returns the columns in C memory, or nil if there are none.
func (lent *lentColumns) first() unsafe.Pointer {
	if len(lent.columns) == 0 {
		return nil
	}
	if lent.c == nil {
		lent.c = C.calloc(C.size_t(len(lent.columns)), C.sizeof_assay_go_column)
		columns := unsafe.Slice((*C.assay_go_column)(lent.c), len(lent.columns))
		for i, one := range lent.columns {
			columns[i].bytes = (*C.uint8_t)(one.bytes)
			columns[i].byte_count = C.size_t(one.byteCount)
			columns[i].offsets = (*C.int64_t)(one.offsets)
			columns[i].validity = (*C.uint8_t)(one.validity)
		}
	}
	return lent.c
}

func (lent *lentColumns) free() {
	C.free(lent.c)
	lent.pinner.Unpin()
	lent.c, lent.columns = nil, lent.columns[:0]
}
