//! Checks tables and records against rule files, over
//! [libassay](https://github.com/OWNER/assay/blob/main/Docs/bindings.md).
//!
//! ```
//! use assay::{Column, Options, Rules};
//!
//! let rules = Rules::parse("fields: [{name: id, type: integer}, {name: email, format: email}]")?;
//! let table = [
//!     Column::new("id", ["1", "x"].map(Some)),
//!     Column::new("email", [Some("anna@example.org"), None]),
//! ];
//! let result = rules.check(&table, &Options::default())?;
//! assert_eq!(result.verdicts(), Some(vec![true, false]));
//! for finding in result.findings() {
//!     println!("{}: {}", finding.rule, finding.message); // id.type: is not an integer
//! }
//! # Ok::<(), assay::Error>(())
//! ```
//!
//! Any number of threads may use rules and results at once. Bad data is a [`Finding`]. A mistake in rules or in a call
//! is an [`Error`].

pub mod arrow;
mod error;
mod ffi;
mod options;
mod pattern;
mod result;
mod rules;
mod seen;
mod table;

pub use error::{Error, ErrorKind, Mistake};
pub use options::{Options, Outputs};
pub use pattern::{Flags, Pattern};
pub use result::{CheckResult, Finding, Findings, RuleCount, Severity, Totals};
pub use rules::{infer, infer_with, profile, profile_with, Rules};
pub use seen::SeenKeys;
pub use table::{Column, Record};

/// The release of libassay, such as "0.1.0".
pub fn release() -> &'static str {
    // SAFETY: static storage.
    unsafe { std::ffi::CStr::from_ptr(ffi::assay_release()) }.to_str().unwrap_or_default()
}

/// The regular expression engine, such as "PCRE2 10.42 2022-12-11, Unicode 14.0.0, JIT".
pub fn engine() -> &'static str {
    // SAFETY: static storage.
    unsafe { std::ffi::CStr::from_ptr(ffi::assay_engine()) }.to_str().unwrap_or_default()
}

#[cfg(test)]
mod layout;
