package assay

// #include <assay/assay.h>
// #include <stdlib.h>
import "C"

import (
	"context"
	"unsafe"
)

// Outputs are the paths of the outputs of CleanFile and their options. An empty path disables that output.
type Outputs struct {
	Clean    string // clean records
	Rejects  string // rejected records
	Findings string // JSON Lines; CSV if the name ends in .csv
	Changes  string // cells of clean records that repairs changed; format as for findings
	Report   string // counts, as JSON
	Replace  bool   // replace existing outputs
	Annotate bool   // add the columns _line and _reasons to the rejects

	MaxFindings uint64 // maximum number of findings written; 0: a million; math.MaxUint64: no limit
	Head        uint64 // maximum number of records read; 0: all
	// The names of clean and rejects determine their compression: .gz, .zst, and none. A call fails if it is not this
	// one: none, gzip or zstd; empty: any.
	Compression   string
	Encoding      string // of the input, such as windows-1252, or auto; empty: from the rules
	Delimiter     string // of the input, one or two ASCII characters, tab or space; empty: from the rules
	ShowValues    bool   // include values of the data in findings and changes
	GuardFormulas bool   // prefix cells that a spreadsheet would evaluate with an apostrophe
}

// CleanFile splits a file (CSV, JSON Lines, optionally compressed) into clean records and rejects, as `assay clean`
// does. It returns the report as JSON.
func (rules *Rules) CleanFile(input string, outputs Outputs, options Options) (report string, err error) {
	return rules.CleanFileContext(context.Background(), input, outputs, options)
}

// CleanFileContext is CleanFile with a context. A cancelled run leaves no outputs.
func (rules *Rules) CleanFileContext(
	ctx context.Context, input string, outputs Outputs, options Options,
) (report string, err error) {
	cInput, err := cText(input, "the path")
	if err != nil {
		return "", err
	}
	defer C.free(unsafe.Pointer(cInput))
	cOutputs := C.assay_outputs{
		size:           C.sizeof_assay_outputs,
		replace:        C.bool(outputs.Replace),
		annotate:       C.bool(outputs.Annotate),
		max_findings:   C.uint64_t(outputs.MaxFindings),
		head:           C.uint64_t(outputs.Head),
		show_values:    C.bool(outputs.ShowValues),
		guard_formulas: C.bool(outputs.GuardFormulas),
	}
	for _, given := range []struct {
		text, what string
		place      **C.char
	}{
		{outputs.Clean, "the path", &cOutputs.clean},
		{outputs.Rejects, "the path", &cOutputs.rejects},
		{outputs.Findings, "the path", &cOutputs.findings},
		{outputs.Changes, "the path", &cOutputs.changes},
		{outputs.Report, "the path", &cOutputs.report},
		{outputs.Compression, "the compression", &cOutputs.compression},
		{outputs.Encoding, "the encoding", &cOutputs.encoding},
		{outputs.Delimiter, "the delimiter", &cOutputs.delimiter},
	} {
		if given.text == "" {
			continue
		}
		if *given.place, err = cText(given.text, given.what); err != nil {
			return "", err
		}
		defer C.free(unsafe.Pointer(*given.place))
	}
	err = rules.use(func(c *C.assay_rules) error {
		return watched(ctx, options, func(options *C.assay_options) (err error) {
			var text *C.char
			report, err = taken(C.assay_clean_file(c, cInput, &cOutputs, options, &text), &text)
			return err
		})
	})
	return report, err
}
