use std::any::Any;
use std::ffi::{c_char, c_void, CString};
use std::ops::ControlFlow;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::{Arc, Mutex, TryLockError};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::error::c_text;
use crate::{ffi, Error, SeenKeys};

type Callback<'a> = dyn FnMut(u64, u64) -> ControlFlow<()> + Send + 'a;

/// The options of a check or of a run over a file. A clone shares the progress callback and the seen keys.
///
/// ```
/// use assay::{Options, Rules};
/// use std::ops::ControlFlow;
///
/// let rules = Rules::parse("fields: [{name: id, type: integer}]")?;
/// let options = Options::new().threads(2).progress(|_done, _total| ControlFlow::Break(()));
/// let error = rules.check_csv("id\n1\n", &options).unwrap_err();
/// assert_eq!(error.kind(), assay::ErrorKind::Cancelled);
/// # Ok::<(), assay::Error>(())
/// ```
#[derive(Clone, Default)]
#[non_exhaustive]
pub struct Options<'a> {
    /// The number of threads, including the caller's; 0: one per processor.
    pub threads: u32,
    /// Findings number the first row `first_record + 1`.
    pub first_record: u64,
    /// The memory limit for the keys of the rules, in bytes; 0: a quarter of the memory.
    pub key_memory: u64,
    /// For a table whose parts are on several machines: keys are not compared, and
    /// [`CheckResult::arrow_keys`](crate::CheckResult::arrow_keys) returns their hashes.
    pub key_secret: Option<[u8; 16]>,
    /// The maximum work of the call, in ticks, which are nominally nanoseconds of one processor; 0: no limit. Values
    /// beyond it are undecided, with a finding of the rule `budget`.
    pub budget_ticks: u64,
    /// The maximum size of the values that row rules need at the same time, and of repaired columns, in bytes; 0: no
    /// limit.
    pub budget_bytes: u64,
    /// The maximum wall-clock time, as a last resort; 0: no limit.
    pub budget_nanoseconds: u64,
    /// The value of `now()` in row rules; `None`: the time of the call.
    pub now: Option<SystemTime>,
    seen: Option<&'a SeenKeys>,
    progress: Option<Arc<Mutex<Callback<'a>>>>,
}

impl<'a> Options<'a> {
    /// Returns the defaults.
    pub fn new() -> Options<'a> {
        Options::default()
    }

    /// Returns the options for one record: the check does not start threads.
    pub(crate) fn alone() -> Options<'a> {
        Options::new().threads(1)
    }

    /// Sets the number of threads.
    pub fn threads(mut self, threads: u32) -> Self {
        self.threads = threads;
        self
    }

    /// Sets the number of records before the first row.
    pub fn first_record(mut self, first_record: u64) -> Self {
        self.first_record = first_record;
        self
    }

    /// Sets the memory limit for keys.
    pub fn key_memory(mut self, bytes: u64) -> Self {
        self.key_memory = bytes;
        self
    }

    /// Sets the secret for hashes of keys, the same for all parts of a table.
    pub fn key_secret(mut self, secret: [u8; 16]) -> Self {
        self.key_secret = Some(secret);
        self
    }

    /// Sets the maximum work, in ticks.
    pub fn budget_ticks(mut self, ticks: u64) -> Self {
        self.budget_ticks = ticks;
        self
    }

    /// Sets the maximum size of values and repaired columns.
    pub fn budget_bytes(mut self, bytes: u64) -> Self {
        self.budget_bytes = bytes;
        self
    }

    /// Sets the maximum wall-clock time.
    pub fn budget_nanoseconds(mut self, nanoseconds: u64) -> Self {
        self.budget_nanoseconds = nanoseconds;
        self
    }

    /// Sets the value of `now()` in row rules.
    pub fn now(mut self, now: SystemTime) -> Self {
        self.now = Some(now);
        self
    }

    /// Sets the keys of the earlier parts of the table, to which the check adds its own.
    pub fn seen(mut self, keys: &'a SeenKeys) -> Self {
        self.seen = Some(keys);
        self
    }

    /// Sets a function that receives the progress: rows or bytes, and their total or 0. It is called regularly, by one
    /// thread at a time. `ControlFlow::Break` ends the call with
    /// [`ErrorKind::Cancelled`](crate::ErrorKind::Cancelled). A panic ends the call and continues in the caller.
    pub fn progress(mut self, callback: impl FnMut(u64, u64) -> ControlFlow<()> + Send + 'a) -> Self {
        self.progress = Some(Arc::new(Mutex::new(callback)));
        self
    }

    /// Passes the options to `run`, which calls libassay. Panics with the panic of the progress callback.
    pub(crate) fn call<T>(&self, run: impl FnOnce(*const ffi::assay_options) -> Result<T, Error>) -> Result<T, Error> {
        let in_use = || Error::argument("another check uses the seen keys".to_owned());
        let seen = self.seen.map(|keys| keys.lock().ok_or_else(in_use)).transpose()?;
        let mut watch = Watch { callback: self.progress.as_deref(), panic: None };
        let watch: *mut Watch = &mut watch;
        let (now_seconds, now_nanoseconds) = self.now.map_or((0, 0), since_epoch);
        let options = ffi::assay_options {
            size: size_of::<ffi::assay_options>(),
            threads: self.threads,
            reserved: 0,
            first_record: self.first_record,
            allocator: ptr::null(),
            progress: self.progress.as_ref().map(|_| report as _),
            progress_context: watch.cast(),
            key_memory: self.key_memory,
            seen: seen.as_ref().map_or(ptr::null_mut(), |keys| keys.as_ptr().cast()),
            key_secret: self.key_secret.as_ref().map_or(ptr::null(), |secret| secret.as_ptr()),
            references: ptr::null(),
            budget_ticks: self.budget_ticks,
            budget_bytes: self.budget_bytes,
            budget_nanoseconds: self.budget_nanoseconds,
            now_seconds,
            now_nanoseconds,
            has_now: self.now.is_some().into(),
        };
        let outcome = run(&options);
        drop(seen);
        // SAFETY: libassay does not call back after it has returned.
        if let Some(panic) = unsafe { (*watch).panic.take() } {
            drop(outcome);
            resume_unwind(panic);
        }
        outcome
    }
}

