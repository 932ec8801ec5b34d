//! The structures of the [Arrow C Data Interface](https://arrow.apache.org/docs/format/CDataInterface.html). They have
//! the same layout as those of every other crate, so that pointers can be cast:
//! `&ffi_array as *const _ as *const assay::arrow::ArrowArray`.

use std::ffi::{c_char, c_void};

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

/// The type and values of an array that libassay exported, released on drop.
pub(crate) struct Exported {
    pub array: ArrowArray,
    pub schema: ArrowSchema,
}

impl Exported {
    /// Creates structures for libassay to fill in.
    pub fn empty() -> Exported {
        // SAFETY: an all-zero structure is a released one: null pointers, and no callback.
        unsafe { std::mem::zeroed() }
    }
}

impl Drop for Exported {
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
