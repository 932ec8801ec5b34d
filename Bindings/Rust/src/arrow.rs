//! The structures of the [Arrow C Data Interface](https://arrow.apache.org/docs/format/CDataInterface.html). They have
//! the same layout as those of every other crate, so that pointers can be cast. With the crate `arrow`:
//!
//! ```ignore
//! let (array, schema) = arrow::ffi::to_ffi(&StructArray::from(batch).to_data())?;
//! let (array, schema): (*const _, *const _) = (&array, &schema);
//! let result = unsafe { rules.check_arrow(schema.cast(), array.cast(), &Options::new()) }?;
//!
//! let (verdicts, schema) = result.arrow_verdicts()?.into_raw();
//! let verdicts = unsafe { std::mem::transmute::<ArrowArray, FFI_ArrowArray>(verdicts) };
//! let schema = unsafe { std::mem::transmute::<ArrowSchema, FFI_ArrowSchema>(schema) };
//! let verdicts = BooleanArray::from(unsafe { arrow::ffi::from_ffi(verdicts, &schema) }?);
//! ```

use std::ffi::{c_char, c_int, c_void};
use std::mem::ManuallyDrop;

use crate::Error;

/// The type of an array.
#[repr(C)]
#[allow(missing_docs)]
pub struct ArrowSchema {
    pub format: *const c_char,
    pub name: *const c_char,
    pub metadata: *const c_char,
    pub flags: i64,
    pub n_children: i64,
    pub children: *mut *mut ArrowSchema,
    pub dictionary: *mut ArrowSchema,
    pub release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    pub private_data: *mut c_void,
}

/// The values of an array.
#[repr(C)]
#[allow(missing_docs)]
pub struct ArrowArray {
    pub length: i64,
    pub null_count: i64,
    pub offset: i64,
    pub n_buffers: i64,
    pub n_children: i64,
    pub buffers: *mut *const c_void,
    pub children: *mut *mut ArrowArray,
    pub dictionary: *mut ArrowArray,
    pub release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    pub private_data: *mut c_void,
}

/// A stream of arrays of one type, in the
/// [Arrow C Stream Interface](https://arrow.apache.org/docs/format/CStreamInterface.html).
#[repr(C)]
#[allow(missing_docs)]
pub struct ArrowArrayStream {
    pub get_schema: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowSchema) -> c_int>,
    pub get_next: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowArray) -> c_int>,
    pub get_last_error: Option<unsafe extern "C" fn(*mut ArrowArrayStream) -> *const c_char>,
    pub release: Option<unsafe extern "C" fn(*mut ArrowArrayStream)>,
    pub private_data: *mut c_void,
}

/// The type and values of an array, released on drop.
///
/// ```
/// use assay::{Column, Options, Rules};
///
/// let rules = Rules::parse("fields: [{name: id, type: integer}]")?;
/// let result = rules.check(&[Column::new("id", ["1", "x"].map(Some))], &Options::new())?;
/// let findings = result.arrow_findings(u64::MAX)?; // a record batch
/// assert_eq!((findings.array().length, findings.array().n_children), (1, 6));
/// # Ok::<(), assay::Error>(())
/// ```
pub struct OwnedArray {
    array: ArrowArray,
    schema: ArrowSchema,
}

impl OwnedArray {
    /// Creates released structures for libassay to fill in.
    pub(crate) fn empty() -> OwnedArray {
        // SAFETY: an all-zero structure is a released one: null pointers, and no callback.
        unsafe { std::mem::zeroed() }
    }

    /// Calls a function that fills in both structures.
    pub(crate) fn made(
        fill: impl FnOnce(*mut ArrowArray, *mut ArrowSchema) -> Result<(), Error>,
    ) -> Result<OwnedArray, Error> {
        let mut made = OwnedArray::empty();
        fill(&mut made.array, &mut made.schema)?;
        Ok(made)
    }

    /// Takes ownership of structures of any Arrow library. The originals must not be released.
    ///
    /// # Safety
    ///
    /// Both structures must be valid structures of the Arrow C Data Interface that fit together, and must not have
    /// another owner.
    pub unsafe fn from_raw(array: ArrowArray, schema: ArrowSchema) -> OwnedArray {
        OwnedArray { array, schema }
    }

    /// Returns the structures, which the caller must release.
    pub fn into_raw(self) -> (ArrowArray, ArrowSchema) {
        let this = ManuallyDrop::new(self);
        // SAFETY: the structures are moved out of an object that is not dropped.
        unsafe { (std::ptr::read(&this.array), std::ptr::read(&this.schema)) }
    }

    /// The values.
    pub fn array(&self) -> &ArrowArray {
        &self.array
    }

    /// The type.
    pub fn schema(&self) -> &ArrowSchema {
        &self.schema
    }

    pub(crate) fn is_released(&self) -> bool {
        self.array.release.is_none()
    }
}

impl Drop for OwnedArray {
    fn drop(&mut self) {
        // SAFETY: each structure is either filled in, with its callback, or all zero, and has no other owner.
        unsafe {
            if let Some(release) = self.array.release {
                release(&mut self.array);
            }
            if let Some(release) = self.schema.release {
                release(&mut self.schema);
            }
        }
    }
}
