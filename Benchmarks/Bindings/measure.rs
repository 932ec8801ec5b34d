//! The Rust binding, and the crate `regex` if it is installed; see cases/bindings.py.

use std::time::Instant;

use assay::{Column, Options, Rules};

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
    let accepted = |rules: &Rules, names: [&str; 2], first: &[String], second: &[String]| {
        let pairs = first.iter().zip(second).take(records);
        pairs.filter(|(first, second)| rules.accepts(&[(names[0], first), (names[1], second)])).count()
    };
    #[cfg(feature = "regex")]
    let [code, date] = ["[A-Z]{2}[0-9]{6}", "[0-9]{4}-[0-9]{2}-[0-9]{2}"]
        .map(|text| regex::Regex::new(&format!("^(?:{text})$")).unwrap());
    for _ in 0..rounds {
        report("record", "Assay", || accepted(&by_pattern, ["code", "day"], &codes, &dates));
        #[cfg(feature = "regex")]
        report("record", "regex", || {
            codes.iter().zip(&dates).take(records).filter(|(c, d)| code.is_match(c) && date.is_match(d)).count()
        });
        report("typed record", "Assay", || accepted(&by_type, ["id", "day"], &ids, &dates));
        report("column", "Assay", || {
            let column = [Column::new("code", codes.iter().map(Some))];
            of_column.check(&column, &Options::new().threads(1)).unwrap().totals().clean as usize
        });
        #[cfg(feature = "regex")]
        report("column", "regex", || codes.iter().filter(|c| code.is_match(c)).count());
    }
}
