//! Tests of the public interface: exact answers, mistakes with their places, threads, and leaks.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;

use assay::arrow::{ArrowArray, ArrowSchema};
use assay::{Column, ErrorKind, Flags, Options, Outputs, Pattern, Record, Rules, Severity};

const RULES: &str = "
fields:
  - {name: id, type: integer, constraints: {required: true, unique: true}}
  - {name: email, format: email, constraints: {required: true}}
rows:
  - {id: short, check: size(email) > 16 + id, message: has a short address, severity: warn}
";

fn rules(text: &str) -> Rules {
    Rules::parse(text).unwrap_or_else(|error| panic!("{error}"))
}

fn seen(findings: impl IntoIterator<Item = assay::Finding>) -> Vec<String> {
    let line = |found: assay::Finding| {
        let column = found.column.as_deref().unwrap_or("-");
        let severity = if found.severity == Severity::Warn { " warn" } else { "" };
        format!("{} {column} {} {}{severity}: {}", found.record, found.rule, found.code, found.message)
    };
    findings.into_iter().map(line).collect()
}

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
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn library_reports_its_version() {
    assert_eq!(assay::release(), env!("CARGO_PKG_VERSION"));
    assert!(assay::engine().starts_with("PCRE2 10."), "{}", assay::engine());
}

#[test]
fn tables_are_checked() {
    let rules = rules(RULES);
    assert_eq!(rules.fields().collect::<Vec<_>>(), ["id", "email"]);
    let table = [
        Column::new("id", ["1", "2", "3", "x", "1"].map(Some)),
        Column::new("other", [None::<&str>; 5]),
        Column::new(
            "email",
            [
                Some("anna@example.org"),
                Some("bo.example.org"),
                None,
                Some("carl@example.org"),
                Some("dora@example.org"),
            ],
        ),
    ];
    let result = rules.check(&table, &Options::default()).unwrap();
    assert_eq!(result.verdicts(), Some(vec![true, false, false, false, false]));
    assert!(!result.is_clean());
    let totals = result.totals();
    assert_eq!((totals.records, totals.clean, totals.rejected, totals.undecided, totals.findings), (5, 1, 4, 0, 6));
    assert_eq!(
        seen(result.findings()),
        [
            "1 - short row warn: has a short address",
            "2 email email.format format: is not an e-mail address: there is no @",
            "3 email email.required required: is missing",
            "4 id id.type type: is not an integer",
            "5 - short row warn: has a short address",
            "5 id id.unique unique: equals record 1",
        ]
    );
    let counts: Vec<_> = result.counts().into_iter().filter(|count| count.failed > 0).collect();
    let counts: Vec<_> = counts.iter().map(|count| (count.rule.as_str(), count.severity, count.failed)).collect();
    assert_eq!(
        counts,
        [
            ("id.type", Severity::Reject, 1),
            ("email.required", Severity::Reject, 1),
            ("email.format", Severity::Reject, 1),
            ("short", Severity::Warn, 2),
            ("id.unique", Severity::Reject, 1),
        ]
    );
    assert_eq!(result.rejected_by("email").unwrap(), 2);
    assert_eq!(result.rejected_by("other").unwrap(), 0);
}

#[test]
fn many_rows_on_many_threads_give_the_same_as_on_one() {
    let rules = rules("fields: [{name: id, type: integer, constraints: {minimum: 10, maximum: 9990}}]");
    let ids: Vec<String> = (0..10_000).map(|id| id.to_string()).collect();
    let table = [Column::new("id", ids.iter().map(Some))];
    for threads in [1, 4] {
        let result = rules.check(&table, &Options::new().threads(threads).first_record(500)).unwrap();
        assert_eq!(result.totals().rejected, 19);
        let records: Vec<u64> = result.findings().map(|found| found.record).collect();
        assert_eq!(records, (501..511).chain(10_492..10_501).collect::<Vec<_>>());
    }
}

