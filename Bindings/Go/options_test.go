package assay

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

const plainRules = "fields: [{name: id, type: integer}, {name: text}]"

// longCSV is a CSV file of 6 MB, which several chunks contain.
func longCSV() []byte {
	var csv strings.Builder
	csv.WriteString("id,text\n")
	for id := 0; id < 300_000; id++ {
		fmt.Fprintf(&csv, "%d,some text %d\n", id, id)
	}
	return []byte(csv.String())
}

func write(t *testing.T, name string, bytes []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, bytes, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func names(t *testing.T, folder string) (names []string) {
	t.Helper()
	for _, entry := range good[[]os.DirEntry](t)(os.ReadDir(folder)) {
		names = append(names, entry.Name())
	}
	return names
}

func outputsIn(folder string) Outputs {
	return Outputs{
		Clean:    filepath.Join(folder, "clean.csv"),
		Rejects:  filepath.Join(folder, "rejects.csv"),
		Findings: filepath.Join(folder, "findings.jsonl"),
		Report:   filepath.Join(folder, "report.json"),
	}
}

func TestProgressReachesTheTotal(t *testing.T) {
	rules := parse(t, "fields: [{name: id, type: integer}]")
	ids := Column{Name: "id", Values: strings.Split(strings.Repeat("7,", 200_000)+"7", ",")}
	for _, threads := range []uint32{1, 4} {
		var last, calls uint64
		options := Options{Threads: threads, Progress: func(done, total uint64) {
			if done < last {
				t.Errorf("%d after %d", done, last)
			}
			last = done
			calls++
		}}
		result := good[*Result](t)(rules.Check([]Column{ids}, options))
		result.Close()
		same(t, last, uint64(200_001))
		same(t, calls > 1, true)
	}
}

func TestCancelledRunsLeaveNoOutput(t *testing.T) {
	rules := parse(t, plainRules)
	input := write(t, "long.csv", longCSV())
	folder := filepath.Dir(input)
	before := runtime.NumGoroutine()
	for _, threads := range []uint32{1, 4} {
		ctx, cancel := context.WithCancel(context.Background())
		var seen uint64
		options := Options{Threads: threads, Progress: func(done, _ uint64) {
			if seen = done; done > 0 {
				cancel()
			}
		}}
		err := refused[string](t)(rules.CleanFileContext(ctx, input, outputsIn(folder), options))
		same(t, seen > 0, true)
		same(t, err.Kind(), KindCancelled)
		same(t, err.Error(), "the call was cancelled: context canceled")
		same(t, errors.Is(err, context.Canceled), true)
		same(t, names(t, folder), []string{"long.csv"})
	}
	// Without progress, a timer cancels the run over a pipe without an end.
	folder = t.TempDir()
	pipe := filepath.Join(folder, "pipe.csv")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	ended := make(chan bool)
	go func() {
		defer close(ended)
		file, err := os.OpenFile(pipe, os.O_WRONLY, 0)
		for err == nil {
			_, err = file.Write([]byte("id,text\n" + strings.Repeat("1,some text\n", 1000)))
		}
		file.Close()
	}()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	err := refused[string](t)(rules.CleanFileContext(ctx, pipe, outputsIn(folder), Options{Threads: 1}))
	same(t, errors.Is(err, context.DeadlineExceeded), true)
	same(t, names(t, folder), []string{"pipe.csv"})
	cancel()
	// A reader, for a writer that still waits for one to open the pipe.
	reader := good[int](t)(syscall.Open(pipe, syscall.O_RDONLY|syscall.O_NONBLOCK, 0))
	syscall.Close(reader)
	<-ended
	same(t, runtime.NumGoroutine() <= before, true)
}

func TestEveryCallCanBeCancelled(t *testing.T) {
	rules := parse(t, plainRules)
	input := write(t, "long.csv", longCSV())
	rows := make([]string, 200_000)
	table := []Column{{Name: "id", Values: rows}, {Name: "text", Values: rows}}
	calls := map[string]func(context.Context, Options) error{
		"check": func(ctx context.Context, o Options) error { _, err := rules.CheckContext(ctx, table, o); return err },
		"column": func(ctx context.Context, o Options) error {
			_, err := rules.CheckColumnContext(ctx, table[0], o)
			return err
		},
		"csv": func(ctx context.Context, o Options) error {
			_, err := rules.CheckCSVContext(ctx, longCSV(), o)
			return err
		},
		"profile": func(ctx context.Context, o Options) error { _, err := ProfileContext(ctx, input, false, o); return err },
		"infer":   func(ctx context.Context, o Options) error { _, err := InferContext(ctx, input, o); return err },
		"records": func(ctx context.Context, o Options) error {
			_, err := rules.CheckRecordsContext(ctx, make([]Record, 10), o)
			return err
		},
	}
	for name, call := range calls {
		ctx, cancel := context.WithCancel(context.Background())
		err := call(ctx, Options{Progress: func(uint64, uint64) { cancel() }})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
		if err := call(ctx, Options{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s, cancelled before: %v", name, err)
		}
	}
}

func TestPanicsContinueInTheCaller(t *testing.T) {
	rules := parse(t, plainRules)
	input := write(t, "long.csv", longCSV())
	folder := filepath.Dir(input)
	var calls int32
	run := func(value any) (panicked any) {
		defer func() { panicked = recover() }()
		_, err := rules.CleanFile(input, outputsIn(folder), Options{Threads: 4, Progress: func(uint64, uint64) {
			atomic.AddInt32(&calls, 1)
			panic(value)
		}})
		t.Errorf("no panic: %v", err)
		return nil
	}
	same(t, run("the callback's own text"), "the callback's own text")
	same(t, calls, int32(1))
	same(t, names(t, folder), []string{"long.csv"})
	_, err := rules.CleanFile(input, outputsIn(folder), Options{})
	same(t, err, nil)
}

func TestExitsOfTheGoroutineContinueInTheCaller(t *testing.T) {
	rules := parse(t, plainRules)
	input := write(t, "long.csv", longCSV())
	folder := filepath.Dir(input)
	for _, options := range []Options{{Threads: 1}, {Threads: 4}} {
		options.Progress = func(uint64, uint64) { runtime.Goexit() }
		done := make(chan struct{})
		go func() {
			defer close(done)
			_, err := rules.CleanFile(input, outputsIn(folder), options)
			t.Errorf("no exit: %v", err)
		}()
		<-done
		same(t, names(t, folder), []string{"long.csv"})
	}
	_, err := rules.CleanFile(input, outputsIn(folder), Options{})
	same(t, err, nil)
}

func TestCallbacksMayCheck(t *testing.T) {
	rules := parse(t, plainRules)
	accepted := 0
	result := good[*Result](t)(rules.CheckCSV(longCSV(), Options{Progress: func(uint64, uint64) {
		if rules.Accepts(Record{"id": "7"}) {
			accepted++
		}
		runtime.GC()
	}}))
	defer result.Close()
	same(t, accepted > 1, true)
}

func TestCallbacksMayClose(t *testing.T) {
	for _, threads := range []Options{{Threads: 1}, {Threads: 4}} {
		rules := parse(t, plainRules)
		options := threads
		options.Progress = func(uint64, uint64) {
			rules.Close()
			_, err := rules.JSON()
			same(t, err, ErrClosed)
		}
		result := good[*Result](t)(rules.CheckCSV(longCSV(), options))
		same(t, result.Totals().Records > 0, true)
		result.Close()
	}
}

func TestPartsOfATableShareKeys(t *testing.T) {
	rules := parse(t, "fields: [{name: id, constraints: {unique: true}}]")
	keys := good[*SeenKeys](t)(rules.NewSeenKeys(1 << 20))
	part := func(ids ...string) []Column { return []Column{{Name: "id", Values: ids}} }
	first := good[*Result](t)(rules.Check(part("a", "b"), Options{Seen: keys}))
	defer first.Close()
	second := good[*Result](t)(rules.Check(part("c", "b"), Options{Seen: keys, FirstRecord: 2}))
	defer second.Close()
	same(t, seen(append(first.Findings(), second.Findings()...)), []string{"4 id id.unique unique: equals record 2"})
	var inner error
	third := good[*Result](t)(rules.Check(part("d"), Options{Seen: keys, FirstRecord: 4, Progress: func(_, _ uint64) {
		_, inner = rules.Check(part("e"), Options{Seen: keys})
	}}))
	defer third.Close()
	same(t, fmt.Sprint(inner), "another check uses the seen keys")
	keys.Close()
	keys.Close()
	_, err := rules.Check(part("f"), Options{Seen: keys})
	same(t, err, ErrClosed)
}

func TestOutputsHaveTheOptionsOfTheCommand(t *testing.T) {
	rules := parse(t, plainRules)
	input := write(t, "latin.csv", []byte("id;text\n1;=caf\xe9\nx;b\ny;c\n9;d\n"))
	clean, findings := filepath.Join(filepath.Dir(input), "clean"), filepath.Join(filepath.Dir(input), "found.jsonl")
	outputs := Outputs{
		Clean: clean, Findings: findings, Encoding: "windows-1252", Delimiter: ";", Head: 3, MaxFindings: 1,
		ShowValues: true, GuardFormulas: true,
	}
	good[string](t)(rules.CleanFile(input, outputs, Options{}))
	same(t, string(good[[]byte](t)(os.ReadFile(clean))), "id;text\n1;'=café\n")
	lines := string(good[[]byte](t)(os.ReadFile(findings)))
	same(t, strings.Count(lines, "\n"), 1)
	same(t, strings.Contains(lines, `"value":"x"`), true)
	outputs.Replace, outputs.Compression = true, "zip"
	same(t, refused[string](t)(rules.CleanFile(input, outputs, Options{})).Mistakes[0].Message,
		"there is no compression 'zip'")
	same(t, refused[string](t)(rules.CleanFile(input, Outputs{Encoding: "\x00"}, Options{})).Error(),
		"the encoding has a NUL in it")
}

func TestColumnsInOneBufferAreChecked(t *testing.T) {
	rules := parse(t, "fields: [{name: id, type: integer}, {name: text, repair: [trim], constraints: {required: true}}]")
	ids := Column{Name: "id", Bytes: []byte("?12x34?"), Offsets: []int64{1, 3, 3, 4, 6}, Validity: []byte{0b1101}}
	texts := Column{Name: "text", Values: []string{" a ", "", "c", "d"}, Missing: []bool{false, true, false, false}}
	for _, table := range [][]Column{{ids, texts}, {texts, ids}} {
		result := good[*Result](t)(rules.Check(table, Options{}))
		same(t, seen(result.Findings()), []string{
			"2 text text.required required: is missing", "3 id id.type type: is not an integer",
		})
		result.Close()
	}
	one := good[*Result](t)(rules.CheckColumn(ids, Options{}))
	same(t, one.Verdicts(), []bool{true, true, false, true})
	same(t, one.missing(), []bool{false, true, false, false})
	one.Close()
	padded := Column{Name: "text", Bytes: []byte(" a b"), Offsets: []int64{0, 3, 4}}
	repaired := good[Column](t)(rules.Repair(padded))
	same(t, repaired, Column{Name: "text", Values: []string{"a", "b"}, Missing: []bool{false, false}})
	none := good[*Result](t)(rules.Check([]Column{{Name: "id", Offsets: []int64{0}}, {Name: "text"}}, Options{}))
	same(t, none.Totals().Records, uint64(0))
	none.Close()
	for message, column := range map[string]Column{
		"the column 'id' has both Offsets and Values or Missing":     {Values: []string{""}, Offsets: []int64{0, 0}},
		"the column 'id' has Bytes or Validity, and no Offsets":      {Bytes: []byte{1}},
		"the column 'id' has no offset; it has one more than values": {Offsets: []int64{}},
		"the column 'id' has the offset 2 at 1, with 1 bytes":        {Bytes: []byte("1"), Offsets: []int64{0, 2}},
		"the column 'id' has the offset -1 at 0, with 1 bytes":       {Bytes: []byte("1"), Offsets: []int64{-1, 1}},
		"the column 'id' has the offset 0 at 2, with 1 bytes":        {Bytes: []byte("1"), Offsets: []int64{0, 1, 0}},
		"the column 'id' has 9 values, but only 1 bytes of validity": {Offsets: make([]int64, 10), Validity: []byte{1}},
	} {
		column.Name = "id"
		same(t, refused[*Result](t)(rules.CheckColumn(column, Options{})).Error(), message)
	}
}

// Buffers of tables are used again, also by checks at the same time.
func TestBuffersAreNotShared(t *testing.T) {
	rules := parse(t, "fields: [{name: id, type: integer}]")
	done := make(chan bool)
	for routine := 0; routine < 4; routine++ {
		go func(routine int) {
			defer func() { done <- true }()
			for round := 0; round < 200; round++ {
				values := make([]string, 1+(round*37+routine)%500)
				missing := make([]bool, len(values))
				for row := range values {
					values[row], missing[row] = "7", row%3 == 1
				}
				bad := round % len(values)
				values[bad], missing[bad] = "x", false
				result, err := rules.Check([]Column{{Name: "id", Values: values, Missing: missing}}, Options{Threads: 1})
				if err != nil {
					t.Error(err)
					return
				}
				if found := result.Findings(); len(found) != 1 || found[0].Record != uint64(bad+1) {
					t.Errorf("%v, expected record %d", found, bad+1)
				}
				result.Close()
				if rules.Accepts(Record{"id": values[bad]}) || !rules.Accepts(Record{"id": "7"}) || !rules.Accepts(nil) {
					t.Error("accepts")
				}
			}
		}(routine)
	}
	for routine := 0; routine < 4; routine++ {
		<-done
	}
}

func TestNowIsTheTimeOfRowRules(t *testing.T) {
	rules := parse(t, "{fields: [{name: at, type: datetime}], rows: [{check: at <= now()}]}")
	csv := []byte("at\n2024-02-29T12:30:00Z\n1969-12-31T23:59:59Z\n")
	noon := time.Date(2024, 2, 29, 12, 30, 0, 0, time.UTC)
	for now, rejected := range map[time.Time]uint64{
		{}: 0, noon: 0, noon.Add(-1): 1, noon.In(time.FixedZone("", 3600)): 0, time.Unix(-2, 5): 2,
	} {
		result := good[*Result](t)(rules.CheckCSV(csv, Options{Now: now}))
		if found := result.Totals().Rejected; found != rejected {
			t.Errorf("%v: %d rejected, not %d", now, found, rejected)
		}
	}
}
