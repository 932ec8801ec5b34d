package assay

// #include <assay/assay.h>
// #include <stdlib.h>
import "C"

import (
	"math"
	"runtime"
	"sync"
	"unsafe"
)

// Result is what came of a check. It never changes, and keeps nothing of the data.
type Result struct {
	mutex  sync.RWMutex // as for Rules
	result *C.assay_result
	totals Totals
}

// Totals are counts of records; Clean + Rejected = Records.
type Totals struct {
	Records   uint64
	Clean     uint64
	Rejected  uint64
	Undecided uint64 // records with a finding that a limit left undecided
	Findings  uint64 // what was found, also what only warns
}

// Severity says what becomes of a record with a finding.
type Severity int

// What becomes of it.
const (
	Reject Severity = C.ASSAY_SEVERITY_REJECT
	Warn   Severity = C.ASSAY_SEVERITY_WARN // the record stays
)

// Finding is one thing that is wrong with one record.
type Finding struct {
	Record   uint64 // from 1
	Line     uint64 // of CSV the physical line, from 1; else 0
	Offset   uint64 // of CSV the byte at which the cell starts; else 0
	Column   string // the field; empty for what is the record's
	Rule     string // such as "email.pattern"
	Code     string // such as "pattern", "required", "encoding" or "undecided"
	Message  string
	Severity Severity
}

// RuleCount says how often a rule had a finding.
type RuleCount struct {
	Column    string // the field; empty for rules of whole records
	Rule      string
	Severity  Severity
	Failed    uint64
	Undecided uint64
}

// newResult takes over what a function of libassay wrote.
func newResult(made *C.assay_result) *Result {
	var totals C.assay_totals
	C.assay_result_totals(made, &totals)
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

// Close frees the result, when all who read it now are done. Afterwards it has its totals, and nothing else. It may be called more
// than once.
func (result *Result) Close() {
	result.mutex.Lock()
	defer result.mutex.Unlock()
	C.assay_result_free(result.result)
	result.result = nil
}

// use calls a function with the result, unless it is closed.
func (result *Result) use(body func(*C.assay_result)) {
	result.mutex.RLock()
	defer result.mutex.RUnlock()
	if result.result != nil {
		body(result.result)
	}
}

// Totals are the counts.
func (result *Result) Totals() Totals { return result.totals }

// IsClean says whether no record is rejected.
func (result *Result) IsClean() bool { return result.totals.Rejected == 0 }

// Verdicts has a verdict for each row, true is clean. Nil for CSV, whose rows the findings name.
func (result *Result) Verdicts() []bool {
	verdicts := result.rows(C.ASSAY_ROWS_REJECTED)
	for row := range verdicts {
		verdicts[row] = !verdicts[row]
	}
	return verdicts
}

// Undecided says of each row whether a limit left its verdict undecided; such rows are rejected, too. Nil: none.
func (result *Result) Undecided() []bool { return result.rows(C.ASSAY_ROWS_UNDECIDED) }

// missing says of each row whether it has no value, for a check of one column. Nil: none.
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

// Findings are all findings, in the order of the records.
func (result *Result) Findings() []Finding { return result.First(math.MaxInt) }

// First is the first findings, at most so many.
func (result *Result) First(limit int) (findings []Finding) {
	result.use(func(c *C.assay_result) {
		var cursor C.assay_cursor
		var found [64]C.assay_finding
		for len(findings) < limit {
			room := limit - len(findings)
			if room > len(found) {
				room = len(found)
			}
			count := int(C.assay_result_findings(c, &cursor, &found[0], C.size_t(room)))
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

// Counts say how often each rule had a finding; those that found nothing are among them.
func (result *Result) Counts() (counts []RuleCount) {
	result.use(func(c *C.assay_result) {
		tally := C.assay_tally_create()
		defer C.assay_tally_free(tally)
		C.assay_tally_add(tally, c)
		var count C.assay_rule_count
		for C.assay_tally_get(tally, C.size_t(len(counts)), &count) {
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

// RejectedBy is how many records the rules of a column reject, each counted once.
func (result *Result) RejectedBy(column string) (rejected uint64) {
	name, err := cText(column, "the name of a column")
	if err != nil {
		return 0 // no column has such a name
	}
	defer C.free(unsafe.Pointer(name))
	result.use(func(c *C.assay_result) { rejected = uint64(C.assay_result_rejected_by(c, name)) })
	return rejected
}