#[test]
fn records_are_checked() {
    let rules = rules("fields: [{name: id, type: integer}, {name: email, format: email}]");
    let good = [("id", "7"), ("email", "anna@example.org")];
    assert!(rules.accepts(&good));
    let values: Vec<Option<Vec<u8>>> = vec![
        None,
        Some("7".into()),
        Some("7 ".into()),
        Some("".into()),
        Some("anna@example.org".into()),
        Some(vec![0xff]),
    ];
    for first in &values {
        for second in &values {
            let record: Vec<(&str, &Vec<u8>)> =
                rules.fields().zip([first, second]).filter_map(|(name, value)| Some((name, value.as_ref()?))).collect();
            let findings = rules.check_record(&record).unwrap();
            assert_eq!(rules.accepts_values(&[first.as_ref(), second.as_ref()]), findings.is_empty());
        }
    }
    assert_eq!(rules.check_record(&good).unwrap(), []);
    assert!(rules.accepts::<HashMap<&str, &str>>(&HashMap::new()));
    let bad = BTreeMap::from([("id".to_owned(), "7 ".to_owned())]);
    assert!(!rules.accepts(&bad));
    assert_eq!(seen(rules.check_record(&bad).unwrap()), ["1 id id.type type: is not an integer"]);

    struct User(&'static str);
    impl Record for User {
        fn value(&self, field: &str) -> Option<&[u8]> {
            (field == "email").then_some(self.0.as_bytes())
        }
    }
    let users = [User("anna@example.org"), User("bo@"), User("")];
    let result = rules.check_records(&users, &Options::default()).unwrap();
    assert_eq!(result.verdicts(), Some(vec![true, false, true]));
    assert!(rules.check_records::<User>(&[], &Options::default()).unwrap().is_clean());
}

#[test]
fn texts_need_not_be_utf8_nor_end_with_nul() {
    let rules = rules(r"fields: [{name: v, constraints: {pattern: 'a\x00b'}}]");
    let values: [&[u8]; 4] = [b"a\0b", b"a\0c", b"a", b"a\xff"];
    let result = rules.check(&[Column::new("v", values.map(Some))], &Options::default()).unwrap();
    assert_eq!(result.verdicts(), Some(vec![true, false, false, false]));
    assert_eq!(seen(result.findings())[2], "4 v encoding encoding: is not well-formed UTF-8");
    let error = Rules::load("no\0path").unwrap_err();
    assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::Argument, "the path has a NUL in it"));
    let error = rules.check(&[Column::new("v\0", [Some("a")])], &Options::default()).unwrap_err();
    assert_eq!(error.to_string(), "the name of a column has a NUL in it");
}

#[test]
fn csv_is_checked() {
    let rules = rules(RULES);
    let result = rules.check_csv("id,email\n1,anna@example.org\n\"2\",bo\n", &Options::default()).unwrap();
    assert_eq!(result.verdicts(), None);
    let found: Vec<_> = result.findings().filter(|found| found.severity == Severity::Reject).collect();
    assert_eq!((found[0].record, found[0].line, found[0].offset), (2, 3, 32));
    let error = rules.check_csv("id\n1\n", &Options::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Input);
}

#[test]
fn limits_above_the_ceiling_need_trust() {
    let text = "{limits: {match-base: 20001}, fields: [{name: id}]}";
    let folder = Folder::new("trusted");
    let path = folder.join("rules.yaml");
    fs::write(&path, text).unwrap();
    for error in [Rules::parse(text).unwrap_err(), Rules::load(&path).unwrap_err()] {
        assert_eq!(error.mistakes()[0].message, "a rule file may raise match-base to 20000, not to 20001");
        assert!(error.mistakes()[0].hint.as_deref().unwrap().contains("read it as trusted rules"), "{error}");
    }
    for rules in [Rules::parse_trusted(text, "rules"), Rules::load_trusted(&path)] {
        assert_eq!(rules.unwrap().fields().collect::<Vec<_>>(), ["id"]);
    }
    assert_eq!(Rules::load_trusted("no\0path").unwrap_err().kind(), ErrorKind::Argument);
    let error = Rules::parse_trusted("fields: [", "users.yaml").unwrap_err();
    assert!(error.to_string().starts_with("users.yaml:1:"), "{error}");
}

