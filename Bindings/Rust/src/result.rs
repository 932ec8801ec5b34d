use std::ptr::NonNull;

use crate::arrow::{ArrowArray, ArrowSchema};
use crate::error::{c_text, check, text};
use crate::{ffi, Error};

/// What came of a check. It never changes and keeps nothing of the data.
pub struct CheckResult {
    result: NonNull<ffi::assay_result>,
    totals: Totals,
}

// SAFETY: a result may be read by many threads at once, and freed by any (assay.h, "Threads"); all of its methods only read.
unsafe impl Send for CheckResult {}
unsafe impl Sync for CheckResult {}

/// Counts of records; `clean + rejected = records`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// All of them.
    pub records: u64,
    /// Those that no rule rejects.
    pub clean: u64,
    /// The others.
    pub rejected: u64,
    /// Those with a finding that a limit left undecided.
    pub undecided: u64,
    /// What was found, also what only warns.
    pub findings: u64,
}

/// What becomes of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Severity {
    /// The record is rejected.
    Reject,
    /// The record stays.
    Warn,
}

/// One thing that is wrong with one record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The record, from 1.
    pub record: u64,
    /// Of CSV the physical line, from 1; else 0.
    pub line: u64,
    /// Of CSV the byte at which the cell starts; else 0.
    pub offset: u64,
    /// The field; `None` for what is the record's.
    pub column: Option<String>,
    /// Such as `email.pattern`.
    pub rule: String,
    /// Such as `pattern`, `required`, `encoding` or `undecided`.
    pub code: String,
    /// What is wrong.
    pub message: String,
    /// Whether the record is rejected.
    pub severity: Severity,
}

/// How often a rule had a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleCount {
    /// The field; `None` for rules of whole records.
    pub column: Option<String>,
    /// The name of the rule.
    pub rule: String,
    /// Whether it rejects.
    pub severity: Severity,
    /// How many records failed.
    pub failed: u64,
    /// How many were left undecided.
    pub undecided: u64,
}

impl CheckResult {
    /// Takes over what a function of libassay wrote.
    pub(crate) fn new(result: *mut ffi::assay_result) -> CheckResult {
        let result = NonNull::new(result).expect("a call without a fault has a result");
        let mut totals = Totals::default();
        // SAFETY: both live.
        unsafe { ffi::assay_result_totals(result.as_ptr(), &mut totals) };
        CheckResult { result, totals }
    }

    /// The counts.
    pub fn totals(&self) -> Totals {
        self.totals
    }

    /// Whether no record is rejected.
    pub fn is_clean(&self) -> bool {
        self.totals.rejected == 0
    }

    /// A verdict for each row, `true` is clean. `None` for CSV, whose rows the findings name.
    pub fn verdicts(&self) -> Option<Vec<bool>> {
        self.rows(ffi::ASSAY_ROWS_REJECTED)
            .map(|words| (0..self.totals.records as usize).map(|row| !is_set(words, row)).collect())
    }

    /// Whether a limit left the verdict of a row, from 0, undecided. Such a row is rejected, too.
    pub fn is_undecided(&self, row: usize) -> bool {
        self.rows(ffi::ASSAY_ROWS_UNDECIDED).is_some_and(|words| is_set(words, row))
    }

    /// Whether a row, from 0, has no value. Known for a check of one column only.
    pub fn is_missing(&self, row: usize) -> bool {
        self.rows(ffi::ASSAY_ROWS_MISSING).is_some_and(|words| is_set(words, row))
    }

    fn rows(&self, kind: u32) -> Option<&[u64]> {
        // SAFETY: the words live as long as the result, and there are as many as the header says.
        unsafe {
            let words = ffi::assay_result_rows(self.result.as_ptr(), kind);
            let count = self.totals.records.div_ceil(64) as usize;
            (!words.is_null()).then(|| std::slice::from_raw_parts(words, count))
        }
    }

    /// The findings, in the order of the records.
    pub fn findings(&self) -> Findings<'_> {
        Findings { result: self, cursor: ffi::assay_cursor { row: 0, place: 0 }, batch: Vec::new().into_iter() }
    }

    /// How often each rule had a finding; those that found nothing are among them.
    pub fn counts(&self) -> Vec<RuleCount> {
        let mut counts = Vec::new();
        // SAFETY: the tally is made and freed here; its texts are copied in between.
        unsafe {
            let tally = ffi::assay_tally_create();
            ffi::assay_tally_add(tally, self.result.as_ptr());
            let mut count = std::mem::zeroed();
            while ffi::assay_tally_get(tally, counts.len(), &mut count) {
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

    /// How many records the rules of a column reject, each counted once.
    pub fn rejected_by(&self, column: &str) -> Result<u64, Error> {
        let column = c_text(column, "the name of a column")?;
        // SAFETY: both live.
        Ok(unsafe { ffi::assay_result_rejected_by(self.result.as_ptr(), column.as_ptr()) })
    }

    /// The verdicts as an Arrow array of booleans: true is clean. Not for CSV, like the next two.
    ///
    /// # Safety
    ///
    /// Both pointers are to memory for their structures, which are overwritten, and yours to release.
    pub unsafe fn export_verdicts(&self, array: *mut ArrowArray, schema: *mut ArrowSchema) -> Result<(), Error> {
        // SAFETY: as demanded above; the same below.
        check(unsafe { ffi::assay_result_export_verdicts(self.result.as_ptr(), 0, array, schema) })
    }

    /// The names of the failed rules of each row: `list<dictionary<int32, utf8>>`.
    ///
    /// # Safety
    ///
    /// As for [`CheckResult::export_verdicts`].
    pub unsafe fn export_reasons(&self, array: *mut ArrowArray, schema: *mut ArrowSchema) -> Result<(), Error> {
        check(unsafe { ffi::assay_result_export_reasons(self.result.as_ptr(), array, schema) })
    }

    /// At most `limit` findings as a record batch.
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
}

impl Drop for CheckResult {
    fn drop(&mut self) {
        // SAFETY: it is ours, and nobody has it any more.
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

/// The findings of a [`CheckResult`], read some at a time.
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
            // SAFETY: the array has room for as many as are asked for, all zero is a finding of null texts, and the texts of
            // those that were written live as long as the result.
            unsafe {
                let mut found: [ffi::assay_finding; BATCH] = std::mem::zeroed();
                let result = self.result.result.as_ptr();
                let count = ffi::assay_result_findings(result, &mut self.cursor, found.as_mut_ptr(), BATCH);
                let batch: Vec<Finding> = found[..count].iter().map(|one| finding(one)).collect();
                self.batch = batch.into_iter();
            }
        }
        self.batch.next()
    }
}

/// # Safety
///
/// The texts live.
unsafe fn finding(one: &ffi::assay_finding) -> Finding {
    // SAFETY: as this function demands.
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
