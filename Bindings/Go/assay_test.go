package assay

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/OWNER/assay/Bindings/Go/internal/ctest"
)

const rulesText = `
fields:
  - {name: id, type: integer, constraints: {required: true, unique: true}}
  - {name: email, format: email, constraints: {required: true}}
rows:
  - {id: short, check: size(email) > 16 + id, message: has a short address, severity: warn}
`

func parse(t *testing.T, text string) *Rules {
	t.Helper()
	rules, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(rules.Close)
	return rules
}

func same(t *testing.T, found, expected any) {
	t.Helper()
	if !reflect.DeepEqual(found, expected) {
		t.Errorf("found    %#v\nexpected %#v", found, expected)
	}
}

func good[Value any](t *testing.T) func(Value, error) Value {
	return func(value Value, err error) Value {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// refused returns the error of a call that must fail.
func refused[Value any](t *testing.T) func(Value, error) *Error {
	return func(_ Value, err error) *Error {
		t.Helper()
		var found *Error
		if !errors.As(err, &found) {
			t.Fatalf("not refused: %v", err)
		}
		return found
	}
}

func seen(findings []Finding) (lines []string) {
	for _, found := range findings {
		column, severity := found.Column, ""
		if column == "" {
			column = "-"
		}
		if found.Severity == Warn {
			severity = " warn"
		}
		lines = append(lines, fmt.Sprintf(
			"%d %s %s %s%s: %s", found.Record, column, found.Rule, found.Code, severity, found.Message))
	}
	return lines
}

func TestLibraryReportsItsVersion(t *testing.T) {
	same(t, strings.Count(Release(), "."), 2)
	same(t, strings.HasPrefix(Engine(), "PCRE2 10."), true)
}

func TestTablesAreChecked(t *testing.T) {
	rules := parse(t, rulesText)
	same(t, rules.Fields(), []string{"id", "email"})
	result := good[*Result](t)(rules.Check([]Column{
		{Name: "id", Values: []string{"1", "2", "3", "x", "1"}},
		{Name: "other", Values: make([]string, 5)},
		{
			Name:    "email",
			Values:  []string{"anna@example.org", "bo.example.org", "", "carl@example.org", "dora@example.org"},
			Missing: []bool{false, false, true, false, false},
		},
	}, Options{}))
	defer result.Close()
	same(t, result.Verdicts(), []bool{true, false, false, false, false})
	same(t, result.Totals(), Totals{Records: 5, Clean: 1, Rejected: 4, Findings: 6})
	same(t, result.IsClean(), false)
	same(t, seen(result.Findings()), []string{
		"1 - short row warn: has a short address",
		"2 email email.format format: is not an e-mail address: there is no @",
		"3 email email.required required: is missing",
		"4 id id.type type: is not an integer",
		"5 - short row warn: has a short address",
		"5 id id.unique unique: equals record 1",
	})
	same(t, len(result.First(2)), 2)
	var counts []RuleCount
	for _, count := range result.Counts() {
		if count.Failed > 0 {
			counts = append(counts, count)
		}
	}
	same(t, counts, []RuleCount{
		{"id", "id.type", Reject, 1, 0},
		{"email", "email.required", Reject, 1, 0},
		{"email", "email.format", Reject, 1, 0},
		{"", "short", Warn, 2, 0},
		{"id", "id.unique", Reject, 1, 0},
	})
	same(t, result.RejectedBy("email"), uint64(2))
	same(t, result.RejectedBy("other"), uint64(0))
}

func TestManyRowsOnManyThreadsGiveTheSameAsOnOne(t *testing.T) {
	rules := parse(t, "fields: [{name: id, type: integer, constraints: {minimum: 10, maximum: 9990}}]")
	ids := Column{Name: "id"}
	var expected []uint64
	for id := 0; id < 10_000; id++ {
		ids.Values = append(ids.Values, fmt.Sprint(id))
		if id < 10 || id > 9990 {
			expected = append(expected, uint64(501+id))
		}
	}
	for _, threads := range []uint32{1, 4} {
		result := good[*Result](t)(rules.Check([]Column{ids}, Options{Threads: threads, FirstRecord: 500}))
		var records []uint64
		for _, found := range result.Findings() {
			records = append(records, found.Record)
		}
		same(t, records, expected)
		result.Close()
	}
}

func TestRecordsAreChecked(t *testing.T) {
	rules := parse(t, "fields: [{name: id, type: integer}, {name: email, format: email}]")
	record := Record{"id": "7", "email": "anna@example.org", "other": "x"}
	same(t, rules.Accepts(record), true)
	same(t, good[[]Finding](t)(rules.CheckRecord(record)), []Finding(nil))
	same(t, rules.Accepts(nil), true)
	bad := Record{"id": "7 "}
	same(t, rules.Accepts(bad), false)
	same(t, seen(good[[]Finding](t)(rules.CheckRecord(bad))), []string{"1 id id.type type: is not an integer"})
	result := good[*Result](t)(rules.CheckRecords([]Record{record, bad, {}}, Options{}))
	defer result.Close()
	same(t, result.Verdicts(), []bool{true, false, true})
	nothing := good[*Result](t)(rules.CheckRecords(nil, Options{}))
	defer nothing.Close()
	same(t, nothing.IsClean(), true)
}

func TestRecordsAreInTheOrderOfTheFields(t *testing.T) {
	rules := parse(t, "fields: [{name: id, type: integer}, {name: email, format: email, constraints: {required: true}}]")
	texts := []string{"", "7", "7 ", "-12", "anna@example.org", "a@b", "x\x00", "\xff", strings.Repeat("é", 300)}
	for _, id := range texts {
		for _, email := range texts {
			for flags := 0; flags < 5; flags++ {
				record, missing := Record{"id": id, "email": email}, []bool{flags&1 != 0, flags&2 != 0}
				if missing[0] {
					delete(record, "id")
				}
				if missing[1] {
					delete(record, "email")
				}
				if flags == 4 {
					missing = nil
				}
				findings := good[[]Finding](t)(rules.CheckRecord(record))
				same(t, rules.Accepts(record), len(findings) == 0)
				same(t, rules.AcceptsValues([]string{id, email}, missing), len(findings) == 0)
			}
		}
	}
	for _, call := range []func() bool{
		func() bool { return rules.AcceptsValues([]string{"7"}, nil) },
		func() bool { return rules.AcceptsValues([]string{"7", ""}, []bool{false}) },
	} {
		func() {
			defer func() { same(t, recover() != nil, true) }()
			call()
		}()
	}
	rules.Close()
	same(t, rules.AcceptsValues([]string{"7", "anna@example.org"}, nil), false)
}

func TestTextsNeedNotBeUTF8NorEndWithNUL(t *testing.T) {
	rules := parse(t, `fields: [{name: v, constraints: {pattern: 'a\x00b'}}]`)
	values := Column{Name: "v", Values: []string{"a\x00b", "a\x00c", "a", "a\xff"}}
	result := good[*Result](t)(rules.Check([]Column{values}, Options{}))
	defer result.Close()
	same(t, result.Verdicts(), []bool{true, false, false, false})
	same(t, seen(result.Findings())[2], "4 v encoding encoding: is not well-formed UTF-8")
	same(t, rules.Accepts(Record{"v": "a\x00b"}), true)
	same(t, refused[*Rules](t)(Load("a\x00b")).Error(), "the path has a NUL in it")
	same(t, refused[*Rules](t)(ParseNamed("", "a\x00b")).Error(), "the name of the rules has a NUL in it")
	same(t, refused[*Result](t)(rules.Check([]Column{{Name: "v\x00"}}, Options{})).Error(),
		"the name of a column has a NUL in it")
}

func TestCSVIsChecked(t *testing.T) {
	rules := parse(t, rulesText)
	result := good[*Result](t)(rules.CheckCSV([]byte("id,email\n1,anna@example.org\n\"2\",bo\n"), Options{}))
	defer result.Close()
	same(t, result.Verdicts(), []bool(nil))
	found := result.Findings()[1]
	same(t, []uint64{found.Record, found.Line, found.Offset}, []uint64{2, 3, 32})
	same(t, refused[*Result](t)(rules.CheckCSV([]byte("id\n1\n"), Options{})).Kind(), KindInput)
	same(t, refused[*Result](t)(rules.CheckCSV(nil, Options{})).Kind(), KindInput)
}

func TestLimitsAboveTheCeilingNeedTrust(t *testing.T) {
	text := "{limits: {match-base: 20001}, fields: [{name: id}]}"
	path := filepath.Join(t.TempDir(), "rules.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, err := range []*Error{refused[*Rules](t)(Parse(text)), refused[*Rules](t)(Load(path))} {
		same(t, err.Mistakes[0].Message, "a rule file may raise match-base to 20000, not to 20001")
		same(t, strings.Contains(err.Mistakes[0].Hint, "read it as trusted rules"), true)
	}
	parsed := good[*Rules](t)(ParseTrusted(text, "rules"))
	defer parsed.Close()
	loaded := good[*Rules](t)(LoadTrusted(path))
	defer loaded.Close()
	same(t, parsed.Fields(), []string{"id"})
	same(t, good[string](t)(loaded.JSON()), good[string](t)(parsed.JSON()))
	err := refused[*Rules](t)(ParseTrusted("fields: [", "users.yaml"))
	same(t, strings.HasPrefix(err.Error(), "users.yaml:1:"), true)
}

// Uses the paths of Tests/Escapes, which Scripts/test-bindings.sh creates.
func TestRulesOpenFilesInTheirFolderOnly(t *testing.T) {
	folder := os.Getenv("ASSAY_ESCAPES")
	if folder == "" {
		t.Skip("ASSAY_ESCAPES is not set")
	}
	list := good[[]byte](t)(os.ReadFile(filepath.Join(folder, "list.tsv")))
	column := []Column{{Name: "id", Values: []string{"SECRET-0451"}}}
	check := func(rules *Rules, err error) (bool, error) {
		if err != nil {
			return false, err
		}
		defer rules.Close()
		result, err := rules.Check(column, Options{})
		if err != nil {
			return false, err
		}
		defer result.Close()
		return result.IsClean(), nil
	}
	lines := strings.Fields(string(list))
	same(t, len(lines) > 2*60, true)
	for i := 0; i < len(lines); i += 2 {
		kind, path := lines[i], filepath.Join(folder, "rules", lines[i+1])
		text := string(good[[]byte](t)(os.ReadFile(path)))
		clean, err := check(Load(path))
		if isAllowed := kind == "allowed"; clean != isAllowed || (err == nil) != isAllowed {
			t.Errorf("%s %s: %v %v", kind, text, clean, err)
		}
		_, asText := check(ParseNamed(text, path))
		for _, err := range []error{err, asText} {
			if err != nil && strings.Contains(err.Error(), "SECRET-") {
				t.Errorf("%s: %v", text, err)
			}
		}
		if asText == nil {
			t.Errorf("as text: %s", text)
		}
		if clean, err := check(LoadTrusted(path)); kind != "other" && !clean {
			t.Errorf("trusted: %s: %v", text, err)
		}
	}
}

func TestMistakesInRulesHavePlaces(t *testing.T) {
	text := "fields:\n  - {name: id, typ: integer}\n  - {name: id2, constraints: {pattern: 'a('}}\n"
	err := refused[*Rules](t)(ParseNamed(text, "users.yaml"))
	same(t, len(err.Mistakes), 2)
	first := err.Mistakes[0]
	same(t, []any{first.Kind, first.Line, first.Column}, []any{KindRules, 2, 16})
	same(t, []string{first.Message, first.Hint}, []string{"unknown key 'typ' in a field", "did you mean 'type'?"})
	same(t, strings.HasPrefix(err.Error(), "users.yaml:2:16: error: unknown key 'typ' in a field\n"), true)
	same(t, strings.Contains(err.Error(), "\nusers.yaml:3:"), true)

	same(t, refused[*Rules](t)(Load("no/such/file.yaml")).Kind(), KindFile)
	rules := parse(t, rulesText)
	one := Column{Name: "id", Values: []string{"1"}}
	two := Column{Name: "email", Values: []string{"1", "2"}}
	same(t, refused[*Result](t)(rules.Check([]Column{one}, Options{})).Kind(), KindColumns)
	same(t, refused[*Result](t)(rules.Check([]Column{one, two}, Options{})).Error(),
		"the column 'email' has 2 values, and 'id' has 1")
	one.Missing = []bool{}
	same(t, refused[*Result](t)(rules.Check([]Column{one}, Options{})).Error(),
		"the column 'id' has 1 values, but 0 missing flags")
	same(t, refused[Column](t)(rules.Repair(Column{Name: "mail"})).Error(), "the rules have no field 'mail'")
}

func TestRulesTravelAsJSON(t *testing.T) {
	json := good[string](t)(parse(t, rulesText).JSON())
	same(t, good[string](t)(parse(t, json).JSON()), json)
}

func TestPatternsMatchOrAreUndecided(t *testing.T) {
	code := good[*Pattern](t)(Compile("[A-Z]{2}[0-9]{6}", 0))
	defer code.Close()
	for value, expected := range map[string]Verdict{
		"DE104233": Matches, "DE10423": Fails, "DE1042333": Fails, "de104233": Fails, "": Fails,
	} {
		same(t, good[Verdict](t)(code.Match(value)), expected)
	}
	loose := good[*Pattern](t)(Compile("de", CaseInsensitive|Search))
	defer loose.Close()
	same(t, good[Verdict](t)(loose.Match("x DE y")), Matches)
	verdicts := good[[]Verdict](t)(code.MatchAll([]string{"DE104233", "", "x"}, []bool{false, true, false}, Options{}))
	same(t, verdicts, []Verdict{Matches, NoVerdict, Fails})

	hard := good[*Pattern](t)(Compile(`(a+)+\1b`, 0))
	value := strings.Repeat("a", 60)
	same(t, good[Verdict](t)(hard.Match(value)), NoVerdict)
	same(t, good[Verdict](t)(hard.Match("aab")), Matches)
	same(t, good[[]Verdict](t)(hard.MatchAll([]string{value, "aab"}, nil, Options{})), []Verdict{NoVerdict, Matches})
	hard.Close()
	_, err := hard.Match("x")
	same(t, err, ErrClosed)

	wrong := refused[*Pattern](t)(Compile("a(", 0))
	same(t, []any{wrong.Kind(), wrong.Mistakes[0].Column}, []any{KindRules, 3})
}

// The bytes are untouched zero pages, which do not occupy memory.
func TestValuesBeyondTwoGigabytesAreRepaired(t *testing.T) {
	if unsafe.Sizeof(uintptr(0)) < 8 {
		t.Skip("the values do not fit in the memory")
	}
	bytes := make([]byte, 1<<31+5)
	text := *(*string)(unsafe.Pointer(&bytes))
	offsets := []int64{0, 0, int64(len(text)), int64(len(text)), int64(len(text))}
	validity := []byte{0b0111}
	given := Column{Name: "v", Values: []string{" ", text, "", "N/A"}}
	buffers := []unsafe.Pointer{unsafe.Pointer(&validity[0]), unsafe.Pointer(&offsets[0]), unsafe.Pointer(&bytes[0])}
	repaired := repairedColumn(given, buffers, 0)
	same(t, repaired.Missing, []bool{false, false, false, true})
	same(t, repaired.Values[1] == text, true)
	same(t, append(repaired.Values[:1:1], repaired.Values[2:]...), []string{"", "", ""})
}

func TestValuesAreRepaired(t *testing.T) {
	rules := parse(t, "fields: [{name: code, repair: [trim, upper], constraints: {pattern: '[A-Z]+'}}, {name: note}]")
	column := Column{
		Name: "code", Values: []string{" ab ", "CD", "", "", "a\xff"}, Missing: []bool{false, false, true, false, false},
	}
	repaired := good[Column](t)(rules.Repair(column))
	same(t, repaired, Column{Name: "code", Values: []string{"AB", "CD", "", "", "a\xff"}, Missing: column.Missing})
	note := Column{Name: "note", Values: []string{" x "}}
	same(t, good[Column](t)(rules.Repair(note)), note)
	record := Record{"code": " ab ", "other": "1"}
	same(t, good[Record](t)(rules.RepairRecord(record)), Record{"code": "AB", "other": "1"})
	same(t, good[[]Finding](t)(rules.CheckRecord(record)), []Finding(nil))
}

func TestFilesAreSplit(t *testing.T) {
	folder := t.TempDir()
	input := filepath.Join(folder, "users.csv")
	clean, rejects := filepath.Join(folder, "clean.csv"), filepath.Join(folder, "rejects.csv")
	if err := os.WriteFile(input, []byte("id,email\n1,anna@example.org\nx,bo@example.org\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	rules := parse(t, rulesText)
	outputs := Outputs{Clean: clean, Rejects: rejects, Annotate: true}
	report := good[string](t)(rules.CleanFile(input, outputs, Options{}))
	same(t, strings.HasPrefix(report, "{") && strings.Contains(report, `"rejected"`), true)
	same(t, string(good[[]byte](t)(os.ReadFile(clean))), "id,email\n1,anna@example.org\n")
	same(t, string(good[[]byte](t)(os.ReadFile(rejects))), "id,email,_line,_reasons\nx,bo@example.org,3,id.type\n")
	same(t, refused[string](t)(rules.CleanFile(input, outputs, Options{})).Kind(), KindInput)

	same(t, strings.Contains(good[string](t)(Profile(input, false)), `"columns"`), true)
	same(t, parse(t, good[string](t)(Infer(input))).Fields(), []string{"id", "email"})
}

func TestClosedHandlesAreReported(t *testing.T) {
	rules := parse(t, rulesText)
	result := good[*Result](t)(rules.CheckRecords([]Record{{"id": "x"}}, Options{}))
	rules.Close()
	rules.Close()
	same(t, len(result.Findings()), 2)
	result.Close()
	result.Close()
	same(t, len(result.Findings())+len(result.Counts())+len(result.Verdicts()), 0)
	same(t, result.Totals().Records, uint64(1))
	_, err := rules.JSON()
	same(t, err, ErrClosed)
	_, err = rules.CheckRecord(Record{})
	same(t, err, ErrClosed)
	_, err = rules.Check([]Column{{Name: "id"}, {Name: "email"}}, Options{})
	same(t, err, ErrClosed)
	same(t, rules.Accepts(Record{}), false)
}

func TestGoroutinesShareRulesAndOneMayCloseThem(t *testing.T) {
	for round := 0; round < 20; round++ {
		rules := parse(t, rulesText)
		var group sync.WaitGroup
		for number := 0; number < 16; number++ {
			group.Add(1)
			go func(number int) {
				defer group.Done()
				if number == round {
					rules.Close()
				}
				findings, err := rules.CheckRecord(Record{"id": fmt.Sprint(number), "email": "no address"})
				if !(err == ErrClosed && round < 16) && !(err == nil && len(findings) == 1) {
					t.Errorf("%v, %v", findings, err)
				}
			}(number)
		}
		group.Wait()
	}
}

func TestArrowIsCheckedInPlace(t *testing.T) {
	rules := parse(t, "fields: [{name: id, type: integer}]")
	batch := ctest.NewBatch()
	defer batch.Free()
	result := good[*Result](t)(rules.CheckArrow(batch.Schema, batch.Array, Options{}))
	defer result.Close()
	same(t, result.Verdicts(), []bool{true, false})
	same(t, refused[*Result](t)(rules.CheckArrow(unsafe.Pointer(nil), batch.Array, Options{})).Kind(), KindArrow)
}

func collect() {
	runtime.GC()
	time.Sleep(20 * time.Millisecond)
}

// Closed objects and collected objects must be freed.
func TestNothingLeaks(t *testing.T) {
	mistakes := "fields: [" + strings.Repeat("{nam: x},", 24) + "]"
	long := strings.Repeat("v", 200)
	round := func() {
		rules := good[*Rules](t)(Parse(rulesText))
		result := good[*Result](t)(rules.CheckRecords([]Record{{"id": "x"}}, Options{}))
		same(t, len(result.Findings())+len(result.Counts()), 2+10)
		same(t, len(refused[*Rules](t)(Parse(mistakes)).Mistakes), 24)
		repairs := good[*Rules](t)(Parse("fields: [{name: v, repair: [trim]}]"))
		defer repairs.Close()
		for i := 0; i < 8; i++ {
			column := good[Column](t)(repairs.Repair(Column{Name: "v", Values: []string{" " + long}}))
			same(t, column.Values[0], long)
		}
	}
	if ctest.Used() < 0 {
		t.Skip("glibc only")
	}
	for i := 0; i < 50; i++ {
		round()
	}
	collect()
	before := ctest.Used()
	// A leak grows with the rounds, and the caches of malloc with the threads that the runtime starts.
	const rounds = 600
	const allowed = rounds*512 + 128<<10
	for i := 0; i < rounds; i++ {
		round()
	}
	// Finalizers run some time after the collector has found their objects.
	grown := ctest.Used() - before
	for tries := 0; grown > allowed && tries < 50; tries++ {
		collect()
		grown = ctest.Used() - before
	}
	if grown > allowed {
		t.Errorf("grown by %d bytes", grown)
	}
}