/// Uses the paths of Tests/Escapes, which Scripts/test-bindings.sh creates.
#[test]
fn rules_open_files_in_their_folder_only() {
    let Some(folder) = std::env::var_os("ASSAY_ESCAPES").map(PathBuf::from) else { return };
    let column = [Column::new("id", [Some("SECRET-0451")])];
    let check =
        |rules: Result<Rules, assay::Error>| rules?.check(&column, &Options::default()).map(|result| result.is_clean());
    let list = fs::read_to_string(folder.join("list.tsv")).unwrap();
    assert!(list.lines().count() > 60);
    for line in list.lines() {
        let (kind, name) = line.split_once('\t').unwrap();
        let path = folder.join("rules").join(name);
        let text = fs::read_to_string(&path).unwrap();
        let loaded = check(Rules::load(&path));
        assert_eq!(*loaded.as_ref().unwrap_or(&false), kind == "allowed", "{text}");
        let parsed = check(Rules::parse_named(&text, path.to_str().unwrap())).unwrap_err();
        assert!(!parsed.to_string().contains("SECRET-"), "{parsed}");
        if kind != "allowed" {
            let refused = loaded.unwrap_err();
            assert!(!refused.to_string().contains("SECRET-"), "{refused}");
        }
        if kind != "other" {
            assert!(check(Rules::load_trusted(&path)).unwrap(), "{text}");
        }
    }
}

#[test]
fn mistakes_in_rules_have_places() {
    let text = "fields:\n  - {name: id, typ: integer}\n  - {name: id2, constraints: {pattern: 'a('}}\n";
    let error = Rules::parse_named(text, "users.yaml").unwrap_err();
    let mistakes = error.mistakes();
    assert_eq!(mistakes.len(), 2);
    assert_eq!((mistakes[0].kind, mistakes[0].line, mistakes[0].column), (ErrorKind::Rules, Some(2), Some(16)));
    assert_eq!(mistakes[0].message, "unknown key 'typ' in a field");
    assert_eq!(mistakes[0].hint.as_deref(), Some("did you mean 'type'?"));
    assert!(error.to_string().starts_with("users.yaml:2:16: error: unknown key 'typ' in a field\n"), "{error}");
    assert!(error.to_string().contains("\nusers.yaml:3:"), "{error}");

    let error = Rules::load("no/such/file.yaml").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::File);
    let rules = rules(RULES);
    let error = rules.check(&[Column::new("id", [Some("1")])], &Options::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Columns);
    let uneven = [Column::new("id", [Some("1")]), Column::new("email", [None::<&str>; 2])];
    let error = rules.check(&uneven, &Options::default()).unwrap_err();
    assert_eq!(error.to_string(), "the column 'email' has 2 values, and 'id' has 1");
    let error = rules.check_column(&Column::new("mail", [Some("1")]), &Options::default()).unwrap_err();
    assert_eq!(error.to_string(), "the rules have no field 'mail'");
}

