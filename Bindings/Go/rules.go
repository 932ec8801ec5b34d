package assay

// #include <assay/assay.h>
// #include <stdlib.h>
//
// static void assay_go_release(struct ArrowArray *array, struct ArrowSchema *schema)
// {
//     if (array->release != NULL) array->release(array);
//     if (schema->release != NULL) schema->release(schema);
// }
import "C"

import (
	"context"
	"runtime"
	"unsafe"
)

// pointer returns the address of bytes, which must not be empty.
func pointer(bytes []byte) unsafe.Pointer { return unsafe.Pointer(&bytes[0]) }

// Rules are compiled rules. They are immutable.
type Rules struct {
	users  users
	rules  *C.assay_rules
	fields []string
}

// Parse parses rules from YAML or JSON. Files that the rules refer to (foreignKeys) are not opened.
func Parse(text string) (*Rules, error) { return ParseNamed(text, "rules") }

// ParseNamed parses rules with a name for messages.
func ParseNamed(text, name string) (*Rules, error) { return parseRules(text, name, false) }

// ParseTrusted is ParseNamed for trusted rules: they may raise the work limits for one value beyond four times the
// defaults, and refer to any file.
func ParseTrusted(text, name string) (*Rules, error) { return parseRules(text, name, true) }

func parseRules(text, name string, trusts bool) (*Rules, error) {
	cName, err := cText(name, "the name of the rules")
	if err != nil {
		return nil, err
	}
	defer C.free(unsafe.Pointer(cName))
	cText := C.CString(text)
	defer C.free(unsafe.Pointer(cText))
	var rules *C.assay_rules
	if trusts {
		return newRules(C.assay_rules_parse_trusted(cText, C.size_t(len(text)), cName, &rules), &rules)
	}
	return newRules(C.assay_rules_parse(cText, C.size_t(len(text)), cName, &rules), &rules)
}

// Load parses the rules in a file. Files that the rules refer to must be in the folder of the file or below.
func Load(path string) (*Rules, error) { return loadRules(path, false) }

// LoadTrusted is Load for trusted rules; see ParseTrusted.
func LoadTrusted(path string) (*Rules, error) { return loadRules(path, true) }

func loadRules(path string, trusts bool) (*Rules, error) {
	cPath, err := cText(path, "the path")
	if err != nil {
		return nil, err
	}
	defer C.free(unsafe.Pointer(cPath))
	var rules *C.assay_rules
	if trusts {
		return newRules(C.assay_rules_load_trusted(cPath, &rules), &rules)
	}
	return newRules(C.assay_rules_load(cPath, &rules), &rules)
}

func ofPattern(pattern string, flags Flags) (*Rules, error) {
	text := C.CString(pattern)
	defer C.free(unsafe.Pointer(text))
	var rules *C.assay_rules
	return newRules(C.assay_rules_from_pattern(text, C.size_t(len(pattern)), C.uint32_t(flags), &rules), &rules)
}

func newRules(fault *C.assay_fault, made **C.assay_rules) (*Rules, error) {
	if err := check(fault); err != nil {
		return nil, err
	}
	rules := &Rules{rules: *made}
	for i := C.size_t(0); i < C.assay_rules_field_count(*made); i++ {
		rules.fields = append(rules.fields, C.GoString(C.assay_rules_field_name(*made, i)))
	}
	runtime.SetFinalizer(rules, (*Rules).Close)
	return rules, nil
}

// Close frees the rules, or lets the last running call free them. Results remain valid. Close may be called more than
// once, also by the callback of a call.
func (rules *Rules) Close() {
	if rules.users.close() {
		C.assay_rules_free(rules.rules)
	}
}

// use calls a function with the rules, which are not freed until it returns.
func (rules *Rules) use(body func(*C.assay_rules) error) error {
	if !rules.users.begin() {
		return ErrClosed
	}
	defer func() {
		if rules.users.end() {
			C.assay_rules_free(rules.rules)
		}
	}()
	return body(rules.rules)
}

