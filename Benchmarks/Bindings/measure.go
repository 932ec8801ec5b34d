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

	assay "github.com/OWNER/assay/Bindings/Go"
)

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
	accepted := func(rules *assay.Rules, firstName string, first []string) (clean int) {
		for i := 0; i < records; i++ {
			if rules.Accepts(assay.Record{firstName: first[i], "day": dates[i]}) {
				clean++
			}
		}
		return clean
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
		report("record", "Assay", func() int { return accepted(byPattern, "code", codes) })
		report("record", "regex", func() (clean int) {
			for i := 0; i < records; i++ {
				if code.MatchString(codes[i]) && date.MatchString(dates[i]) {
					clean++
				}
			}
			return clean
		})
		report("typed record", "Assay", func() int { return accepted(byType, "id", ids) })
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