#[test]
fn rules_travel_as_json() {
    let rules = rules(RULES);
    let again = Rules::parse(rules.json()).unwrap();
    assert_eq!(again.json(), rules.json());
    assert_eq!(format!("{again:?}"), r#"Rules(["id", "email"])"#);
}

#[test]
fn patterns_match_or_are_undecided() {
    let code = Pattern::new("[A-Z]{2}[0-9]{6}").unwrap();
    for (value, expected) in
        [("DE104233", true), ("DE10423", false), ("DE1042333", false), ("de104233", false), ("", false)]
    {
        assert_eq!(code.matches(value), Some(expected), "{value}");
    }
    let loose = Pattern::with_flags("de", Flags::CASE_INSENSITIVE | Flags::SEARCH).unwrap();
    assert_eq!(loose.matches("x DE y"), Some(true));
    let values = [Some("DE104233"), None, Some("x")];
    assert_eq!(code.match_all(values, &Options::default()).unwrap(), [Some(true), None, Some(false)]);

    let hard = Pattern::new(r"(a+)+\1b").unwrap();
    let value = "a".repeat(60);
    assert_eq!(hard.matches(&value), None);
    assert_eq!((hard.matches("aab"), hard.matches("x")), (Some(true), Some(false)));
    let column = [Some(value.as_str()), Some("aab")];
    assert_eq!(hard.match_all(column, &Options::default()).unwrap(), [None, Some(true)]);

    let error = Pattern::new("a(").unwrap_err();
    assert_eq!((error.kind(), error.mistakes()[0].column), (ErrorKind::Rules, Some(3)));
}

#[test]
fn values_are_repaired() {
    let rules = rules("fields: [{name: code, repair: [trim, upper], constraints: {pattern: '[A-Z]+'}}, {name: note}]");
    let column = Column::new("code", [Some(" ab "), Some("CD"), None, Some("")]);
    let repaired = rules.repair(&column).unwrap();
    let texts: Vec<_> = repaired.iter().map(|value| value.as_deref().map(String::from_utf8_lossy)).collect();
    assert_eq!(texts, [Some("AB".into()), Some("CD".into()), None, Some("".into())]);
    assert!(matches!(repaired[1], Some(std::borrow::Cow::Borrowed(_))));
    let untouched = rules.repair(&Column::new("note", [Some(" x "), None])).unwrap();
    assert_eq!(untouched, [Some(b" x ".as_slice().into()), None]);
    assert_eq!(rules.check_record(&[("code", " ab ")]).unwrap(), []);
}

#[test]
fn files_are_split() {
    let folder = Folder::new("split");
    let input = folder.join("users.csv");
    fs::write(&input, "id,email\n1,anna@example.org\nx,bo@example.org\n").unwrap();
    let outputs = Outputs::new().clean(folder.join("clean.csv")).rejects(folder.join("rejects.csv")).annotate(true);
    let rules = rules(RULES);
    let report = rules.clean_file(&input, &outputs, &Options::default()).unwrap();
    assert!(report.starts_with('{') && report.contains("\"rejected\""), "{report}");
    assert_eq!(fs::read_to_string(folder.join("clean.csv")).unwrap(), "id,email\n1,anna@example.org\n");
    let rejects = fs::read_to_string(folder.join("rejects.csv")).unwrap();
    assert_eq!(rejects, "id,email,_line,_reasons\nx,bo@example.org,3,id.type\n");
    let error = rules.clean_file(&input, &outputs, &Options::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Input);

    assert!(assay::profile(&input, false).unwrap().contains("\"columns\""));
    let inferred = Rules::parse(assay::infer(&input).unwrap()).unwrap();
    assert_eq!(inferred.fields().collect::<Vec<_>>(), ["id", "email"]);
}

#[test]
fn threads_share_rules_and_results() {
    let rules = rules(RULES);
    let result = rules.check_records(&[[("id", "x")]], &Options::default()).unwrap();
    let answers = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let (own, result, answers) = (rules.clone(), &result, &answers);
            scope.spawn(move || {
                for round in 0..50 {
                    let id = (thread * 50 + round).to_string();
                    let record = [("id", id.as_str()), ("email", "no address")];
                    assert_eq!(own.check_record(&record).unwrap().len(), 1);
                }
                answers.lock().unwrap().push(seen(result.findings()).len());
            });
        }
    });
    assert_eq!(answers.into_inner().unwrap(), [2; 8]);
}

