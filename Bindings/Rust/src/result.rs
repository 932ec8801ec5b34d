use std::ptr::NonNull;

use crate::arrow::{ArrowArray, ArrowSchema, OwnedArray};
use crate::error::{c_text, check, text};
use crate::{ffi, Error};

/// The result of a check. It is immutable and does not refer to the data.
pub struct CheckResult {
    result: NonNull<ffi::assay_result>,
    totals: Totals,
}

// SAFETY: many threads may read a result at once, and any may free it (assay.h, "Threads"). All methods only read.
unsafe impl Send for CheckResult {}
unsafe impl Sync for CheckResult {}

/// Counts of records; `clean + rejected = records`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// All records.
    pub records: u64,
    /// Records that no rule rejects.
    pub clean: u64,
    /// Rejected records.
    pub rejected: u64,
    /// Records with a finding that a limit left undecided.
    pub undecided: u64,
    /// All findings, including warnings.
    pub findings: u64,
}

/// The effect of a finding on its record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Severity {
    /// The record is rejected.
    Reject,
    /// The record stays clean.
    Warn,
}

/// One failed or undecided rule of one record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The number of the record, from 1.
    pub record: u64,
    /// In CSV the physical line, from 1; otherwise 0.
    pub line: u64,
    /// In CSV the byte at which the cell starts; otherwise 0.
    pub offset: u64,
    /// The field, or `None` for a finding about the whole record.
    pub column: Option<String>,
    /// The rule, such as `email.pattern`.
    pub rule: String,
    /// The code, such as `pattern`, `required`, `encoding` or `undecided`.
    pub code: String,
    /// The description of the problem.
    pub message: String,
    /// Whether the record is rejected.
    pub severity: Severity,
}

/// The number of findings of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleCount {
    /// The field; `None` for rules of whole records.
    pub column: Option<String>,
    /// The name of the rule.
    pub rule: String,
    /// Whether it rejects.
    pub severity: Severity,
    /// The number of records that failed.
    pub failed: u64,
    /// The number of undecided records.
    pub undecided: u64,
}

impl CheckResult {
    /// Takes ownership of a result of libassay.
    pub(crate) fn new(result: *mut ffi::assay_result) -> CheckResult {
        let result = NonNull::new(result).expect("a call without a fault has a result");
        let mut totals = Totals::default();
        // SAFETY: both pointers are valid.
        unsafe { ffi::assay_result_totals(result.as_ptr(), &mut totals, size_of::<Totals>()) };
        CheckResult { result, totals }
    }

    /// The counts.
    pub fn totals(&self) -> Totals {
        self.totals
    }

    /// Returns whether all records are clean.
    pub fn is_clean(&self) -> bool {
        self.totals.rejected == 0
    }

    /// Returns a verdict for each row, `true` for clean rows. `None` for CSV, because its findings have record numbers.
    pub fn verdicts(&self) -> Option<Vec<bool>> {
        self.rows(ffi::ASSAY_ROWS_REJECTED)
            .map(|words| (0..self.totals.records as usize).map(|row| !is_set(words, row)).collect())
    }

    /// Returns whether a limit left the verdict of a row, from 0, undecided. Such a row is also rejected.
    pub fn is_undecided(&self, row: usize) -> bool {
        self.rows(ffi::ASSAY_ROWS_UNDECIDED).is_some_and(|words| is_set(words, row))
    }

    /// Returns whether the value of a row, from 0, is missing. Only known for a check of one column.
    pub fn is_missing(&self, row: usize) -> bool {
        self.rows(ffi::ASSAY_ROWS_MISSING).is_some_and(|words| is_set(words, row))
    }

    fn rows(&self, kind: u32) -> Option<&[u64]> {
        // SAFETY: the words live as long as the result, and their number is as documented in the header.
        unsafe {
            let words = ffi::assay_result_rows(self.result.as_ptr(), kind);
            let count = self.totals.records.div_ceil(64) as usize;
            (!words.is_null()).then(|| std::slice::from_raw_parts(words, count))
        }
    }

