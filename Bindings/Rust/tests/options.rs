//! Tests of options: progress, cancelled calls, panics of callbacks, keys of earlier parts, and outputs.

use std::fs;
use std::ops::ControlFlow;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::PathBuf;
use std::time::{Duration, UNIX_EPOCH};

use assay::{Column, Error, ErrorKind, Options, Outputs, Rules, SeenKeys};

/// A separate folder for each test, which is removed afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("assay-rust-{}-{name}", std::process::id()));
        fs::create_dir(&path).unwrap();
        Folder(path)
    }

    fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        fs::write(self.join(name), bytes).unwrap();
        self.join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.join(name)).unwrap()
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn rules() -> Rules {
    Rules::parse("fields: [{name: id, type: integer}, {name: text}]").unwrap()
}

/// A CSV file of 6 MB, which several chunks contain.
fn long_csv() -> String {
    let mut csv = "id,text\n".to_owned();
    (0..300_000).for_each(|id| csv.push_str(&format!("{id},some text {id}\n")));
    csv
}

#[test]
fn progress_reaches_the_total() {
    let ids: Vec<String> = (0..200_000).map(|id| id.to_string()).collect();
    let table = [Column::new("id", ids.iter().map(Some)), Column::new("text", ids.iter().map(Some))];
    for threads in [1, 4] {
        let mut calls = Vec::new();
        let options = Options::new().threads(threads).progress(|done, total| {
            calls.push((done, total));
            ControlFlow::Continue(())
        });
        assert!(rules().check(&table, &options).unwrap().is_clean());
        drop(options);
        assert!(calls.len() > 1 && calls.windows(2).all(|pair| pair[0].0 <= pair[1].0), "{calls:?}");
        assert_eq!(calls.last(), Some(&(200_000, 200_000)));
    }
}

