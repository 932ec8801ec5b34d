// Package assay checks tables and records against rule files, over libassay.
//
//	rules, err := assay.Load("users.rules.yaml")
//	…
//	defer rules.Close()
//	result, err := rules.CheckRecords([]assay.Record{{"id": "1", "email": "anna@example.org"}}, assay.Options{})
//	…
//	for _, found := range result.Findings() {
//		fmt.Println(found.Record, found.Column, found.Message)
//	}
//
// Any number of goroutines may use rules, patterns and results at once. Close during such calls lets the last one free
// the object. The garbage collector frees objects that are not closed. Bad data is never an error: it is a Finding.
package assay

// #cgo pkg-config: libassay
// #include <assay/assay.h>
// #include <stdlib.h>
import "C"

import (
	"context"
	"time"
	"unsafe"
)

// Release returns the release of libassay, such as "0.1.0".
func Release() string { return C.GoString(C.assay_release()) }

// Engine returns the regular expression engine, such as "PCRE2 10.42 2022-12-11, Unicode 14.0.0, JIT".
func Engine() string { return C.GoString(C.assay_engine()) }

// Options are the options of a check. The zero value has the defaults.
type Options struct {
	Threads     uint32 // number of threads, including the caller's; 0: one per processor
	FirstRecord uint64 // findings number the first row FirstRecord + 1
	KeyMemory   uint64 // memory limit for the keys of the rules, in bytes; 0: a quarter of the memory
	// The budget of the call; 0: no limit. Values beyond the budget are undecided, with a finding of the rule "budget".
	BudgetTicks       uint64 // counted work, not time; a tick is nominally a nanosecond of one processor
	BudgetBytes       uint64 // values that row rules need at the same time, and repaired columns
	BudgetNanoseconds uint64 // wall-clock time, as a last resort
	// The value of now() in row rules; the zero time: the time of the call.
	Now time.Time
	// The keys of the earlier parts of the table, to which a check adds its own; nil: each check is a separate table.
	Seen *SeenKeys
	// Called regularly, by one goroutine at a time, with rows or bytes and their total or 0. A panic ends the call and
	// continues in the caller. The functions that end in Context also stop the call when the context is done.
	Progress func(done, total uint64)
}

// alone has the options for one record: the check does not start threads.
var alone = Options{Threads: 1}

func (options Options) c() C.assay_options {
	made := C.assay_options{
		size:         C.sizeof_assay_options,
		threads:      C.uint32_t(options.Threads),
		first_record: C.uint64_t(options.FirstRecord),
		key_memory:   C.uint64_t(options.KeyMemory),

		budget_ticks:       C.uint64_t(options.BudgetTicks),
		budget_bytes:       C.uint64_t(options.BudgetBytes),
		budget_nanoseconds: C.uint64_t(options.BudgetNanoseconds),
	}
	if !options.Now.IsZero() {
		made.has_now = 1
		made.now_seconds = C.int64_t(options.Now.Unix())
		made.now_nanoseconds = C.uint32_t(options.Now.Nanosecond())
	}
	return made
}

// Profile profiles every value of a file, as `assay profile` does, and returns JSON. showsValues includes the most
// frequent values.
func Profile(path string, showsValues bool) (string, error) {
	return ProfileContext(context.Background(), path, showsValues, Options{})
}

// ProfileContext is Profile with a context and the threads and progress of options.
func ProfileContext(ctx context.Context, path string, showsValues bool, options Options) (string, error) {
	return withTable(ctx, path, options,
		func(table *C.assay_table, options *C.assay_options, text **C.char) *C.assay_fault {
			return C.assay_rules_profile(nil, table, C.bool(showsValues), options, text)
		})
}

// Infer infers rules that fit a file, as `assay infer` does, and returns YAML with comments.
func Infer(path string) (string, error) {
	return InferContext(context.Background(), path, Options{})
}

// InferContext is Infer with a context and the threads and progress of options.
func InferContext(ctx context.Context, path string, options Options) (string, error) {
	return withTable(ctx, path, options,
		func(table *C.assay_table, options *C.assay_options, text **C.char) *C.assay_fault {
			return C.assay_rules_infer(nil, table, options, text)
		})
}

func withTable(
	ctx context.Context, path string, options Options,
	write func(*C.assay_table, *C.assay_options, **C.char) *C.assay_fault,
) (written string, err error) {
	cPath, err := cText(path, "the path")
	if err != nil {
		return "", err
	}
	defer C.free(unsafe.Pointer(cPath))
	table := C.assay_table{size: C.sizeof_assay_table, path: cPath}
	err = watched(ctx, options, func(options *C.assay_options) (err error) {
		var text *C.char
		written, err = taken(write(&table, options, &text), &text)
		return err
	})
	return written, err
}

// taken copies a text that the caller owns, and frees it.
func taken(fault *C.assay_fault, text **C.char) (string, error) {
	if err := check(fault); err != nil {
		return "", err
	}
	defer C.assay_text_free(*text)
	return C.GoString(*text), nil
}
