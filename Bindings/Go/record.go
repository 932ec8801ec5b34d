package assay

// #include <assay/assay.h>
// #include <stdlib.h>
//
// // Checks one record. The value of field i ends at ends[i]; an end of less than 0 means a missing value. The rules
// // are an integer, because Go's check of a pointer to an incomplete type allocates memory.
// static bool assay_go_accepts(uintptr_t rules, const uint8_t *bytes, const int64_t *ends, size_t count)
// {
//     enum { few = 64 };
//     const uint8_t *few_values[few], **values = few_values;
//     size_t few_lengths[few], *lengths = few_lengths;
//     if (count > few) {
//         values = malloc(count * sizeof *values);
//         lengths = malloc(count * sizeof *lengths);
//     }
//     bool accepts = false;
//     if (values != NULL && lengths != NULL) {
//         int64_t start = 0;
//         for (size_t i = 0; i < count; i++) {
//             const bool is_missing = ends[i] < 0;
//             values[i] = is_missing ? NULL : bytes + start;
//             lengths[i] = is_missing ? 0 : (size_t)(ends[i] - start);
//             if (!is_missing) start = ends[i];
//         }
//         accepts = assay_rules_accepts((const assay_rules *)rules, values, lengths);
//     }
//     if (count > few) {
//         free(values);
//         free(lengths);
//     }
//     return accepts;
// }
import "C"

import (
	"fmt"
	"sync"
	"unsafe"
)

// record contains the values of one record in the layout of C.
type record struct {
	bytes []byte
	ends  []C.int64_t
}

// records are unused records. The next calls use their buffers again.
var records = sync.Pool{New: func() any { return &record{bytes: make([]byte, 1, 256)} }}

// accepts checks the record, which has a value for each field, and puts it back. It does not hold back Close.
func (record *record) accepts(rules *Rules) bool {
	if !rules.users.begin() {
		return false
	}
	count := len(record.ends)
	record.bytes, record.ends = append(record.bytes, 0), append(record.ends, 0) // so that both have an address
	isClean := bool(C.assay_go_accepts(C.uintptr_t(uintptr(unsafe.Pointer(rules.rules))),
		(*C.uint8_t)(pointer(record.bytes)), &record.ends[0], C.size_t(count)))
	if rules.users.end() {
		C.assay_rules_free(rules.rules)
	}
	records.Put(record)
	return isClean
}

// Accepts returns whether a record is clean, for checking records one by one. It returns false for a record with
// findings, and if it cannot decide, because the rules have keys or repairs for example. CheckRecord then returns the
// findings.
func (rules *Rules) Accepts(given Record) bool {
	record := records.Get().(*record)
	bytes, ends := record.bytes[:0], record.ends[:0]
	for _, field := range rules.fields {
		end := C.int64_t(-1)
		if value, ok := given[field]; ok {
			bytes = append(bytes, value...)
			end = C.int64_t(len(bytes))
		}
		ends = append(ends, end)
	}
	record.bytes, record.ends = bytes, ends
	return record.accepts(rules)
}

// AcceptsValues is Accepts for a record that has its values in the order of Fields, without a map. missing marks
// missing values; nil: all are present. It panics if a slice does not have one element for each field.
func (rules *Rules) AcceptsValues(values []string, missing []bool) bool {
	if len(values) != len(rules.fields) || missing != nil && len(missing) != len(values) {
		panic(fmt.Sprintf("assay: a record of %d values and %d missing flags, and the rules have %d fields",
			len(values), len(missing), len(rules.fields)))
	}
	record := records.Get().(*record)
	bytes, ends := record.bytes[:0], record.ends[:0]
	for i, value := range values {
		end := C.int64_t(-1)
		if missing == nil || !missing[i] {
			bytes = append(bytes, value...)
			end = C.int64_t(len(bytes))
		}
		ends = append(ends, end)
	}
	record.bytes, record.ends = bytes, ends
	return record.accepts(rules)
}