#[test]
fn cancelled_calls_leave_no_output() {
    let folder = Folder::new("cancel");
    let input = folder.write("long.csv", long_csv());
    let outputs = Outputs::new()
        .clean(folder.join("clean.csv"))
        .rejects(folder.join("rejects.csv"))
        .findings(folder.join("findings.jsonl"))
        .report(folder.join("report.json"));
    let rules = rules();
    for threads in [1, 4] {
        let mut seen = 0;
        let options = Options::new().threads(threads).progress(|done, _| {
            seen = done;
            if done > 0 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        let error = rules.clean_file(&input, &outputs, &options).unwrap_err();
        drop(options);
        assert!(seen > 0);
        assert_eq!((error.kind(), error.to_string()), (ErrorKind::Cancelled, CANCELLED.to_owned()));
        assert_eq!(folder.names(), ["long.csv"]);
    }
    let cancel = || Options::new().progress(|_, _| ControlFlow::Break(()));
    let table = [Column::new("id", [Some("1")]), Column::new("text", [None::<&str>])];
    let kinds = [
        rules.check(&table, &cancel()).err(),
        rules.check_column(&table[0], &cancel()).err(),
        rules.check_csv("id,text\n1,\n", &cancel()).err(),
        assay::profile_with(&input, false, &cancel()).err(),
        assay::infer_with(&input, &cancel()).err(),
    ]
    .map(|error| error.as_ref().map(Error::kind));
    assert_eq!(kinds, [Some(ErrorKind::Cancelled); 5]);
}

const CANCELLED: &str = "the progress callback ended the run";

#[test]
fn panics_continue_in_the_caller() {
    let folder = Folder::new("panic");
    let input = folder.write("long.csv", long_csv());
    let outputs = Outputs::new().clean(folder.join("clean.csv"));
    let calls = std::sync::atomic::AtomicUsize::new(0);
    let options = Options::new().threads(4).progress(|_, _| {
        calls.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        std::panic::panic_any("the callback's own text")
    });
    let run = || rules().clean_file(&input, &outputs, &options);
    let panic = catch_unwind(AssertUnwindSafe(run)).unwrap_err();
    assert_eq!(panic.downcast_ref::<&str>(), Some(&"the callback's own text"));
    assert_eq!(calls.load(std::sync::atomic::Ordering::Relaxed), 1);
    assert_eq!(folder.names(), ["long.csv"]);
    // The library goes on working.
    assert!(rules().clean_file(&input, &outputs, &Options::default()).is_ok());
}

#[test]
fn callbacks_may_check() {
    let rules = rules();
    let mut accepted = 0;
    {
        let options = Options::new().progress(|_, _| {
            accepted += u32::from(rules.accepts(&[("id", "7")]));
            ControlFlow::Continue(())
        });
        assert!(rules.check_csv(long_csv(), &options).unwrap().is_clean());
    }
    assert!(accepted > 1);
}

#[test]
fn parts_of_a_table_share_keys() {
    let rules = Rules::parse("fields: [{name: id, constraints: {unique: true}}]").unwrap();
    let keys = SeenKeys::new(&rules, 1 << 20).unwrap();
    let part = |ids: [&'static str; 2]| [Column::new("id", ids.map(Some))];
    let first = rules.check(&part(["a", "b"]), &Options::new().seen(&keys)).unwrap();
    let second = rules.check(&part(["c", "b"]), &Options::new().seen(&keys).first_record(2)).unwrap();
    assert_eq!((first.verdicts(), second.verdicts()), (Some(vec![true; 2]), Some(vec![true, false])));
    let found: Vec<_> = second.findings().map(|found| format!("{} {}", found.record, found.message)).collect();
    assert_eq!(found, ["4 equals record 2"]);
    let mut message = String::new();
    {
        let outer = Options::new().seen(&keys).first_record(4).threads(1).progress(|_, _| {
            let inner = Options::new().seen(&keys).first_record(4);
            message = rules.check(&part(["d", "e"]), &inner).unwrap_err().to_string();
            ControlFlow::Continue(())
        });
        rules.check(&part(["d", "e"]), &outer).unwrap();
    }
    assert_eq!(message, "another check uses the seen keys");
    let keep_none = Rules::parse("{fields: [{name: id}], uniqueKeys: [{fields: [id], keep: none}]}");
    if let Ok(rules) = keep_none {
        assert_eq!(SeenKeys::new(&rules, 0).unwrap_err().kind(), ErrorKind::Rules);
    }
}

#[test]
fn keys_are_exported_as_hashes() {
    let rules = Rules::parse("fields: [{name: id, constraints: {unique: true}}]").unwrap();
    let options = Options::new().key_secret(*b"sixteen bytes...");
    let result = rules.check(&[Column::new("id", ["a", "a"].map(Some))], &options).unwrap();
    assert!(result.is_clean(), "keys are not compared");
    let keys = result.arrow_keys().unwrap();
    assert_eq!((keys.array().length, keys.array().n_children), (2, 1));
    // SAFETY: the child is a fixed-size binary array: validity and bytes.
    unsafe {
        let hashes = (**keys.array().children).buffers.add(1).read().cast::<[u8; 16]>();
        assert_eq!(*hashes, *hashes.add(1));
    }
}

#[test]
fn arrow_goes_out_and_in() {
    let rules = rules();
    let table = [Column::new("id", ["1", "x"].map(Some)), Column::new("text", [None::<&str>; 2])];
    let result = rules.check(&table, &Options::new()).unwrap();
    let verdicts = result.arrow_verdicts().unwrap();
    assert_eq!((verdicts.array().length, verdicts.array().n_buffers), (2, 2));
    assert_eq!(result.arrow_reasons().unwrap().array().length, 2);
    // The findings of one check are the input of another.
    let findings = result.arrow_findings(10).unwrap();
    let (array, schema) = findings.into_raw();
    // SAFETY: the structures were moved out of an object that owned them.
    let findings = unsafe { assay::arrow::OwnedArray::from_raw(array, schema) };
    let of_findings = Rules::parse("fields: [{name: code, constraints: {enum: [required]}}]").unwrap();
    let again = of_findings.check_owned_arrow(&findings, &Options::new()).unwrap();
    assert_eq!(again.verdicts(), Some(vec![false]));
    let csv = rules.check_csv("id,text\n", &Options::new()).unwrap();
    assert_eq!(csv.arrow_verdicts().err().map(|error| error.kind()), Some(ErrorKind::Argument));
}

#[test]
fn outputs_have_the_options_of_the_command() {
    let folder = Folder::new("outputs");
    let input = folder.write("latin.csv", b"id;text\n1;=caf\xe9\nx;b\ny;c\n9;d\n");
    let outputs = Outputs::new()
        .clean(folder.join("clean"))
        .findings(folder.join("findings.jsonl"))
        .encoding("windows-1252")
        .delimiter(";")
        .head(3)
        .max_findings(1)
        .show_values(true)
        .guard_formulas(true);
    let report = rules().clean_file(&input, &outputs, &Options::default()).unwrap();
    assert!(report.contains("\"rejected\""), "{report}");
    assert_eq!(folder.read("clean"), "id;text\n1;'=café\n");
    let findings = folder.read("findings.jsonl");
    assert_eq!(findings.lines().count(), 1, "{findings}");
    assert!(findings.contains("\"value\":\"x\""), "{findings}");
    let outputs = outputs.replace(true).compression("zip");
    let error = rules().clean_file(&input, &outputs, &Options::default()).unwrap_err();
    assert_eq!(error.mistakes()[0].message, "there is no compression 'zip'");
    let error = rules().clean_file(&input, &Outputs::new().encoding("no\0"), &Options::default()).unwrap_err();
    assert_eq!(error.to_string(), "the encoding has a NUL in it");
}

#[test]
fn now_is_the_time_of_row_rules() {
    let rules = Rules::parse("{fields: [{name: at, type: datetime}], rows: [{check: at <= now()}]}").unwrap();
    let csv = "at\n2024-02-29T12:30:00Z\n1969-12-31T23:59:59Z\n";
    let noon = UNIX_EPOCH + Duration::from_secs(1_709_209_800);
    for (now, rejected) in [
        (noon, 0),
        (noon - Duration::from_nanos(1), 1),
        (UNIX_EPOCH - Duration::from_nanos(1), 1),
        (UNIX_EPOCH - Duration::from_secs(1), 1),
        (UNIX_EPOCH - Duration::from_nanos(1_000_000_001), 2),
    ] {
        assert_eq!(rules.check_csv(csv, &Options::new().now(now)).unwrap().totals().rejected, rejected, "{now:?}");
    }
    assert!(rules.check_csv(csv, &Options::new()).unwrap().is_clean());
}