// Fields returns the names of the fields, in the order of the rule file.
func (rules *Rules) Fields() []string { return append([]string(nil), rules.fields...) }

// JSON returns the rules as JSON, which Parse reads.
func (rules *Rules) JSON() (json string, err error) {
	err = rules.use(func(c *C.assay_rules) error {
		json = C.GoString(C.assay_rules_json(c))
		return nil
	})
	return json, err
}

// CheckRecord returns the findings of one record, which is clean if the slice is empty.
func (rules *Rules) CheckRecord(record Record) ([]Finding, error) {
	if rules.Accepts(record) {
		return nil, nil
	}
	result, err := rules.CheckRecords([]Record{record}, alone)
	if err != nil {
		return nil, err
	}
	defer result.Close()
	return result.Findings(), nil
}

// CheckRecords checks records as one table.
func (rules *Rules) CheckRecords(records []Record, options Options) (*Result, error) {
	return rules.CheckRecordsContext(context.Background(), records, options)
}

// CheckRecordsContext is CheckRecords with a context.
func (rules *Rules) CheckRecordsContext(ctx context.Context, records []Record, options Options) (*Result, error) {
	columns := make([]Column, len(rules.fields))
	for i, field := range rules.fields {
		column := Column{Name: field, Values: make([]string, len(records)), Missing: make([]bool, len(records))}
		for row, record := range records {
			value, ok := record[field]
			column.Values[row], column.Missing[row] = value, !ok
		}
		columns[i] = column
	}
	return rules.check(ctx, columns, len(records), options)
}

// Check checks a table. Columns are found by name; columns that the rules do not name are ignored.
func (rules *Rules) Check(columns []Column, options Options) (*Result, error) {
	return rules.CheckContext(context.Background(), columns, options)
}

// CheckContext is Check with a context.
func (rules *Rules) CheckContext(ctx context.Context, columns []Column, options Options) (*Result, error) {
	rows := 0
	if len(columns) > 0 {
		rows = columns[0].Len()
	}
	return rules.check(ctx, columns, rows, options)
}

func (rules *Rules) check(ctx context.Context, columns []Column, rows int, options Options) (*Result, error) {
	table, err := newTable(columns, rows)
	if err != nil {
		return nil, err
	}
	defer table.free()
	return rules.checked(ctx, options, table.check)
}

// CheckColumn checks a column with the rules of the field of the same name.
func (rules *Rules) CheckColumn(column Column, options Options) (*Result, error) {
	return rules.CheckColumnContext(context.Background(), column, options)
}

// CheckColumnContext is CheckColumn with a context.
func (rules *Rules) CheckColumnContext(ctx context.Context, column Column, options Options) (*Result, error) {
	field, table, err := rules.oneColumn(column)
	if err != nil {
		return nil, err
	}
	defer table.free()
	return rules.checked(ctx, options,
		func(c *C.assay_rules, options *C.assay_options, result **C.assay_result) *C.assay_fault {
			return table.checkColumn(c, field, options, result)
		})
}

func (rules *Rules) oneColumn(column Column) (int, *table, error) {
	for i, field := range rules.fields {
		if field == column.Name {
			table, err := newTable([]Column{column}, column.Len())
			return i, table, err
		}
	}
	return 0, nil, argumentError("the rules have no field '" + column.Name + "'")
}

// CheckCSV checks CSV, including its header, in the dialect of the rules.
func (rules *Rules) CheckCSV(csv []byte, options Options) (*Result, error) {
	return rules.CheckCSVContext(context.Background(), csv, options)
}

// CheckCSVContext is CheckCSV with a context.
func (rules *Rules) CheckCSVContext(ctx context.Context, csv []byte, options Options) (*Result, error) {
	bytes := csv
	if len(bytes) == 0 {
		bytes = []byte{0} // so that it has an address
	}
	return rules.checked(ctx, options,
		func(c *C.assay_rules, options *C.assay_options, result **C.assay_result) *C.assay_fault {
			return C.assay_rules_check_csv(c, (*C.uint8_t)(pointer(bytes)), C.size_t(len(csv)), options, result)
		})
}