#[test]
fn arrow_is_checked_in_place() {
    // A batch with one column "id": "1", "x".
    let (offsets, bytes) = ([0i32, 1, 2], *b"1x");
    let mut buffers = [std::ptr::null(), offsets.as_ptr().cast(), bytes.as_ptr().cast()];
    // SAFETY: an all-zero structure is a released one; each is filled in below.
    let (mut child, mut batch): (ArrowArray, ArrowArray) = unsafe { (std::mem::zeroed(), std::mem::zeroed()) };
    let (mut field, mut schema): (ArrowSchema, ArrowSchema) = unsafe { (std::mem::zeroed(), std::mem::zeroed()) };
    unsafe extern "C" fn keep_array(array: *mut ArrowArray) {
        unsafe { (*array).release = None };
    }
    unsafe extern "C" fn keep_schema(schema: *mut ArrowSchema) {
        unsafe { (*schema).release = None };
    }
    (child.length, child.n_buffers, child.buffers) = (2, 3, buffers.as_mut_ptr());
    child.release = Some(keep_array);
    (field.format, field.name) = (c"u".as_ptr(), c"id".as_ptr());
    field.release = Some(keep_schema);
    let (mut children, mut fields) = ([&mut child as *mut ArrowArray], [&mut field as *mut ArrowSchema]);
    let mut none = [std::ptr::null()];
    (batch.length, batch.n_buffers, batch.buffers) = (2, 1, none.as_mut_ptr());
    (batch.n_children, batch.children) = (1, children.as_mut_ptr());
    batch.release = Some(keep_array);
    (schema.format, schema.n_children, schema.children) = (c"+s".as_ptr(), 1, fields.as_mut_ptr());
    schema.name = c"".as_ptr();
    schema.release = Some(keep_schema);

    let rules = rules("fields: [{name: id, type: integer}]");
    // SAFETY: the structures above conform to the interface, and their memory is valid.
    let result = unsafe { rules.check_arrow(&schema, &batch, &Options::default()) }.unwrap();
    assert_eq!(result.verdicts(), Some(vec![true, false]));

    let mut array: ArrowArray = unsafe { std::mem::zeroed() };
    let mut type_of_array: ArrowSchema = unsafe { std::mem::zeroed() };
    unsafe {
        result.export_verdicts(&mut array, &mut type_of_array).unwrap();
        assert_eq!(*(*array.buffers.add(1)).cast::<u8>() & 3, 1);
        array.release.unwrap()(&mut array);
        type_of_array.release.unwrap()(&mut type_of_array);
        result.export_reasons(&mut array, &mut type_of_array).unwrap();
        assert_eq!(array.length, 2);
        array.release.unwrap()(&mut array);
        type_of_array.release.unwrap()(&mut type_of_array);
        result.export_findings(10, &mut array, &mut type_of_array).unwrap();
        assert_eq!((array.length, array.n_children), (1, 6));
        array.release.unwrap()(&mut array);
        type_of_array.release.unwrap()(&mut type_of_array);
    }
    batch.release = None;
    let error = unsafe { rules.check_arrow(&schema, &batch, &Options::default()) }.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Arrow);
}

/// All kinds of records give the same verdicts, also with more fields than fit on the stack.
#[test]
fn records_have_many_forms() {
    let fields: Vec<String> = (0..40).map(|i| format!("{{name: f{i}, type: integer}}")).collect();
    let rules = rules(&format!("fields: [{}]", fields.join(", ")));
    for (value, expected) in [("7", true), ("x", false)] {
        let pairs = [("f0", "1"), ("f39", value)];
        let owned = Vec::from(pairs.map(|(name, value)| (name.to_owned(), value.to_owned())));
        let (slice, vector) = (&pairs[..], Vec::from(pairs));
        let borrowed_map = BTreeMap::from(pairs);
        let hash_map: HashMap<String, Vec<u8>> =
            owned.iter().map(|(name, value)| (name.clone(), value.clone().into_bytes())).collect();
        let verdicts = [
            rules.accepts(&pairs),
            rules.accepts(&&pairs),
            rules.accepts(slice),
            rules.accepts(&vector),
            rules.accepts(&owned),
            rules.accepts(&borrowed_map),
            rules.accepts(&hash_map),
        ];
        assert_eq!(verdicts, [expected; 7]);
        assert_eq!(rules.check_record(slice).unwrap().is_empty(), expected);
        assert_eq!(rules.check_records(&[&pairs[..], &pairs[..1]], &Options::new()).unwrap().is_clean(), expected);
    }
}
