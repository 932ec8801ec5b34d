use std::borrow::Cow;
use std::ffi::{c_char, CStr, CString};
use std::ops::ControlFlow;
use std::path::Path;
use std::ptr::{self, NonNull};
use std::sync::Arc;

use crate::arrow::{ArrowArray, ArrowArrayStream, ArrowSchema, OwnedArray};
use crate::error::{c_text, check};
use crate::options::c_path;
use crate::{ffi, CheckResult, Column, Error, Finding, Options, Outputs, Record};

/// Compiled rules. A clone is another reference to the same rules.
pub struct Rules {
    rules: NonNull<ffi::assay_rules>,
    fields: Arc<[String]>,
}

// SAFETY: rules are immutable; any number of threads may use them at once and free their own reference (assay.h,
// "Threads").
unsafe impl Send for Rules {}
unsafe impl Sync for Rules {}

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
        let rules = NonNull::new(rules).expect("a call without a fault has rules");
        // SAFETY: the rules are valid, and so are the texts of their fields.
        let fields = unsafe {
            let count = ffi::assay_rules_field_count(rules.as_ptr());
            (0..count)
                .map(|field| crate::error::text(ffi::assay_rules_field_name(rules.as_ptr(), field)).unwrap_or_default())
                .collect()
        };
        Ok(Rules { rules, fields })
    }

    pub(crate) fn as_ptr(&self) -> *mut ffi::assay_rules {
        self.rules.as_ptr()
    }

    /// Returns the names of the fields, in the order of the rule file.
    pub fn fields(&self) -> impl ExactSizeIterator<Item = &str> {
        self.fields.iter().map(String::as_str)
    }

    /// Returns the rules as JSON, which [`Rules::parse`] reads.
    pub fn json(&self) -> &str {
        // SAFETY: not null, and valid as long as the rules.
        let text = unsafe { CStr::from_ptr(ffi::assay_rules_json(self.as_ptr())) };
        text.to_str().expect("texts of libassay are UTF-8")
    }

    /// Returns whether a record is clean, for checking records one by one. Returns `false` for a record with findings,
    /// and if it cannot decide, because the rules have keys or repairs for example. [`Rules::check_record`] then
    /// returns the findings.
    pub fn accepts<R: Record + ?Sized>(&self, record: &R) -> bool {
        self.accepts_each(|field| record.value(&self.fields[field]))
    }

    /// Returns whether a record is clean, as [`Rules::accepts`] does, from its values in the order of
    /// [`Rules::fields`]. `None` is a missing value.
    ///
    /// # Panics
    ///
    /// If there is not one value for each field.
    pub fn accepts_values<V: AsRef<[u8]>>(&self, values: &[Option<V>]) -> bool {
        assert_eq!(values.len(), self.fields.len(), "a record has one value for each field");
        self.accepts_each(|field| values[field].as_ref().map(V::as_ref))
    }

    fn accepts_each<'a>(&self, value: impl Fn(usize) -> Option<&'a [u8]>) -> bool {
        const FEW: usize = 16;
        let count = self.fields.len();
        let (mut few_pointers, mut few_lengths) = ([ptr::null(); FEW], [0; FEW]);
        let (mut many_pointers, mut many_lengths) = (Vec::new(), Vec::new());
        let (pointers, lengths) = if count <= FEW {
            (&mut few_pointers[..count], &mut few_lengths[..count])
        } else {
            many_pointers.resize(count, ptr::null());
            many_lengths.resize(count, 0);
            (&mut many_pointers[..], &mut many_lengths[..])
        };
        for field in 0..count {
            if let Some(value) = value(field) {
                (pointers[field], lengths[field]) = (value.as_ptr(), value.len());
            }
        }
        // SAFETY: the values are borrowed from the record.
        unsafe { ffi::assay_rules_accepts(self.as_ptr(), pointers.as_ptr(), lengths.as_ptr()) }
    }

    /// Returns the findings of one record, which is clean if the list is empty. Each record is a separate table.
    pub fn check_record<R: Record + ?Sized>(&self, record: &R) -> Result<Vec<Finding>, Error> {
        if self.accepts(record) {
            return Ok(Vec::new());
        }
        Ok(self.check_records(&[record], &Options::alone())?.findings().collect())
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
        Self::checked(options, |options, result| unsafe {
            ffi::assay_rules_check_columns(self.as_ptr(), columns.as_ptr(), columns.len(), count, options, result)
        })
    }

    /// Checks a column with the rules of the field of the same name.
    pub fn check_column(&self, column: &Column, options: &Options) -> Result<CheckResult, Error> {
        let field = self.field(&column.name)?;
        let (name, count) = (c_text(column.name.as_str(), "the name of a column")?, column.len());
        let column = column.as_c(&name);
        Self::checked(options, |options, result| unsafe {
            ffi::assay_rules_check_column(self.as_ptr(), field, &column, count, options, result)
        })
    }

    /// Checks CSV, including its header, in the dialect of the rules.
    pub fn check_csv(&self, bytes: impl AsRef<[u8]>, options: &Options) -> Result<CheckResult, Error> {
        let bytes = bytes.as_ref();
        Self::checked(options, |options, result| unsafe {
            ffi::assay_rules_check_csv(self.as_ptr(), bytes.as_ptr(), bytes.len(), options, result)
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
        Self::checked(options, |options, result| unsafe {
            ffi::assay_rules_check_arrow_table(self.as_ptr(), schema, array, options, result)
        })
    }

    /// Checks an Arrow record batch in place.
    pub fn check_owned_arrow(&self, batch: &OwnedArray, options: &Options) -> Result<CheckResult, Error> {
        // SAFETY: the structures are valid, and their owner outlives the call.
        unsafe { self.check_arrow(batch.schema(), batch.array(), options) }
    }

    /// Checks the batches of an Arrow stream one by one, and calls `each` with each result. `ControlFlow::Break` ends
    /// the check. Records are numbered through the whole stream, and keys are unique in the whole stream. The stream is
    /// released in any case.
    ///
    /// # Safety
    ///
    /// The pointer must point to a valid stream of the Arrow C Stream Interface, which has no other owner.
    pub unsafe fn check_arrow_stream(
        &self,
        source: *mut ArrowArrayStream,
        options: &Options,
        mut each: impl FnMut(CheckResult) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        struct Stream(*mut ffi::assay_stream);
        impl Drop for Stream {
            fn drop(&mut self) {
                // SAFETY: null or a stream without another owner.
                unsafe { ffi::assay_stream_free(self.0) }
            }
        }
        options.call(|options| {
            let mut stream = Stream(ptr::null_mut());
            // SAFETY: the stream is valid, and the options outlive it.
            check(unsafe { ffi::assay_stream_open(self.as_ptr(), usize::MAX, source, options, &mut stream.0) })?;
            loop {
                let mut result = ptr::null_mut();
                check(unsafe { ffi::assay_stream_next(stream.0, &mut result) })?;
                if result.is_null() || each(CheckResult::new(result)).is_break() {
                    return Ok(());
                }
            }
        })
    }

    fn checked(
        options: &Options,
        run: impl FnOnce(*const ffi::assay_options, *mut *mut ffi::assay_result) -> *mut ffi::assay_fault,
    ) -> Result<CheckResult, Error> {
        options.call(|options| {
            let mut result = ptr::null_mut();
            check(run(options, &mut result))?;
            Ok(CheckResult::new(result))
        })
    }

    /// Applies the repairs of the field with the column's name, and returns the repaired values, which checks use.
    /// Unchanged values are borrowed; `None` is a missing value.
    pub fn repair<'a>(&self, column: &Column<'a>) -> Result<Vec<Option<Cow<'a, [u8]>>>, Error> {
        let field = self.field(&column.name)?;
        let name = c_text(column.name.as_str(), "the name of a column")?;
        let (c_column, count) = (column.as_c(&name), column.len());
        let repaired = OwnedArray::made(|array, schema| {
            let (rules, changes) = (self.as_ptr(), ptr::null_mut());
            check(unsafe {
                ffi::assay_rules_repair_column(rules, field, &c_column, count, ptr::null(), array, schema, changes)
            })
        })?;
        let before = (0..count).map(|row| column.get(row));
        if repaired.is_released() {
            return Ok(before.map(|value| value.map(Cow::Borrowed)).collect());
        }
        let changed = |(row, before): (usize, Option<&'a [u8]>)| {
            // SAFETY: a large_binary array of `count` values, valid until `repaired` is dropped.
            let now = unsafe { large_binary(repaired.array(), row) }?;
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
        let input = c_path(input.as_ref())?;
        outputs.call(|outputs| {
            written(options, |options, text| unsafe {
                ffi::assay_clean_file(self.as_ptr(), input.as_ptr(), outputs, options, text)
            })
        })
    }
}

