use std::borrow::Borrow;
use std::collections::{BTreeMap, HashMap};
use std::ffi::CStr;
use std::hash::{BuildHasher, Hash};
use std::marker::PhantomData;

use crate::ffi;

/// A column of texts, which are read in place. Invalid UTF-8 is a finding.
///
/// ```
/// # use assay::Column;
/// let column = Column::new("id", ["1", "2"].map(Some));
/// assert_eq!(column.len(), 2);
/// ```
pub struct Column<'a> {
    pub(crate) name: String,
    pub(crate) pointers: Vec<*const u8>,
    pub(crate) lengths: Vec<usize>,
    borrowed: PhantomData<&'a [u8]>,
}

// SAFETY: the pointers are shared borrows of bytes, which any thread may read.
unsafe impl Send for Column<'_> {}
unsafe impl Sync for Column<'_> {}

impl<'a> Column<'a> {
    /// Creates a column of strings or bytes; `None` is a missing value.
    pub fn new<V: AsRef<[u8]> + ?Sized + 'a>(
        name: impl Into<String>,
        values: impl IntoIterator<Item = Option<&'a V>>,
    ) -> Column<'a> {
        let (mut pointers, mut lengths) = (Vec::new(), Vec::new());
        for value in values {
            let bytes = value.map(|value| value.as_ref());
            pointers.push(bytes.map_or(std::ptr::null(), <[u8]>::as_ptr));
            lengths.push(bytes.map_or(0, <[u8]>::len));
        }
        Column { name: name.into(), pointers, lengths, borrowed: PhantomData }
    }

    /// Returns the number of values, including missing ones.
    pub fn len(&self) -> usize {
        self.pointers.len()
    }

    /// Returns whether the column has no rows.
    pub fn is_empty(&self) -> bool {
        self.pointers.is_empty()
    }

    /// Returns the value of a row.
    pub fn get(&self, row: usize) -> Option<&'a [u8]> {
        let pointer = self.pointers[row];
        // SAFETY: pointer and length are from a slice that is borrowed for 'a.
        (!pointer.is_null()).then(|| unsafe { std::slice::from_raw_parts(pointer, self.lengths[row]) })
    }

    /// Describes this column for C. The description borrows `self` and `name`.
    pub(crate) fn as_c(&self, name: &CStr) -> ffi::assay_column {
        ffi::assay_column {
            size: size_of::<ffi::assay_column>(),
            name: name.as_ptr(),
            layout: ffi::ASSAY_LAYOUT_POINTERS,
            reserved: 0,
            bytes: std::ptr::null(),
            byte_count: 0,
            offsets: std::ptr::null(),
            pointers: self.pointers.as_ptr(),
            lengths: self.lengths.as_ptr(),
            validity: std::ptr::null(),
        }
    }
}

/// A record, which returns a text for the name of a field. Implement it for your own structures.
pub trait Record {
    /// Returns the value of a field, or `None` if it is missing.
    fn value(&self, field: &str) -> Option<&[u8]>;
}

impl<R: Record + ?Sized> Record for &R {
    fn value(&self, field: &str) -> Option<&[u8]> {
        (**self).value(field)
    }
}

impl<K: Borrow<str> + Eq + Hash, V: AsRef<[u8]>, S: BuildHasher> Record for HashMap<K, V, S> {
    fn value(&self, field: &str) -> Option<&[u8]> {
        self.get(field).map(V::as_ref)
    }
}

impl<K: Borrow<str> + Ord, V: AsRef<[u8]>> Record for BTreeMap<K, V> {
    fn value(&self, field: &str) -> Option<&[u8]> {
        self.get(field).map(V::as_ref)
    }
}

impl<K: AsRef<str>, V: AsRef<[u8]>> Record for [(K, V)] {
    fn value(&self, field: &str) -> Option<&[u8]> {
        self.iter().find(|(name, _)| name.as_ref() == field).map(|(_, value)| value.as_ref())
    }
}

impl<K: AsRef<str>, V: AsRef<[u8]>, const N: usize> Record for [(K, V); N] {
    fn value(&self, field: &str) -> Option<&[u8]> {
        self.as_slice().value(field)
    }
}

impl<K: AsRef<str>, V: AsRef<[u8]>> Record for Vec<(K, V)> {
    fn value(&self, field: &str) -> Option<&[u8]> {
        self.as_slice().value(field)
    }
}