impl std::fmt::Debug for Options<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Options")
            .field("threads", &self.threads)
            .field("first_record", &self.first_record)
            .field("key_memory", &self.key_memory)
            .field("budget_ticks", &self.budget_ticks)
            .field("budget_bytes", &self.budget_bytes)
            .field("budget_nanoseconds", &self.budget_nanoseconds)
            .field("now", &self.now)
            .finish_non_exhaustive()
    }
}

/// The seconds since 1970, rounded down, and the nanoseconds after them.
fn since_epoch(time: SystemTime) -> (i64, u32) {
    match time.duration_since(UNIX_EPOCH) {
        Ok(after) => (i64::try_from(after.as_secs()).unwrap_or(i64::MAX), after.subsec_nanos()),
        Err(error) => {
            let before = error.duration();
            let seconds = i64::try_from(before.as_secs()).map_or(i64::MIN + 1, |seconds| -seconds);
            match before.subsec_nanos() {
                0 => (seconds, 0),
                nanoseconds => (seconds - 1, 1_000_000_000 - nanoseconds),
            }
        }
    }
}

/// The callback of one call, and its panic, which must not unwind through C.
struct Watch<'b, 'a> {
    callback: Option<&'b Mutex<Callback<'a>>>,
    panic: Option<Box<dyn Any + Send>>,
}

unsafe extern "C" fn report(context: *mut c_void, done: u64, total: u64) -> bool {
    // SAFETY: the context is a `Watch`, and libassay calls back from one thread at a time.
    let watch = unsafe { &mut *context.cast::<Watch>() };
    if watch.panic.is_some() {
        return false;
    }
    let mut callback = match watch.callback.map(Mutex::try_lock) {
        Some(Ok(callback)) => callback,
        Some(Err(TryLockError::Poisoned(poisoned))) => poisoned.into_inner(),
        // The callback runs for another call with the same options.
        Some(Err(TryLockError::WouldBlock)) | None => return true,
    };
    match catch_unwind(AssertUnwindSafe(|| callback(done, total))) {
        Ok(flow) => flow.is_continue(),
        Err(panic) => {
            watch.panic = Some(panic);
            false
        }
    }
}

/// The outputs of [`Rules::clean_file`](crate::Rules::clean_file) and their options. `None` disables an output.
///
/// ```
/// # use assay::Outputs;
/// let outputs = Outputs::new().clean("clean.csv").rejects("rejects.csv").encoding("windows-1252");
/// # assert_eq!(outputs.encoding.as_deref(), Some("windows-1252"));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
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
    /// The maximum number of findings written; the rest is counted. 0: a million; `u64::MAX`: no limit.
    pub max_findings: u64,
    /// The maximum number of records read; 0: all.
    pub head: u64,
    /// The expected compression of `clean` and `rejects`: `none`, `gzip` or `zstd`. Their names determine it: `.gz`,
    /// `.zst`, and none. A call with other names fails. `None`: any.
    pub compression: Option<String>,
    /// The encoding of the input, such as `windows-1252`, or `auto`. `None`: from the rules.
    pub encoding: Option<String>,
    /// The delimiter of the input: one or two ASCII characters, `tab` or `space`. `None`: from the rules.
    pub delimiter: Option<String>,
    /// Whether findings and changes include values of the data.
    pub show_values: bool,
    /// Whether cells that a spreadsheet would evaluate get an apostrophe in front.
    pub guard_formulas: bool,
}

