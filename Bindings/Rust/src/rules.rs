use std::borrow::Cow;
use std::ffi::{c_char, CStr, CString};
use std::path::{Path, PathBuf};
use std::ptr::{self, NonNull};

use crate::arrow::{ArrowArray, ArrowSchema, Exported};
use crate::error::{c_text, check};
use crate::{ffi, CheckResult, Column, Error, Finding, Record};

/// Compiled rules. A clone is another reference to the same rules.
pub struct Rules(NonNull<ffi::assay_rules>);

// SAFETY: rules are immutable; any number of threads may use them at once and free their own reference (assay.h,
// "Threads").
unsafe impl Send for Rules {}
unsafe impl Sync for Rules {}

/// The options of a check.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    /// The number of threads, including the caller's; 0: one per processor.
    pub threads: u32,
    /// Findings number the first row `first_record + 1`.
    pub first_record: u64,
    /// The memory limit for the keys of the rules, in bytes; 0: a quarter of the memory.
    pub key_memory: u64,
    /// The maximum work of the call, in ticks, which are nominally nanoseconds of one processor; 0: no limit. Values
    /// beyond it are undecided, with a finding of the rule `budget`.
    pub budget_ticks: u64,
    /// The maximum size of the values that row rules need at the same time, and of repaired columns, in bytes; 0: no
    /// limit.
    pub budget_bytes: u64,
    /// The maximum wall-clock time, as a last resort; 0: no limit.
    pub budget_nanoseconds: u64,
}

/// The outputs of [`Rules::clean_file`]. `None` disables an output.
#[derive(Debug, Clone, Default)]
pub struct Outputs {
    /// The clean records.
    pub clean: Option<PathBuf>,
    /// The rejected records.
    pub rejects: Option<PathBuf>,
    /// The findings, as JSON Lines, or as CSV if the name ends in `.csv`.
    pub findings: Option<PathBuf>,
    /// The cells of clean records that repairs changed, in the format of the findings.
    pub changes: Option<PathBuf>,
    /// The counts, as JSON.
    pub report: Option<PathBuf>,
    /// Whether to replace existing outputs.
    pub replace: bool,
    /// Whether to add the columns `_line` and `_reasons` to the rejects.
    pub annotate: bool,
}

impl Rules {
    /// Parses rules from YAML or JSON. Files that the rules refer to (`foreignKeys`) are not opened.
    pub fn parse(text: impl AsRef<[u8]>) -> Result<Rules, Error> {
        Self::parse_named(text, "rules")
    }

    /// Parses rules with a name for messages.
    pub fn parse_named(text: impl AsRef<[u8]>, name: &str) -> Result<Rules, Error> {
        let (text, name) = (text.as_ref(), c_text(name, "the name of the rules")?);
        // SAFETY: text and name are valid during the call; the same for all calls below.
        Self::made(|rules| unsafe { ffi::assay_rules_parse(text.as_ptr().cast(), text.len(), name.as_ptr(), rules) })
    }

    /// Parses the rules in a file. Files that the rules refer to must be in the folder of the file or below.
    pub fn load(path: impl AsRef<Path>) -> Result<Rules, Error> {
        let path = c_path(path.as_ref())?;
        Self::made(|rules| unsafe { ffi::assay_rules_load(path.as_ptr(), rules) })
    }

    /// Parses trusted rules, as [`Rules::parse_named`] does. They may raise the work limits for one value beyond four
    /// times the defaults, and refer to any file.
    pub fn parse_trusted(text: impl AsRef<[u8]>, name: &str) -> Result<Rules, Error> {
        let (text, name) = (text.as_ref(), c_text(name, "the name of the rules")?);
        Self::made(|rules| unsafe {
            ffi::assay_rules_parse_trusted(text.as_ptr().cast(), text.len(), name.as_ptr(), rules)
        })
    }

    /// Parses the trusted rules in a file, as [`Rules::load`] does.
    pub fn load_trusted(path: impl AsRef<Path>) -> Result<Rules, Error> {
        let path = c_path(path.as_ref())?;
        Self::made(|rules| unsafe { ffi::assay_rules_load_trusted(path.as_ptr(), rules) })
    }

