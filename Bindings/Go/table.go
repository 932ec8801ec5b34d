package assay

// #include <assay/assay.h>
// #include <stdlib.h>
// #include <string.h>
//
// // Columns with contiguous values. Names are also contiguous, each with its NUL. Returns NULL if memory runs out.
// static assay_column *columns_of(const char *names, const uint8_t *bytes, size_t byte_count, const int64_t *offsets,
//                                 const uint8_t *validity, size_t count, size_t rows)
// {
//     assay_column *columns = calloc(count + 1, sizeof *columns);
//     for (size_t i = 0; columns != NULL && i < count; i++) {
//         columns[i] = (assay_column){
//             .size = sizeof(assay_column),
//             .name = names,
//             .layout = ASSAY_LAYOUT_OFFSETS64,
//             .bytes = bytes,
//             .byte_count = byte_count,
//             .offsets = offsets + i * (rows + 1),
//             .validity = validity + i * ((rows + 7) / 8),
//         };
//         names += strlen(names) + 1;
//     }
//     return columns;
// }
//
// // The pointers are Go's and are not kept. A Go structure that contains them could not be passed to C.
// static assay_fault *assay_go_check(const assay_rules *rules, const char *names, const uint8_t *bytes,
//                                    size_t byte_count, const int64_t *offsets, const uint8_t *validity, size_t count,
//                                    size_t rows, const assay_options *options, assay_result **result)
// {
//     assay_column *columns = columns_of(names, bytes, byte_count, offsets, validity, count, rows);
//     assay_fault *fault = assay_rules_check_columns(rules, columns, count, rows, options, result);
//     free(columns);
//     return fault;
// }
//
// static assay_fault *assay_go_check_column(const assay_rules *rules, size_t field, const char *names,
//                                           const uint8_t *bytes, size_t byte_count, const int64_t *offsets,
//                                           const uint8_t *validity, size_t rows, const assay_options *options,
//                                           assay_result **result)
// {
//     assay_column *columns = columns_of(names, bytes, byte_count, offsets, validity, 1, rows);
//     assay_fault *fault = assay_rules_check_column(rules, field, columns, rows, options, result);
//     free(columns);
//     return fault;
// }
//
// static assay_fault *assay_go_repair(const assay_rules *rules, size_t field, const char *names, const uint8_t *bytes,
//                                     size_t byte_count, const int64_t *offsets, const uint8_t *validity, size_t rows,
//                                     struct ArrowArray *repaired, struct ArrowSchema *schema)
// {
//     assay_column *columns = columns_of(names, bytes, byte_count, offsets, validity, 1, rows);
//     assay_fault *fault = assay_rules_repair_column(rules, field, columns, rows, NULL, repaired, schema, NULL);
//     free(columns);
//     return fault;
// }
//
// static bool assay_go_accepts(const assay_rules *rules, const uint8_t *bytes, const int64_t *offsets,
//                              const uint8_t *is_there, size_t count)
// {
//     const uint8_t **values = calloc(count + 1, sizeof *values);
//     size_t *lengths = calloc(count + 1, sizeof *lengths);
//     for (size_t i = 0; values != NULL && lengths != NULL && i < count; i++) {
//         values[i] = is_there[i] ? bytes + offsets[i] : NULL;
//         lengths[i] = (size_t)(offsets[i + 1] - offsets[i]);
//     }
//     const bool accepts = values != NULL && lengths != NULL && assay_rules_accepts(rules, values, lengths);
//     free(values);
//     free(lengths);
//     return accepts;
// }
import "C"

import (
	"fmt"
	"strings"
)

// Record maps the names of fields to values. A missing field is a missing value.
type Record = map[string]string

// Column is a column of texts. Invalid UTF-8 is a finding.
type Column struct {
	Name    string
	Values  []string
	Missing []bool // marks missing values; nil: all are present
}

func (column *Column) isMissing(row int) bool { return column.Missing != nil && column.Missing[row] }

// table contains columns in the layout of C, in Go memory without pointers, so that it can be lent to C for one call.
type table struct {
	names    []byte
	bytes    []byte
	offsets  []C.int64_t // rows + 1 per column
	validity []byte      // (rows + 7) / 8 per column
	columns  int
	rows     int
}

