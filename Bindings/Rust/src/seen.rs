use std::ptr::{self, NonNull};
use std::sync::{Mutex, MutexGuard, TryLockError};

use crate::error::check;
use crate::{ffi, Error, Rules};

/// The keys of a table that several checks process in parts, and the order of its sorted columns; see
/// [`Options::seen`](crate::Options::seen).
///
/// A record is rejected if an earlier record, of the same or an earlier part, has the same key. Pass the parts in
/// order, with increasing [`Options::first_record`](crate::Options::first_record). Only one check at a time may use the
/// keys; after an error, drop them. Only for `keep: first`. Not for CSV or for foreign keys into the table itself.
///
/// ```
/// use assay::{Column, Options, Rules, SeenKeys};
///
/// let rules = Rules::parse("fields: [{name: id, constraints: {unique: true}}]")?;
/// let keys = SeenKeys::new(&rules, 0)?;
/// let part = [Column::new("id", [Some("1")])];
/// assert!(rules.check(&part, &Options::new().seen(&keys))?.is_clean());
/// assert!(!rules.check(&part, &Options::new().seen(&keys).first_record(1))?.is_clean());
/// # Ok::<(), assay::Error>(())
/// ```
pub struct SeenKeys(Mutex<Keys>);

/// The lock of seen keys during a check.
pub(crate) struct InUse<'a>(MutexGuard<'a, Keys>);

struct Keys(NonNull<ffi::assay_seen_keys>);

// SAFETY: any thread may use the object, one at a time.
unsafe impl Send for Keys {}

impl SeenKeys {
    /// Creates keys for these rules. `memory` is their limit in bytes; 0: a quarter of the memory.
    pub fn new(rules: &Rules, memory: u64) -> Result<SeenKeys, Error> {
        let mut keys = ptr::null_mut();
        // SAFETY: the rules are valid; the keys have their own reference to them.
        check(unsafe { ffi::assay_seen_keys_create(rules.as_ptr(), memory, &mut keys) })?;
        Ok(SeenKeys(Mutex::new(Keys(NonNull::new(keys).expect("a call without a fault has keys")))))
    }

    /// Returns `None` if another check uses the keys.
    pub(crate) fn lock(&self) -> Option<InUse<'_>> {
        match self.0.try_lock() {
            Ok(keys) => Some(InUse(keys)),
            Err(TryLockError::Poisoned(poisoned)) => Some(InUse(poisoned.into_inner())),
            Err(TryLockError::WouldBlock) => None,
        }
    }
}

impl InUse<'_> {
    pub fn as_ptr(&self) -> *mut ffi::assay_seen_keys {
        self.0 .0.as_ptr()
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        // SAFETY: this object owns the keys, and no check uses them.
        unsafe { ffi::assay_seen_keys_free(self.0.as_ptr()) };
    }
}

impl std::fmt::Debug for SeenKeys {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("SeenKeys").finish_non_exhaustive()
    }
}
