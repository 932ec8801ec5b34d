use std::ffi::{c_char, CStr, CString};
use std::fmt;

use crate::ffi;

/// An error in a call, in rules or in the layout of a table. Bad data is never an error: it is a [`crate::Finding`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    mistakes: Vec<Mistake>,
}

/// One mistake; a rule file may have several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// The kind of the mistake.
    pub kind: ErrorKind,
    /// The line in the rule file, from 1.
    pub line: Option<u32>,
    /// The column in that line, in characters, from 1. In a pattern, the byte, from 1.
    pub column: Option<u32>,
    /// The description, a sentence without a full stop.
    pub message: String,
    /// A suggestion.
    pub hint: Option<String>,
    /// The whole text for people, possibly several lines.
    pub text: String,
}

/// The kinds of mistakes, with the numbers of the header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The call.
    Argument = 1,
    /// Memory ran out.
    Memory = 2,
    /// A rule file or a pattern.
    Rules = 3,
    /// The columns of the table do not match those of the rules.
    Columns = 4,
    /// An Arrow structure.
    Arrow = 5,
    /// An Arrow stream.
    Stream = 6,
    /// CSV that is not such a table, or invalid outputs.
    Input = 7,
    /// The system refused an operation on a file.
    File = 8,
    /// The call was cancelled.
    Cancelled = 9,
    /// A bug in libassay: please report it.
    Internal = 10,
}

impl Error {
    /// All mistakes, at least one.
    pub fn mistakes(&self) -> &[Mistake] {
        &self.mistakes
    }

    /// The kind of the first mistake.
    pub fn kind(&self) -> ErrorKind {
        self.mistakes[0].kind
    }

    pub(crate) fn argument(message: String) -> Error {
        let text = message.clone();
        let mistake = Mistake { kind: ErrorKind::Argument, line: None, column: None, message, hint: None, text };
        Error { mistakes: vec![mistake] }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, mistake) in self.mistakes.iter().enumerate() {
            let end = if number == 0 { "" } else { "\n" };
            write!(formatter, "{end}{}", mistake.text)?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}

/// Converts a fault that a function of libassay returned to a [`Result`], and frees it.
pub(crate) fn check(fault: *mut ffi::assay_fault) -> Result<(), Error> {
    if fault.is_null() {
        return Ok(());
    }
    let mut mistakes = Vec::new();
    let mut next: *const ffi::assay_fault = fault;
    // SAFETY: a null-terminated list, which is owned until it is freed below.
    while let Some(one) = unsafe { next.as_ref() } {
        mistakes.push(Mistake {
            kind: kind(one.code),
            line: Some(one.line).filter(|&line| line > 0),
            column: Some(one.column).filter(|&column| column > 0),
            message: unsafe { text(one.message) }.unwrap_or_default(),
            hint: unsafe { text(one.hint) },
            text: unsafe { text(one.text) }.unwrap_or_default(),
        });
        next = one.next;
    }
    unsafe { ffi::assay_fault_free(fault) };
    Err(Error { mistakes })
}

fn kind(code: u32) -> ErrorKind {
    use ErrorKind::*;
    let kinds = [Argument, Memory, Rules, Columns, Arrow, Stream, Input, File, Cancelled];
    kinds.into_iter().find(|&kind| kind as u32 == code).unwrap_or(Internal)
}

/// Copies a text of libassay, which is UTF-8. Returns `None` for null.
///
/// # Safety
///
/// The pointer must be null or point to a text that ends with NUL.
pub(crate) unsafe fn text(pointer: *const c_char) -> Option<String> {
    // SAFETY: guaranteed by the caller.
    (!pointer.is_null()).then(|| unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned())
}

/// Returns a text with a NUL at its end for C. The text must not contain another NUL.
pub(crate) fn c_text(bytes: impl Into<Vec<u8>>, what: &str) -> Result<CString, Error> {
    CString::new(bytes).map_err(|_| Error::argument(format!("{what} has a NUL in it")))
}
