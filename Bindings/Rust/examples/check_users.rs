//! Checks a CSV file and a record of your own against a rule file.
//!
//!     cargo run --example check_users -- ../../Examples/users.csv ../../Examples/users.rules.yaml

use std::env;
use std::error::Error;
use std::fs;

use assay::{Options, Rules};

fn main() -> Result<(), Box<dyn Error>> {
    let [table, rules] =
        env::args().skip(1).collect::<Vec<_>>().try_into().map_err(|_| "usage: check_users CSV RULES")?;
    let rules = Rules::load(rules)?;

    let result = rules.check_csv(fs::read(table)?, &Options::default())?;
    let totals = result.totals();
    println!("{} records: {} clean, {} rejected", totals.records, totals.clean, totals.rejected);
    for found in result.findings().take(3) {
        println!("line {}: {} {} ({})", found.line, found.column.unwrap_or_default(), found.message, found.rule);
    }

    let record = [("id", "1"), ("email", "anna@example.org"), ("country", "Norway")];
    for found in rules.check_record(&record)? {
        println!("record: {} {}", found.column.unwrap_or_default(), found.message);
    }
    Ok(())
}
