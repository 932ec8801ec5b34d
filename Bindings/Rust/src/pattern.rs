use std::ops::BitOr;

use crate::{Column, Error, Options, Rules};

/// A compiled PCRE2 pattern. The whole value must match, unless [`Flags::SEARCH`] is set.
///
/// ```
/// let date = assay::Pattern::new(r"\d{4}-\d{2}-\d{2}")?;
/// assert_eq!(date.matches("2024-02-29"), Some(true));
/// assert_eq!(date.matches("2024-02-29\n"), Some(false));
/// # Ok::<(), assay::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Pattern(Rules);

/// Flags of a pattern, combined with `|`. By default case matters, `\d \w \s` are ASCII, and `.` does not match a line
/// feed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Flags(pub(crate) u32);

#[allow(missing_docs)]
impl Flags {
    pub const CASE_INSENSITIVE: Flags = Flags(1 << 0);
    pub const UNICODE_CLASSES: Flags = Flags(1 << 1);
    pub const DOT_ALL: Flags = Flags(1 << 2);
    pub const EXTENDED: Flags = Flags(1 << 3);
    pub const MULTILINE: Flags = Flags(1 << 4);
    /// A match anywhere in the value suffices.
    pub const SEARCH: Flags = Flags(1 << 5);
    /// Refuses the pattern unless a DFA matches it in linear time, for untrusted patterns.
    pub const LINEAR_TIME: Flags = Flags(1 << 6);
}

impl BitOr for Flags {
    type Output = Flags;

    fn bitor(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }
}

impl Pattern {
    /// Compiles a pattern without flags.
    pub fn new(pattern: &str) -> Result<Pattern, Error> {
        Self::with_flags(pattern, Flags::default())
    }

    /// Compiles a pattern with flags.
    pub fn with_flags(pattern: &str, flags: Flags) -> Result<Pattern, Error> {
        Ok(Pattern(Rules::from_pattern(pattern, flags.0)?))
    }

    /// Returns whether one value matches, or `None` if a limit left it undecided.
    pub fn matches(&self, value: impl AsRef<[u8]>) -> Option<bool> {
        let value = value.as_ref();
        if self.0.accepts(&[("value", value)]) {
            return Some(true);
        }
        self.match_all([Some(value)], &Options::alone()).ok()?.pop()?
    }

    /// Returns whether each value matches, or `None` for a missing value and if a limit left it undecided.
    pub fn match_all<'a, V: AsRef<[u8]> + ?Sized + 'a>(
        &self,
        values: impl IntoIterator<Item = Option<&'a V>>,
        options: &Options,
    ) -> Result<Vec<Option<bool>>, Error> {
        let result = self.0.check_column(&Column::new("value", values), options)?;
        let verdicts = result.verdicts().unwrap_or_default().into_iter().enumerate();
        Ok(verdicts
            .map(|(row, verdict)| Some(verdict).filter(|_| !result.is_undecided(row) && !result.is_missing(row)))
            .collect())
    }
}
