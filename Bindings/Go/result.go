package assay

// #include <assay/assay.h>
// #include <stdlib.h>
import "C"

import (
	"math"
	"runtime"
	"unsafe"
)

// Result is the result of a check. It is immutable and does not refer to the data.
type Result struct {
	users  users
	result *C.assay_result
	totals Totals
}

// Totals are counts of records; Clean + Rejected = Records.
type Totals struct {
	Records   uint64
	Clean     uint64
	Rejected  uint64
	Undecided uint64 // records with a finding that a limit left undecided
	Findings  uint64 // all findings, including warnings
}

// Severity is the effect of a finding on its record.
type Severity int

// The severities.
const (
	Reject Severity = C.ASSAY_SEVERITY_REJECT
	Warn   Severity = C.ASSAY_SEVERITY_WARN // the record stays clean
)

// Finding is one failed or undecided rule of one record.
type Finding struct {
	Record   uint64 // number of the record, from 1
	Line     uint64 // in CSV the physical line, from 1; otherwise 0
	Offset   uint64 // in CSV the byte at which the cell starts; otherwise 0
	Column   string // the field; empty for findings about the whole record
	Rule     string // such as "email.pattern"
	Code     string // such as "pattern", "required", "encoding" or "undecided"
	Message  string
	Severity Severity
}

// RuleCount is the number of findings of a rule.
type RuleCount struct {
	Column    string // the field; empty for rules of whole records
	Rule      string
	Severity  Severity
	Failed    uint64
	Undecided uint64
}

// newResult takes ownership of a result of libassay.
func newResult(made *C.assay_result) *Result {
	var totals C.assay_totals
	C.assay_result_totals(made, &totals, C.sizeof_assay_totals)
	result := &Result{result: made, totals: Totals{
		Records:   uint64(totals.records),
		Clean:     uint64(totals.clean),
		Rejected:  uint64(totals.rejected),
		Undecided: uint64(totals.undecided),
		Findings:  uint64(totals.findings),
	}}
	runtime.SetFinalizer(result, (*Result).Close)
	return result
}

// Close frees the result, or lets the last running call free it. Afterwards only its totals are available. Close may be
// called more than once.
func (result *Result) Close() {
	if result.users.close() {
		C.assay_result_free(result.result)
	}
}

// use calls a function with the result, unless it is closed.
func (result *Result) use(body func(*C.assay_result)) {
	if !result.users.begin() {
		return
	}
	defer func() {
		if result.users.end() {
			C.assay_result_free(result.result)
		}
	}()
	body(result.result)
}

// Totals returns the counts.
func (result *Result) Totals() Totals { return result.totals }

// IsClean returns whether all records are clean.
func (result *Result) IsClean() bool { return result.totals.Rejected == 0 }

// Verdicts returns a verdict for each row, true for clean rows. Nil for CSV, because its findings have record numbers.
func (result *Result) Verdicts() []bool {
	verdicts := result.rows(C.ASSAY_ROWS_REJECTED)
	for row := range verdicts {
		verdicts[row] = !verdicts[row]
	}
	return verdicts
}

// Undecided returns for each row whether a limit left its verdict undecided. Such rows are also rejected. Nil if
// unknown.
func (result *Result) Undecided() []bool { return result.rows(C.ASSAY_ROWS_UNDECIDED) }

// missing returns for each row whether its value is missing, in a check of one column. Nil if unknown.
func (result *Result) missing() []bool { return result.rows(C.ASSAY_ROWS_MISSING) }

func (result *Result) rows(kind C.assay_rows) (rows []bool) {
	result.use(func(c *C.assay_result) {
		first := C.assay_result_rows(c, kind)
		if first == nil {
			return
		}
		rows = make([]bool, result.totals.Records)
		words := unsafe.Slice((*uint64)(first), (len(rows)+63)/64)
		for row := range rows {
			rows[row] = words[row/64]>>(row%64)&1 == 1
		}
	})
	return rows
}

// Findings returns all findings, in the order of the records.
func (result *Result) Findings() []Finding { return result.First(math.MaxInt) }

// First returns the first findings, at most limit.
func (result *Result) First(limit int) (findings []Finding) {
	result.use(func(c *C.assay_result) {
		var cursor C.assay_cursor
		var found [64]C.assay_finding
		for len(findings) < limit {
			room := limit - len(findings)
			if room > len(found) {
				room = len(found)
			}
			count := int(C.assay_result_findings(c, &cursor, &found[0], C.sizeof_assay_finding, C.size_t(room)))
			if count == 0 {
				return
			}
			for _, one := range found[:count] {
				findings = append(findings, Finding{
					Record:   uint64(one.record),
					Line:     uint64(one.line),
					Offset:   uint64(one.offset),
					Column:   C.GoString(one.column),
					Rule:     C.GoString(one.rule),
					Code:     C.GoString(one.code),
					Message:  C.GoString(one.message),
					Severity: Severity(one.severity),
				})
			}
		}
	})
	return findings
}

// Counts returns the number of findings of each rule, including rules without findings.
func (result *Result) Counts() (counts []RuleCount) {
	result.use(func(c *C.assay_result) {
		tally := C.assay_tally_create()
		defer C.assay_tally_free(tally)
		C.assay_tally_add(tally, c)
		var count C.assay_rule_count
		for C.assay_tally_get(tally, C.size_t(len(counts)), &count, C.sizeof_assay_rule_count) {
			counts = append(counts, RuleCount{
				Column:    C.GoString(count.column),
				Rule:      C.GoString(count.rule),
				Severity:  Severity(count.severity),
				Failed:    uint64(count.failed),
				Undecided: uint64(count.undecided),
			})
		}
	})
	return counts
}

// RejectedBy returns the number of records that the rules of a column reject, each counted once.
func (result *Result) RejectedBy(column string) (rejected uint64) {
	name, err := cText(column, "the name of a column")
	if err != nil {
		return 0 // no column has such a name
	}
	defer C.free(unsafe.Pointer(name))
	result.use(func(c *C.assay_result) { rejected = uint64(C.assay_result_rejected_by(c, name)) })
	return rejected
}
