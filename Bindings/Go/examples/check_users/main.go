// Checks a CSV file and a record of your own against a rule file.
//
//	go run ./examples/check_users users.csv users.rules.yaml
package main

import (
	"fmt"
	"log"
	"os"

	assay "github.com/OWNER/assay/Bindings/Go"
)

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: check_users CSV RULES")
	}
	rules, err := assay.Load(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	defer rules.Close()
	csv, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}

	result, err := rules.CheckCSV(csv, assay.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer result.Close()
	totals := result.Totals()
	fmt.Printf("%d records: %d clean, %d rejected\n", totals.Records, totals.Clean, totals.Rejected)
	for _, found := range result.First(3) {
		fmt.Printf("line %d: %s %s (%s)\n", found.Line, found.Column, found.Message, found.Rule)
	}

	findings, err := rules.CheckRecord(assay.Record{"id": "1", "email": "anna@example.org", "country": "Norway"})
	if err != nil {
		log.Fatal(err)
	}
	for _, found := range findings {
		fmt.Printf("record: %s %s\n", found.Column, found.Message)
	}
}
