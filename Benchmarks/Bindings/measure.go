// The Go binding and the package regexp; see cases/bindings.py.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"measure/empty"

	assay "github.com/OWNER/assay/Bindings/Go"
)

const fieldCount = 8

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func report(job, contender string, run func() int) {
	start := time.Now()
	answer := run()
	fmt.Printf("%s\t%s\t%.9f\t%d\n", job, contender, time.Since(start).Seconds(), answer)
}

func main() {
	folder := os.Args[1]
	records, err := strconv.Atoi(os.Args[2])
	must(err)
	rounds, err := strconv.Atoi(os.Args[3])
	must(err)
	read := func(name string) []string {
		text, err := os.ReadFile(filepath.Join(folder, name))
		must(err)
		return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	}
	load := func(name string) *assay.Rules {
		rules, err := assay.Load(filepath.Join(folder, name))
		must(err)
		return rules
	}
	codes, dates, ids := read("codes.txt"), read("dates.txt"), read("ids.txt")
	byPattern, byType, ofColumn := load("patterns.yaml"), load("types.yaml"), load("column.yaml")
	code, date := regexp.MustCompile(`\A(?:[A-Z]{2}[0-9]{6})\z`), regexp.MustCompile(`\A(?:\d{4}-\d{2}-\d{2})\z`)
	accepted := func(rules *assay.Rules, first []string) (clean int) {
		for i := 0; i < records; i++ {
			var values [fieldCount]string
			for pair := 0; pair < fieldCount/2; pair++ {
				row := i + pair*records
				values[2*pair], values[2*pair+1] = first[row], dates[row]
			}
			if rules.AcceptsValues(values[:], nil) {
				clean++
			}
		}
		return clean
	}
	maps := make([]assay.Record, records)
	for i := range maps {
		maps[i] = assay.Record{}
		for pair := 0; pair < fieldCount/2; pair++ {
			row := i + pair*records
			maps[i][byPattern.Fields()[2*pair]], maps[i][byPattern.Fields()[2*pair+1]] = codes[row], dates[row]
		}
	}
	check := func(column assay.Column) int {
		result, err := ofColumn.Check([]assay.Column{column}, assay.Options{Threads: 1})
		must(err)
		defer result.Close()
		return int(result.Totals().Clean)
	}
	buffer := assay.Column{Name: "code", Offsets: []int64{0}}
	for _, value := range codes {
		buffer.Bytes = append(buffer.Bytes, value...)
		buffer.Offsets = append(buffer.Offsets, int64(len(buffer.Bytes)))
	}
	for ; rounds > 0; rounds-- {
		report("record", "Assay", func() int { return accepted(byPattern, codes) })
		report("record", "Assay, by name", func() (clean int) {
			for _, record := range maps {
				if byPattern.Accepts(record) {
					clean++
				}
			}
			return clean
		})
		report("record", "regex", func() (clean int) {
			for i := 0; i < records; i++ {
				isClean := true
				for row := i; row < i+4*records && isClean; row += records {
					isClean = code.MatchString(codes[row]) && date.MatchString(dates[row])
				}
				if isClean {
					clean++
				}
			}
			return clean
		})
		report("call", "Assay", func() (calls int) {
			for i := 0; i < records; i++ {
				calls += empty.Call()
			}
			return calls
		})
		report("typed record", "Assay", func() int { return accepted(byType, ids) })
		report("column", "Assay", func() int { return check(assay.Column{Name: "code", Values: codes}) })
		report("column", "Assay, one buffer", func() int { return check(buffer) })
		report("column", "regex", func() (clean int) {
			for _, value := range codes {
				if code.MatchString(value) {
					clean++
				}
			}
			return clean
		})
	}
}