// CheckArrow checks an Arrow record batch in place. The arguments are addresses of structures of the Arrow C Data
// Interface in C memory, such as cdata.CArrowSchema and cdata.CArrowArray of Arrow for Go. The caller still owns them.
func (rules *Rules) CheckArrow(schema, array unsafe.Pointer, options Options) (*Result, error) {
	return rules.CheckArrowContext(context.Background(), schema, array, options)
}

// CheckArrowContext is CheckArrow with a context.
func (rules *Rules) CheckArrowContext(
	ctx context.Context, schema, array unsafe.Pointer, options Options,
) (*Result, error) {
	return rules.checked(ctx, options,
		func(c *C.assay_rules, options *C.assay_options, result **C.assay_result) *C.assay_fault {
			return C.assay_rules_check_arrow_table(c, (*C.struct_ArrowSchema)(schema), (*C.struct_ArrowArray)(array),
				options, result)
		})
}

func (rules *Rules) checked(
	ctx context.Context, options Options,
	run func(*C.assay_rules, *C.assay_options, **C.assay_result) *C.assay_fault,
) (result *Result, err error) {
	err = rules.use(func(c *C.assay_rules) error {
		return watched(ctx, options, func(options *C.assay_options) error {
			var made *C.assay_result
			if err := check(run(c, options, &made)); err != nil {
				return err
			}
			result = newResult(made)
			return nil
		})
	})
	return result, err
}

// Repair applies the repairs of the field with the column's name and returns the repaired column, which checks use.
func (rules *Rules) Repair(column Column) (Column, error) {
	field, table, err := rules.oneColumn(column)
	if err != nil {
		return Column{}, err
	}
	defer table.free()
	var array C.struct_ArrowArray
	var schema C.struct_ArrowSchema
	if err := rules.use(func(c *C.assay_rules) error { return table.repair(c, field, &array, &schema) }); err != nil {
		return Column{}, err
	}
	defer C.assay_go_release(&array, &schema)
	if array.release == nil { // no value changes
		return column, nil
	}
	buffers := unsafe.Slice((*unsafe.Pointer)(unsafe.Pointer(array.buffers)), 3)
	return repairedColumn(column, buffers, int(array.offset)), nil
}

// repairedColumn reads a repaired column from an array of type large_binary: validity, which may be nil, offsets and
// bytes. An unchanged value is the same string.
func repairedColumn(given Column, buffers []unsafe.Pointer, first int) Column {
	rows := given.Len()
	offsets := unsafe.Slice((*int64)(buffers[1]), first+rows+1)
	column := Column{Name: given.Name, Values: make([]string, rows), Missing: make([]bool, rows)}
	for row := range column.Values {
		at := first + row
		if buffers[0] != nil {
			column.Missing[row] = *(*byte)(unsafe.Add(buffers[0], at/8))>>(at%8)&1 == 0
		}
		start, end := offsets[at], offsets[at+1]
		if start == end {
			continue
		}
		bytes := unsafe.Slice((*byte)(unsafe.Add(buffers[2], int(start))), int(end-start))
		if given.Values != nil && given.Values[row] == string(bytes) { // makes no copy
			column.Values[row] = given.Values[row]
		} else {
			column.Values[row] = string(bytes)
		}
	}
	return column
}

// RepairRecord returns a copy of a record with repaired values.
func (rules *Rules) RepairRecord(record Record) (Record, error) {
	repaired := make(Record, len(record))
	for name, value := range record {
		repaired[name] = value
	}
	for _, field := range rules.fields {
		value, ok := record[field]
		if !ok {
			continue
		}
		column, err := rules.Repair(Column{Name: field, Values: []string{value}})
		if err != nil {
			return nil, err
		}
		if column.isMissing(0) {
			delete(repaired, field)
		} else {
			repaired[field] = column.Values[0]
		}
	}
	return repaired, nil
}
