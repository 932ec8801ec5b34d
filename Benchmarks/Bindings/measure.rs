//! The Rust binding, and the crate `regex` if it is installed; see cases/bindings.py.

use std::collections::HashMap;
use std::time::Instant;

use assay::{Column, Options, Rules};

const FIELDS: usize = 8;

/// The values of record `i`: those of rows `i`, `i + records` and so on, alternately of both kinds.
fn values<'a>(first: &'a [String], second: &'a [String], i: usize, records: usize) -> [&'a str; FIELDS] {
    std::array::from_fn(|field| [first, second][field % 2][i + field / 2 * records].as_str())
}

fn report(job: &str, contender: &str, run: impl FnOnce() -> usize) {
    let start = Instant::now();
    let answer = run();
    println!("{job}\t{contender}\t{:.9}\t{answer}", start.elapsed().as_secs_f64());
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, folder, records, rounds] = &arguments[..] else { panic!("usage: measure FOLDER RECORDS ROUNDS") };
    let (records, rounds): (usize, usize) = (records.parse().unwrap(), rounds.parse().unwrap());
    let read = |name: &str| -> Vec<String> {
        std::fs::read_to_string(format!("{folder}/{name}")).unwrap().lines().map(str::to_owned).collect()
    };
    let load = |name: &str| Rules::load(format!("{folder}/{name}")).unwrap();
    let (codes, dates, ids) = (read("codes.txt"), read("dates.txt"), read("ids.txt"));
    let (by_pattern, by_type, of_column) = (load("patterns.yaml"), load("types.yaml"), load("column.yaml"));
    let accepted = |rules: &Rules, first: &[String]| {
        (0..records).filter(|&i| rules.accepts_values(&values(first, &dates, i, records).map(Some))).count()
    };
    let names: Vec<&str> = by_pattern.fields().collect();
    let named = |i| -> HashMap<&str, &str> { names.iter().copied().zip(values(&codes, &dates, i, records)).collect() };
    let maps: Vec<_> = (0..records).map(named).collect();
    #[cfg(feature = "regex")]
    let [code, date] = ["[A-Z]{2}[0-9]{6}", "[0-9]{4}-[0-9]{2}-[0-9]{2}"]
        .map(|text| regex::Regex::new(&format!("^(?:{text})$")).unwrap());
    for _ in 0..rounds {
        report("record", "Assay", || accepted(&by_pattern, &codes));
        report("record", "Assay, by name", || maps.iter().filter(|record| by_pattern.accepts(*record)).count());
        #[cfg(feature = "regex")]
        report("record", "regex", || {
            let rows = |i| (i..i + FIELDS / 2 * records).step_by(records);
            let matches = |row: usize| code.is_match(&codes[row]) && date.is_match(&dates[row]);
            (0..records).filter(|&i| rows(i).all(matches)).count()
        });
        report("typed record", "Assay", || accepted(&by_type, &ids));
        report("column", "Assay", || {
            let column = [Column::new("code", codes.iter().map(Some))];
            of_column.check(&column, &Options::new().threads(1)).unwrap().totals().clean as usize
        });
        #[cfg(feature = "regex")]
        report("column", "regex", || codes.iter().filter(|c| code.is_match(c)).count());
    }
}
