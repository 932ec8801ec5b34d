//! Runs in a separate process, so that other tests do not change its memory.
#![cfg(target_os = "linux")]

use std::fs;

use assay::{Column, Options, Rules};

const RULES: &str = "
fields:
  - {name: id, type: integer, constraints: {required: true, unique: true}}
  - {name: email, format: email, constraints: {required: true}}
rows:
  - {id: short, check: size(email) > 16 + id, message: has a short address, severity: warn}
";

/// Creates and drops all kinds of objects often enough that a leak of one kind is visible.
#[test]
fn nothing_leaks() {
    let round = || {
        let rules = Rules::parse(RULES).unwrap();
        let result = rules.clone().check_records(&[[("id", "x")]], &Options::default()).unwrap();
        assert_eq!(result.findings().count() + result.counts().len(), 2 + 10);
        let error = Rules::parse("fields: [{nam: x}, {nam: x}, {nam: x}, {nam: x}, {nam: x}, {nam: x}]").unwrap_err();
        assert_eq!(error.mistakes().len(), 6);
        let repairs = Rules::parse("fields: [{name: v, repair: [trim]}]").unwrap();
        for _ in 0..8 {
            assert_eq!(repairs.repair(&Column::new("v", [Some(" v")])).unwrap()[0].as_deref(), Some(b"v".as_slice()));
        }
    };
    let resident = || {
        let pages = fs::read_to_string("/proc/self/statm").unwrap();
        pages.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * 4096
    };
    (0..200).for_each(|_| round());
    let before = resident();
    (0..900).for_each(|_| round());
    let grown = resident().saturating_sub(before);
    assert!(grown < 1 << 20, "grown by {grown} bytes");
}
