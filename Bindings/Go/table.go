package assay

// #include <assay/assay.h>
// #include <stdlib.h>
// #include <string.h>
// #include "column.h"
//
// // Columns with contiguous values. Names are also contiguous, each with its NUL. Columns with `is_lent` are the next
// // elements of `lent`; the others share bytes. Returns NULL if memory runs out.
// static assay_column *columns_of(const char *names, const uint8_t *bytes, size_t byte_count, const int64_t *offsets,
//                                 const uint8_t *validity, const uint8_t *is_lent, const assay_go_column *lent,
//                                 size_t count, size_t rows)
// {
//     assay_column *columns = calloc(count + 1, sizeof *columns);
//     for (size_t i = 0; columns != NULL && i < count; i++) {
//         columns[i] = (assay_column){.size = sizeof(assay_column), .name = names, .layout = ASSAY_LAYOUT_OFFSETS64};
//         if (is_lent[i] != 0) {
//             columns[i].bytes = lent->bytes;
//             columns[i].byte_count = lent->byte_count;
//             columns[i].offsets = lent->offsets;
//             columns[i].validity = lent->validity;
//             lent++;
//         } else {
//             columns[i].bytes = bytes;
//             columns[i].byte_count = byte_count;
//             columns[i].offsets = offsets;
//             columns[i].validity = validity;
//             offsets += rows + 1;
//             validity += (rows + 7) / 8;
//         }
//         names += strlen(names) + 1;
//     }
//     return columns;
// }
//
// // The pointers are Go's and are not kept. A Go structure that contains them could not be passed to C.
// static assay_fault *assay_go_check(const assay_rules *rules, const char *names, const uint8_t *bytes,
//                                    size_t byte_count, const int64_t *offsets, const uint8_t *validity,
//                                    const uint8_t *is_lent, const assay_go_column *lent, size_t count, size_t rows,
//                                    const assay_options *options, assay_result **result)
// {
//     assay_column *columns = columns_of(names, bytes, byte_count, offsets, validity, is_lent, lent, count, rows);
//     assay_fault *fault = assay_rules_check_columns(rules, columns, count, rows, options, result);
//     free(columns);
//     return fault;
// }
//
// static assay_fault *assay_go_check_column(const assay_rules *rules, size_t field, const char *names,
//                                           const uint8_t *bytes, size_t byte_count, const int64_t *offsets,
//                                           const uint8_t *validity, const uint8_t *is_lent,
//                                           const assay_go_column *lent, size_t rows, const assay_options *options,
//                                           assay_result **result)
// {
//     assay_column *columns = columns_of(names, bytes, byte_count, offsets, validity, is_lent, lent, 1, rows);
//     assay_fault *fault = assay_rules_check_column(rules, field, columns, rows, options, result);
//     free(columns);
//     return fault;
// }
//
// static assay_fault *assay_go_repair(const assay_rules *rules, size_t field, const char *names, const uint8_t *bytes,
//                                     size_t byte_count, const int64_t *offsets, const uint8_t *validity,
//                                     const uint8_t *is_lent, const assay_go_column *lent, size_t rows,
//                                     struct ArrowArray *repaired, struct ArrowSchema *schema)
// {
//     assay_column *columns = columns_of(names, bytes, byte_count, offsets, validity, is_lent, lent, 1, rows);
//     assay_fault *fault = assay_rules_repair_column(rules, field, columns, rows, NULL, repaired, schema, NULL);
//     free(columns);
//     return fault;
// }
import "C"

import (
	"fmt"
	"strings"
	"sync"
)

// Record maps the names of fields to values. A missing field is a missing value.
type Record = map[string]string

// Column is a column of texts, in one of two forms. Invalid UTF-8 is a finding.
//
// Values are strings, which are copied for C. Bytes and Offsets are the values in one buffer, as in Arrow, which C
// reads in place (before Go 1.21, after a copy of the whole buffers). They must not change during a check.
type Column struct {
	Name    string
	Values  []string
	Missing []bool // marks missing values; nil: all are present

	Bytes    []byte  // value i is Bytes[Offsets[i]:Offsets[i+1]]
	Offsets  []int64 // one more than there are values; nil: the column has Values
	Validity []byte  // bit i, least significant first, is 1 if value i is present; nil: all are
}

// Len returns the number of values.
func (column *Column) Len() int {
	if column.Offsets != nil {
		return len(column.Offsets) - 1
	}
	return len(column.Values)
}

func (column *Column) isMissing(row int) bool {
	if column.Offsets != nil {
		return column.Validity != nil && column.Validity[row/8]>>(row%8)&1 == 0
	}
	return column.Missing != nil && column.Missing[row]
}

// check returns an error if the parts of the column do not fit together.
func (column *Column) check(first string, rows int) error {
	has := func(format string, values ...any) error {
		return argumentError(fmt.Sprintf("the column '%s' has "+format, append([]any{column.Name}, values...)...))
	}
	switch {
	case strings.IndexByte(column.Name, 0) >= 0:
		return argumentError("the name of a column has a NUL in it")
	case column.Offsets != nil && (column.Values != nil || column.Missing != nil):
		return has("both Offsets and Values or Missing")
	case column.Offsets == nil && (column.Bytes != nil || column.Validity != nil):
		return has("Bytes or Validity, and no Offsets")
	case column.Offsets != nil && len(column.Offsets) == 0:
		return has("no offset; it has one more than values")
	case column.Len() != rows:
		return has("%d values, and '%s' has %d", column.Len(), first, rows)
	case column.Missing != nil && len(column.Missing) != rows:
		return has("%d values, but %d missing flags", rows, len(column.Missing))
	case column.Validity != nil && len(column.Validity) < (rows+7)/8:
		return has("%d values, but only %d bytes of validity", rows, len(column.Validity))
	}
	for i, offset := range column.Offsets {
		if offset < 0 || offset > int64(len(column.Bytes)) || i > 0 && offset < column.Offsets[i-1] {
			return has("the offset %d at %d, with %d bytes", offset, i, len(column.Bytes))
		}
	}
	return nil
}