    pub(crate) fn from_pattern(pattern: &str, flags: u32) -> Result<Rules, Error> {
        Self::made(|rules| unsafe {
            ffi::assay_rules_from_pattern(pattern.as_ptr().cast(), pattern.len(), flags, rules)
        })
    }

    fn made(make: impl FnOnce(*mut *mut ffi::assay_rules) -> *mut ffi::assay_fault) -> Result<Rules, Error> {
        let mut rules = ptr::null_mut();
        check(make(&mut rules))?;
        Ok(Rules(NonNull::new(rules).expect("a call without a fault has rules")))
    }

    fn as_ptr(&self) -> *mut ffi::assay_rules {
        self.0.as_ptr()
    }

    /// Returns the names of the fields, in the order of the rule file.
    pub fn fields(&self) -> impl ExactSizeIterator<Item = &str> {
        let count = unsafe { ffi::assay_rules_field_count(self.as_ptr()) };
        (0..count).map(|field| self.text(unsafe { ffi::assay_rules_field_name(self.as_ptr(), field) }))
    }

    /// Returns the rules as JSON, which [`Rules::parse`] reads.
    pub fn json(&self) -> &str {
        self.text(unsafe { ffi::assay_rules_json(self.as_ptr()) })
    }

    fn text(&self, pointer: *const c_char) -> &str {
        // SAFETY: not null for existing fields, and valid as long as the rules.
        unsafe { CStr::from_ptr(pointer) }.to_str().expect("texts of libassay are UTF-8")
    }

    /// Returns whether a record is clean, for checking records one by one. Returns `false` for a record with findings,
    /// and if it cannot decide, because the rules have keys or repairs for example. [`Rules::check_record`] then
    /// returns the findings.
    pub fn accepts<R: Record + ?Sized>(&self, record: &R) -> bool {
        let values: Vec<_> = self.fields().map(|field| record.value(field)).collect();
        let pointers: Vec<_> = values.iter().map(|value| value.map_or(ptr::null(), <[u8]>::as_ptr)).collect();
        let lengths: Vec<_> = values.iter().map(|value| value.map_or(0, <[u8]>::len)).collect();
        unsafe { ffi::assay_rules_accepts(self.as_ptr(), pointers.as_ptr(), lengths.as_ptr()) }
    }

    /// Returns the findings of one record, which is clean if the list is empty. Each record is a separate table.
    pub fn check_record<R: Record>(&self, record: &R) -> Result<Vec<Finding>, Error> {
        if self.accepts(record) {
            return Ok(Vec::new());
        }
        let alone = Options { threads: 1, ..Options::default() };
        Ok(self.check_records(std::slice::from_ref(record), &alone)?.findings().collect())
    }

    /// Checks records as one table. A field that a record lacks is a missing value.
    pub fn check_records<R: Record>(&self, records: &[R], options: &Options) -> Result<CheckResult, Error> {
        let columns: Vec<_> =
            self.fields().map(|field| Column::new(field, records.iter().map(|record| record.value(field)))).collect();
        self.check_rows(&columns, records.len(), options)
    }

    /// Checks a table. Columns are found by name; columns that the rules do not name are ignored.
    pub fn check(&self, columns: &[Column], options: &Options) -> Result<CheckResult, Error> {
        let count = columns.first().map_or(0, Column::len);
        if let Some(other) = columns.iter().find(|column| column.len() != count) {
            return Err(Error::argument(format!(
                "the column '{}' has {} values, and '{}' has {count}",
                other.name,
                other.len(),
                columns[0].name
            )));
        }
        self.check_rows(columns, count, options)
    }

    fn check_rows(&self, columns: &[Column], count: usize, options: &Options) -> Result<CheckResult, Error> {
        let names = names_of(columns)?;
        let columns: Vec<_> = columns.iter().zip(&names).map(|(column, name)| column.as_c(name)).collect();
        let options = options.as_c();
        Self::checked(|result| unsafe {
            ffi::assay_rules_check_columns(self.as_ptr(), columns.as_ptr(), columns.len(), count, &options, result)
        })
    }

    /// Checks a column with the rules of the field of the same name.
    pub fn check_column(&self, column: &Column, options: &Options) -> Result<CheckResult, Error> {
        let (field, options) = (self.field(&column.name)?, options.as_c());
        let (name, count) = (c_text(column.name.as_str(), "the name of a column")?, column.len());
        let column = column.as_c(&name);
        Self::checked(|result| unsafe {
            ffi::assay_rules_check_column(self.as_ptr(), field, &column, count, &options, result)
        })
    }