impl Clone for Rules {
    fn clone(&self) -> Rules {
        let rules = unsafe { ffi::assay_rules_retain(self.as_ptr()) };
        let rules = NonNull::new(rules).expect("rules that live can be retained");
        Rules { rules, fields: Arc::clone(&self.fields) }
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
    profile_with(path, shows_values, &Options::default())
}

/// Profiles a file, as [`profile`] does, with the threads and the progress callback of the options.
pub fn profile_with(path: impl AsRef<Path>, shows_values: bool, options: &Options) -> Result<String, Error> {
    let path = c_path(path.as_ref())?;
    let table = table(&path);
    written(options, |options, text| unsafe {
        ffi::assay_rules_profile(ptr::null(), &table, shows_values, options, text)
    })
}

/// Infers rules that fit a file, as `assay infer` does, and returns YAML with comments.
pub fn infer(path: impl AsRef<Path>) -> Result<String, Error> {
    infer_with(path, &Options::default())
}

/// Infers rules, as [`infer`] does, with the threads and the progress callback of the options.
pub fn infer_with(path: impl AsRef<Path>, options: &Options) -> Result<String, Error> {
    let path = c_path(path.as_ref())?;
    let table = table(&path);
    written(options, |options, text| unsafe { ffi::assay_rules_infer(ptr::null(), &table, options, text) })
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

fn written(
    options: &Options,
    write: impl FnOnce(*const ffi::assay_options, *mut *mut c_char) -> *mut ffi::assay_fault,
) -> Result<String, Error> {
    options.call(|options| {
        let mut text = ptr::null_mut();
        check(write(options, &mut text))?;
        // SAFETY: the text is owned until it is freed here.
        unsafe {
            let copy = crate::error::text(text).unwrap_or_default();
            ffi::assay_text_free(text);
            Ok(copy)
        }
    })
}

fn names_of(columns: &[Column]) -> Result<Vec<CString>, Error> {
    columns.iter().map(|column| c_text(column.name.as_str(), "the name of a column")).collect()
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