    /// Returns the findings, in the order of the records.
    pub fn findings(&self) -> Findings<'_> {
        let cursor = ffi::assay_cursor { row: 0, place: 0, reserved: [0; 2] };
        Findings { result: self, cursor, batch: Vec::new().into_iter() }
    }

    /// Returns the number of findings of each rule, including rules without findings.
    pub fn counts(&self) -> Vec<RuleCount> {
        let mut counts = Vec::new();
        // SAFETY: the tally is created and freed here; its texts are copied before it is freed.
        unsafe {
            let tally = ffi::assay_tally_create();
            ffi::assay_tally_add(tally, self.result.as_ptr());
            let mut count = std::mem::zeroed();
            while ffi::assay_tally_get(tally, counts.len(), &mut count, size_of::<ffi::assay_rule_count>()) {
                counts.push(RuleCount {
                    column: text(count.column),
                    rule: text(count.rule).unwrap_or_default(),
                    severity: severity(count.severity),
                    failed: count.failed,
                    undecided: count.undecided,
                });
            }
            ffi::assay_tally_free(tally);
        }
        counts
    }

    /// Returns the number of records that the rules of a column reject, each counted once.
    pub fn rejected_by(&self, column: &str) -> Result<u64, Error> {
        let column = c_text(column, "the name of a column")?;
        // SAFETY: both pointers are valid.
        Ok(unsafe { ffi::assay_result_rejected_by(self.result.as_ptr(), column.as_ptr()) })
    }

    /// Returns the verdicts as an Arrow array of booleans, true for clean rows. Like the other functions for Arrow, not
    /// for CSV.
    pub fn arrow_verdicts(&self) -> Result<OwnedArray, Error> {
        // SAFETY: both structures are memory for the output; the same below.
        OwnedArray::made(|array, schema| unsafe { self.export_verdicts(array, schema) })
    }

    /// Returns the names of the rules with findings for each row: `list<dictionary<int32, utf8>>`.
    pub fn arrow_reasons(&self) -> Result<OwnedArray, Error> {
        OwnedArray::made(|array, schema| unsafe { self.export_reasons(array, schema) })
    }

    /// Returns at most `limit` findings as a record batch.
    pub fn arrow_findings(&self, limit: u64) -> Result<OwnedArray, Error> {
        OwnedArray::made(|array, schema| unsafe { self.export_findings(limit, array, schema) })
    }

    /// Returns the keys of a check with [`Options::key_secret`](crate::Options::key_secret) as a record batch: for each
    /// key of the rules a hash of 16 bytes per row, null for rows that are not clean.
    pub fn arrow_keys(&self) -> Result<OwnedArray, Error> {
        OwnedArray::made(|array, schema| unsafe { self.export_keys(array, schema) })
    }

    /// Exports the verdicts to structures of the caller, as [`CheckResult::arrow_verdicts`] returns them.
    ///
    /// # Safety
    ///
    /// Both pointers must point to memory for their structures. The function overwrites them, and the caller releases
    /// them.
    pub unsafe fn export_verdicts(&self, array: *mut ArrowArray, schema: *mut ArrowSchema) -> Result<(), Error> {
        // SAFETY: guaranteed by the caller; the same below.
        check(unsafe { ffi::assay_result_export_verdicts(self.result.as_ptr(), 0, array, schema) })
    }

    /// Exports the names of the rules with findings for each row, as [`CheckResult::arrow_reasons`] returns them.
    ///
    /// # Safety
    ///
    /// As for [`CheckResult::export_verdicts`].
    pub unsafe fn export_reasons(&self, array: *mut ArrowArray, schema: *mut ArrowSchema) -> Result<(), Error> {
        check(unsafe { ffi::assay_result_export_reasons(self.result.as_ptr(), array, schema) })
    }

    /// Exports at most `limit` findings, as [`CheckResult::arrow_findings`] returns them.
    ///
    /// # Safety
    ///
    /// As for [`CheckResult::export_verdicts`].
    pub unsafe fn export_findings(
        &self,
        limit: u64,
        array: *mut ArrowArray,
        schema: *mut ArrowSchema,
    ) -> Result<(), Error> {
        check(unsafe { ffi::assay_result_export_findings(self.result.as_ptr(), limit, array, schema) })
    }

    /// Exports the hashes of keys, as [`CheckResult::arrow_keys`] returns them.
    ///
    /// # Safety
    ///
    /// As for [`CheckResult::export_verdicts`].
    pub unsafe fn export_keys(&self, array: *mut ArrowArray, schema: *mut ArrowSchema) -> Result<(), Error> {
        check(unsafe { ffi::assay_result_export_keys(self.result.as_ptr(), array, schema) })
    }
}

impl Drop for CheckResult {
    fn drop(&mut self) {
        // SAFETY: this object owns the result, and there are no borrows.
        unsafe { ffi::assay_result_free(self.result.as_ptr()) };
    }
}

impl std::fmt::Debug for CheckResult {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("CheckResult").field("totals", &self.totals).finish_non_exhaustive()
    }
}

fn is_set(words: &[u64], row: usize) -> bool {
    words.get(row / 64).is_some_and(|word| word >> (row % 64) & 1 == 1)
}

fn severity(number: u32) -> Severity {
    if number == ffi::ASSAY_SEVERITY_REJECT {
        Severity::Reject
    } else {
        Severity::Warn
    }
}

/// Iterates over the findings of a [`CheckResult`], reading them in batches.
pub struct Findings<'a> {
    result: &'a CheckResult,
    cursor: ffi::assay_cursor,
    batch: std::vec::IntoIter<Finding>,
}

impl Iterator for Findings<'_> {
    type Item = Finding;

    fn next(&mut self) -> Option<Finding> {
        const BATCH: usize = 64;
        if self.batch.len() == 0 {
            // SAFETY: the array has room for the requested number, an all-zero finding has null texts, and the texts of
            // written findings live as long as the result.
            unsafe {
                let mut found: [ffi::assay_finding; BATCH] = std::mem::zeroed();
                let result = self.result.result.as_ptr();
                let size = size_of::<ffi::assay_finding>();
                let count = ffi::assay_result_findings(result, &mut self.cursor, found.as_mut_ptr(), size, BATCH);
                let batch: Vec<Finding> = found[..count].iter().map(|one| finding(one)).collect();
                self.batch = batch.into_iter();
            }
        }
        self.batch.next()
    }
}

/// # Safety
///
/// The texts must be valid.
unsafe fn finding(one: &ffi::assay_finding) -> Finding {
    // SAFETY: guaranteed by the caller.
    unsafe {
        Finding {
            record: one.record,
            line: one.line,
            offset: one.offset,
            column: text(one.column),
            rule: text(one.rule).unwrap_or_default(),
            code: text(one.code).unwrap_or_default(),
            message: text(one.message).unwrap_or_default(),
            severity: severity(one.severity),
        }
    }
}
