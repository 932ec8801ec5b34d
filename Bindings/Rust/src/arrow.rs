//! The structures of the [Arrow C Data Interface](https://arrow.apache.org/docs/format/CDataInterface.html). Those of every
//! other crate have the same layout: cast the pointers (`&ffi_array as *const _ as *const assay::arrow::ArrowArray`).

use std::ffi::{c_char, c_void};

/// A type of Arrow.
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

/// Values of Arrow.
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

/// Both of an array that libassay made, released when they are dropped.
pub(crate) struct Exported {
    pub array: ArrowArray,
    pub schema: ArrowSchema,
}

impl Exported {
    /// Structures for libassay to fill in.
    pub fn empty() -> Exported {
        // SAFETY: all zero is a structure that has been released: null pointers, and no function.
        unsafe { std::mem::zeroed() }
    }
}

impl Drop for Exported {
    fn drop(&mut self) {
        // SAFETY: they are filled in, with their functions, or all zero; nobody else has them.
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