impl Outputs {
    /// Returns no outputs.
    pub fn new() -> Outputs {
        Outputs::default()
    }

    /// Sets the path of the clean records.
    pub fn clean(mut self, path: impl Into<PathBuf>) -> Self {
        self.clean = Some(path.into());
        self
    }

    /// Sets the path of the rejected records.
    pub fn rejects(mut self, path: impl Into<PathBuf>) -> Self {
        self.rejects = Some(path.into());
        self
    }

    /// Sets the path of the findings.
    pub fn findings(mut self, path: impl Into<PathBuf>) -> Self {
        self.findings = Some(path.into());
        self
    }

    /// Sets the path of the changed cells.
    pub fn changes(mut self, path: impl Into<PathBuf>) -> Self {
        self.changes = Some(path.into());
        self
    }

    /// Sets the path of the counts.
    pub fn report(mut self, path: impl Into<PathBuf>) -> Self {
        self.report = Some(path.into());
        self
    }

    /// Sets whether to replace existing outputs.
    pub fn replace(mut self, replace: bool) -> Self {
        self.replace = replace;
        self
    }

    /// Sets whether to add columns to the rejects.
    pub fn annotate(mut self, annotate: bool) -> Self {
        self.annotate = annotate;
        self
    }

    /// Sets the maximum number of findings written.
    pub fn max_findings(mut self, count: u64) -> Self {
        self.max_findings = count;
        self
    }

    /// Sets the maximum number of records read.
    pub fn head(mut self, records: u64) -> Self {
        self.head = records;
        self
    }

    /// Sets the expected compression of `clean` and `rejects`.
    pub fn compression(mut self, name: impl Into<String>) -> Self {
        self.compression = Some(name.into());
        self
    }

    /// Sets the encoding of the input.
    pub fn encoding(mut self, name: impl Into<String>) -> Self {
        self.encoding = Some(name.into());
        self
    }

    /// Sets the delimiter of the input.
    pub fn delimiter(mut self, delimiter: impl Into<String>) -> Self {
        self.delimiter = Some(delimiter.into());
        self
    }

    /// Sets whether to include values of the data.
    pub fn show_values(mut self, show: bool) -> Self {
        self.show_values = show;
        self
    }

    /// Sets whether to guard against formulas.
    pub fn guard_formulas(mut self, guard: bool) -> Self {
        self.guard_formulas = guard;
        self
    }

    /// Passes the outputs to `run`, which calls libassay.
    pub(crate) fn call<T>(&self, run: impl FnOnce(*const ffi::assay_outputs) -> Result<T, Error>) -> Result<T, Error> {
        let path = |path: &Option<PathBuf>| path.as_deref().map(c_path).transpose();
        let text = |text: &Option<String>, what| text.as_deref().map(|text| c_text(text, what)).transpose();
        let (clean, rejects, findings) = (path(&self.clean)?, path(&self.rejects)?, path(&self.findings)?);
        let (changes, report) = (path(&self.changes)?, path(&self.report)?);
        let compression = text(&self.compression, "the compression")?;
        let encoding = text(&self.encoding, "the encoding")?;
        let delimiter = text(&self.delimiter, "the delimiter")?;
        run(&ffi::assay_outputs {
            size: size_of::<ffi::assay_outputs>(),
            clean: or_null(&clean),
            rejects: or_null(&rejects),
            findings: or_null(&findings),
            report: or_null(&report),
            replace: self.replace,
            annotate: self.annotate,
            changes: or_null(&changes),
            max_findings: self.max_findings,
            head: self.head,
            compression: or_null(&compression),
            encoding: or_null(&encoding),
            delimiter: or_null(&delimiter),
            show_values: self.show_values,
            guard_formulas: self.guard_formulas,
            reserved: [0; 6],
        })
    }
}

pub(crate) fn c_path(path: &Path) -> Result<CString, Error> {
    c_text(path.as_os_str().as_encoded_bytes(), "the path")
}

fn or_null(text: &Option<CString>) -> *const c_char {
    text.as_ref().map_or(ptr::null(), |text| text.as_ptr())
}