func newTable(columns []Column, rows int) (*table, error) {
	table := &table{columns: len(columns), rows: rows}
	size := 1 // so that it has an address
	for i := range columns {
		column := &columns[i]
		if len(column.Values) != rows {
			return nil, argumentError(fmt.Sprintf("the column '%s' has %d values, and '%s' has %d",
				column.Name, len(column.Values), columns[0].Name, rows))
		}
		if column.Missing != nil && len(column.Missing) != rows {
			return nil, argumentError(fmt.Sprintf("the column '%s' has %d values, but %d missing flags",
				column.Name, rows, len(column.Missing)))
		}
		if strings.IndexByte(column.Name, 0) >= 0 {
			return nil, argumentError("the name of a column has a NUL in it")
		}
		for _, value := range column.Values {
			size += len(value)
		}
		table.names = append(append(table.names, column.Name...), 0)
	}
	table.names = append(table.names, 0)
	table.bytes = make([]byte, 0, size)
	table.offsets = make([]C.int64_t, 0, len(columns)*(rows+1)+1)
	perColumn := (rows + 7) / 8
	table.validity = make([]byte, len(columns)*perColumn+1)
	for i := range columns {
		column, validity := &columns[i], table.validity[i*perColumn:]
		table.offsets = append(table.offsets, C.int64_t(len(table.bytes)))
		for row, value := range column.Values {
			if !column.isMissing(row) {
				table.bytes = append(table.bytes, value...)
				validity[row/8] |= 1 << (row % 8)
			}
			table.offsets = append(table.offsets, C.int64_t(len(table.bytes)))
		}
	}
	table.offsets = append(table.offsets, 0)
	return table, nil
}

func (table *table) cNames() *C.char       { return (*C.char)(pointer(table.names)) }
func (table *table) cBytes() *C.uint8_t    { return (*C.uint8_t)(pointer(table.bytes[:1])) }
func (table *table) cValidity() *C.uint8_t { return (*C.uint8_t)(pointer(table.validity)) }
func (table *table) cOffsets() *C.int64_t  { return &table.offsets[0] }
func (table *table) cByteCount() C.size_t  { return C.size_t(len(table.bytes)) }
func (table *table) cRows() C.size_t       { return C.size_t(table.rows) }

func (table *table) check(rules *C.assay_rules, options Options) (*C.assay_result, error) {
	var result *C.assay_result
	cOptions := options.c()
	fault := C.assay_go_check(rules, table.cNames(), table.cBytes(), table.cByteCount(), table.cOffsets(),
		table.cValidity(), C.size_t(table.columns), table.cRows(), &cOptions, &result)
	return result, check(fault)
}

func (table *table) checkColumn(rules *C.assay_rules, field int, options Options) (*C.assay_result, error) {
	var result *C.assay_result
	cOptions := options.c()
	fault := C.assay_go_check_column(rules, C.size_t(field), table.cNames(), table.cBytes(), table.cByteCount(),
		table.cOffsets(), table.cValidity(), table.cRows(), &cOptions, &result)
	return result, check(fault)
}

func (table *table) repair(
	rules *C.assay_rules, field int, array *C.struct_ArrowArray, schema *C.struct_ArrowSchema,
) error {
	return check(C.assay_go_repair(rules, C.size_t(field), table.cNames(), table.cBytes(), table.cByteCount(),
		table.cOffsets(), table.cValidity(), table.cRows(), array, schema))
}

// accepts checks one record, whose values are in the order of the fields.
func accepts(rules *C.assay_rules, fields []string, record Record) bool {
	bytes := make([]byte, 0, 256)
	offsets := make([]C.int64_t, len(fields)+1)
	isThere := make([]byte, len(fields)+1)
	for i, field := range fields {
		if value, ok := record[field]; ok {
			bytes = append(bytes, value...)
			isThere[i] = 1
		}
		offsets[i+1] = C.int64_t(len(bytes))
	}
	return bool(C.assay_go_accepts(rules, (*C.uint8_t)(pointer(bytes[:1])), &offsets[0],
		(*C.uint8_t)(pointer(isThere)), C.size_t(len(fields))))
}