    /// Checks CSV, including its header, in the dialect of the rules.
    pub fn check_csv(&self, bytes: impl AsRef<[u8]>, options: &Options) -> Result<CheckResult, Error> {
        let (bytes, options) = (bytes.as_ref(), options.as_c());
        Self::checked(|result| unsafe {
            ffi::assay_rules_check_csv(self.as_ptr(), bytes.as_ptr(), bytes.len(), &options, result)
        })
    }

    /// Checks an Arrow record batch in place.
    ///
    /// # Safety
    ///
    /// Both pointers must point to valid structures of the Arrow C Data Interface. The caller still owns them.
    pub unsafe fn check_arrow(
        &self,
        schema: *const ArrowSchema,
        array: *const ArrowArray,
        options: &Options,
    ) -> Result<CheckResult, Error> {
        let options = options.as_c();
        Self::checked(|result| unsafe {
            ffi::assay_rules_check_arrow_table(self.as_ptr(), schema, array, &options, result)
        })
    }

    fn checked(run: impl FnOnce(*mut *mut ffi::assay_result) -> *mut ffi::assay_fault) -> Result<CheckResult, Error> {
        let mut result = ptr::null_mut();
        check(run(&mut result))?;
        Ok(CheckResult::new(result))
    }

    /// Applies the repairs of the field with the column's name, and returns the repaired values, which checks use.
    /// Unchanged values are borrowed; `None` is a missing value.
    pub fn repair<'a>(&self, column: &Column<'a>) -> Result<Vec<Option<Cow<'a, [u8]>>>, Error> {
        let field = self.field(&column.name)?;
        let name = c_text(column.name.as_str(), "the name of a column")?;
        let (c_column, options, count) = (column.as_c(&name), Options::default().as_c(), column.len());
        let mut repaired = Exported::empty();
        check(unsafe {
            let (array, schema) = (&mut repaired.array, &mut repaired.schema);
            ffi::assay_rules_repair_column(
                self.as_ptr(),
                field,
                &c_column,
                count,
                &options,
                array,
                schema,
                ptr::null_mut(),
            )
        })?;
        let before = (0..count).map(|row| column.get(row));
        if repaired.array.release.is_none() {
            return Ok(before.map(|value| value.map(Cow::Borrowed)).collect());
        }
        let changed = |(row, before): (usize, Option<&'a [u8]>)| {
            // SAFETY: a large_binary array of `count` values, valid until `repaired` is dropped.
            let now = unsafe { large_binary(&repaired.array, row) }?;
            Some(before.filter(|&before| before == now).map_or_else(|| Cow::Owned(now.to_vec()), Cow::Borrowed))
        };
        Ok(before.enumerate().map(changed).collect())
    }

    fn field(&self, name: &str) -> Result<usize, Error> {
        let found = self.fields().position(|field| field == name);
        found.ok_or_else(|| Error::argument(format!("the rules have no field '{name}'")))
    }

    /// Splits a file (CSV, JSON Lines, optionally compressed) into clean records and rejects, as `assay clean` does.
    /// Returns the report as JSON.
    pub fn clean_file(&self, input: impl AsRef<Path>, outputs: &Outputs, options: &Options) -> Result<String, Error> {
        let (input, options) = (c_path(input.as_ref())?, options.as_c());
        let [clean, rejects, findings, changes, report] =
            [&outputs.clean, &outputs.rejects, &outputs.findings, &outputs.changes, &outputs.report]
                .map(|path| path.as_deref().map(c_path).transpose());
        let (clean, rejects, findings, changes, report) = (clean?, rejects?, findings?, changes?, report?);
        let outputs = ffi::assay_outputs {
            size: size_of::<ffi::assay_outputs>(),
            clean: or_null(&clean),
            rejects: or_null(&rejects),
            findings: or_null(&findings),
            report: or_null(&report),
            replace: outputs.replace,
            annotate: outputs.annotate,
            changes: or_null(&changes),
            max_findings: 0,
            head: 0,
            compression: ptr::null(),
            encoding: ptr::null(),
            delimiter: ptr::null(),
            show_values: false,
            guard_formulas: false,
            reserved: [0; 6],
        };
        written(|text| unsafe { ffi::assay_clean_file(self.as_ptr(), input.as_ptr(), &outputs, &options, text) })
    }
}