// table contains columns in the layout of C, in Go memory without pointers, so that it can be lent to C for one call.
type table struct {
	names    []byte
	bytes    []byte
	offsets  []C.int64_t // rows + 1 per copied column
	validity []byte      // (rows + 7) / 8 per copied column
	isLent   []byte      // 1 for a column that is not copied
	lent     lentColumns
	rows     int
}

// tables are unused tables. The next calls use their buffers again.
var tables = sync.Pool{New: func() any { return new(table) }}

// newTable copies or lends columns to C. The caller must call free.
func newTable(columns []Column, rows int) (*table, error) {
	size, copied := 0, 0
	for i := range columns {
		column := &columns[i]
		if err := column.check(columns[0].Name, rows); err != nil {
			return nil, err
		}
		if canLend && column.Offsets != nil {
			continue
		}
		copied++
		size += len(column.Bytes)
		for _, value := range column.Values {
			size += len(value)
		}
	}
	table := tables.Get().(*table)
	table.rows = rows
	perColumn := (rows + 7) / 8
	table.names, table.isLent = table.names[:0], table.isLent[:0]
	table.bytes = withRoom(table.bytes, size+1) // so that it has an address
	table.offsets = withRoom(table.offsets, copied*(rows+1)+1)
	table.validity = withRoom(table.validity, copied*perColumn+1)
	for i := range columns {
		column := &columns[i]
		table.names = append(append(table.names, column.Name...), 0)
		if canLend && column.Offsets != nil {
			table.isLent = append(table.isLent, 1)
			table.lent.add(column)
		} else {
			table.isLent = append(table.isLent, 0)
			table.copy(column, perColumn)
		}
	}
	table.names, table.isLent = append(table.names, 0), append(table.isLent, 0)
	return table, nil
}

func withRoom[Element any](slice []Element, count int) []Element {
	if cap(slice) < count {
		return make([]Element, 0, count)
	}
	return slice[:0]
}

// copy appends a column to the buffers, which have room for it.
func (table *table) copy(column *Column, validitySize int) {
	start := len(table.validity)
	validity := table.validity[start : start+validitySize]
	table.validity = table.validity[:start+validitySize]
	bytes, offsets := table.bytes, append(table.offsets, C.int64_t(len(table.bytes)))
	switch {
	case column.Offsets != nil:
		first := column.Offsets[0]
		shift := int64(len(bytes)) - first
		bytes = append(bytes, column.Bytes[first:column.Offsets[table.rows]]...)
		for _, end := range column.Offsets[1:] {
			offsets = append(offsets, C.int64_t(end+shift))
		}
	default:
		for row, value := range column.Values {
			if column.Missing == nil || !column.Missing[row] {
				bytes = append(bytes, value...)
			}
			offsets = append(offsets, C.int64_t(len(bytes)))
		}
	}
	switch {
	case column.Validity != nil:
		copy(validity, column.Validity)
	default:
		for i := range validity {
			validity[i] = 0xff
		}
		for row, isMissing := range column.Missing {
			if isMissing {
				validity[row/8] &^= 1 << (row % 8)
			}
		}
	}
	table.bytes, table.offsets = bytes, offsets
}

// free ends the loan of columns and returns the buffers.
func (table *table) free() {
	table.lent.free()
	tables.Put(table)
}

func (table *table) cNames() *C.char       { return (*C.char)(pointer(table.names)) }
func (table *table) cBytes() *C.uint8_t    { return (*C.uint8_t)(pointer(table.bytes[:1])) }
func (table *table) cValidity() *C.uint8_t { return (*C.uint8_t)(pointer(table.validity[:1])) }
func (table *table) cIsLent() *C.uint8_t   { return (*C.uint8_t)(pointer(table.isLent)) }
func (table *table) cOffsets() *C.int64_t  { return &table.offsets[:1][0] }
func (table *table) cByteCount() C.size_t  { return C.size_t(len(table.bytes)) }
func (table *table) cRows() C.size_t       { return C.size_t(table.rows) }

func (table *table) cLent() *C.assay_go_column { return (*C.assay_go_column)(table.lent.first()) }

func (table *table) check(
	rules *C.assay_rules, options *C.assay_options, result **C.assay_result,
) *C.assay_fault {
	return C.assay_go_check(rules, table.cNames(), table.cBytes(), table.cByteCount(), table.cOffsets(),
		table.cValidity(), table.cIsLent(), table.cLent(), C.size_t(len(table.isLent)-1), table.cRows(), options, result)
}

func (table *table) checkColumn(
	rules *C.assay_rules, field int, options *C.assay_options, result **C.assay_result,
) *C.assay_fault {
	return C.assay_go_check_column(rules, C.size_t(field), table.cNames(), table.cBytes(), table.cByteCount(),
		table.cOffsets(), table.cValidity(), table.cIsLent(), table.cLent(), table.cRows(), options, result)
}

func (table *table) repair(
	rules *C.assay_rules, field int, array *C.struct_ArrowArray, schema *C.struct_ArrowSchema,
) error {
	return check(C.assay_go_repair(rules, C.size_t(field), table.cNames(), table.cBytes(), table.cByteCount(),
		table.cOffsets(), table.cValidity(), table.cIsLent(), table.cLent(), table.cRows(), array, schema))
}