impl Clone for Rules {
    fn clone(&self) -> Rules {
        let rules = unsafe { ffi::assay_rules_retain(self.as_ptr()) };
        Rules(NonNull::new(rules).expect("rules that live can be retained"))
    }
}

impl Drop for Rules {
    fn drop(&mut self) {
        // SAFETY: this object owns the reference, and there are no borrows.
        unsafe { ffi::assay_rules_free(self.as_ptr()) };
    }
}

impl std::fmt::Debug for Rules {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("Rules").field(&self.fields().collect::<Vec<_>>()).finish()
    }
}

/// Profiles every value of a file, as `assay profile` does, and returns JSON. `shows_values` includes the most frequent
/// values.
pub fn profile(path: impl AsRef<Path>, shows_values: bool) -> Result<String, Error> {
    let path = c_path(path.as_ref())?;
    let (table, options) = (table(&path), Options::default().as_c());
    written(|text| unsafe { ffi::assay_rules_profile(ptr::null(), &table, shows_values, &options, text) })
}

/// Infers rules that fit a file, as `assay infer` does, and returns YAML with comments.
pub fn infer(path: impl AsRef<Path>) -> Result<String, Error> {
    let path = c_path(path.as_ref())?;
    let (table, options) = (table(&path), Options::default().as_c());
    written(|text| unsafe { ffi::assay_rules_infer(ptr::null(), &table, &options, text) })
}

impl Options {
    fn as_c(&self) -> ffi::assay_options {
        ffi::assay_options {
            size: size_of::<ffi::assay_options>(),
            threads: self.threads,
            reserved: 0,
            first_record: self.first_record,
            allocator: ptr::null(),
            progress: None,
            progress_context: ptr::null_mut(),
            key_memory: self.key_memory,
            seen: ptr::null_mut(),
            key_secret: ptr::null(),
            references: ptr::null(),
            budget_ticks: self.budget_ticks,
            budget_bytes: self.budget_bytes,
            budget_nanoseconds: self.budget_nanoseconds,
        }
    }
}

fn table(path: &CStr) -> ffi::assay_table {
    ffi::assay_table {
        size: size_of::<ffi::assay_table>(),
        path: path.as_ptr(),
        open: None,
        context: ptr::null_mut(),
        name: ptr::null(),
    }
}

fn written(write: impl FnOnce(*mut *mut c_char) -> *mut ffi::assay_fault) -> Result<String, Error> {
    let mut text = ptr::null_mut();
    check(write(&mut text))?;
    // SAFETY: the text is owned until it is freed here.
    unsafe {
        let copy = crate::error::text(text).unwrap_or_default();
        ffi::assay_text_free(text);
        Ok(copy)
    }
}

fn names_of(columns: &[Column]) -> Result<Vec<CString>, Error> {
    columns.iter().map(|column| c_text(column.name.as_str(), "the name of a column")).collect()
}

fn c_path(path: &Path) -> Result<CString, Error> {
    c_text(path.as_os_str().as_encoded_bytes(), "the path")
}

fn or_null(path: &Option<CString>) -> *const c_char {
    path.as_ref().map_or(ptr::null(), |path| path.as_ptr())
}

/// # Safety
///
/// The array must be of type large_binary and have that row.
unsafe fn large_binary(array: &ArrowArray, row: usize) -> Option<&[u8]> {
    // SAFETY: the buffers of this type are validity, which may be null, offsets and bytes.
    unsafe {
        let row = row + array.offset as usize;
        let buffers = std::slice::from_raw_parts(array.buffers, 3);
        let (validity, offsets, bytes) = (buffers[0].cast::<u8>(), buffers[1].cast::<i64>(), buffers[2].cast::<u8>());
        if !validity.is_null() && *validity.add(row / 8) >> (row % 8) & 1 == 0 {
            return None;
        }
        let (start, end) = (*offsets.add(row) as usize, *offsets.add(row + 1) as usize);
        // An empty array may have a null bytes buffer.
        Some(if start == end { &[] } else { std::slice::from_raw_parts(bytes.add(start), end - start) })
    }
}
