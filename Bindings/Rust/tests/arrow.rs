//! Arrow structures of another crate, by pointer and by value. `arrow` needs the network, so the structures here have
//! its form: private fields in the layout of C, and a release on drop.

#![allow(clippy::type_complexity)]

use std::ffi::{c_char, c_int, c_void, CStr};
use std::mem::{transmute, zeroed};
use std::ops::ControlFlow;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;

use assay::arrow::{ArrowArray, ArrowArrayStream, ArrowSchema};
use assay::{ErrorKind, Options, Rules};

/// A structure with a release function at the place that each structure has.
macro_rules! foreign {
    ($name:ident { $($field:ident: $type:ty),* $(,)? }) => {
        #[repr(C)]
        struct $name {
            $($field: $type,)*
            release: Option<unsafe extern "C" fn(*mut $name)>,
            private_data: *mut c_void,
        }
        impl Drop for $name {
            fn drop(&mut self) {
                if let Some(release) = self.release {
                    unsafe { release(self) }
                }
            }
        }
        impl $name {
            fn empty() -> Self {
                unsafe { zeroed() }
            }
        }
    };
}

foreign!(FfiSchema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut FfiSchema,
    dictionary: *mut FfiSchema,
});
foreign!(FfiArray {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut FfiArray,
    dictionary: *mut FfiArray,
});
foreign!(FfiStream {
    get_schema: Option<unsafe extern "C" fn(*mut FfiStream, *mut FfiSchema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut FfiStream, *mut FfiArray) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut FfiStream) -> *const c_char>,
});

/// A stream of batches of ids, one id in each. After the last one, an error if its text is not empty.
struct Source {
    ids: Vec<&'static CStr>,
    error: &'static CStr,
    alive: Arc<AtomicUsize>,
}

impl Source {
    fn stream(self) -> FfiStream {
        unsafe extern "C" fn release(stream: *mut FfiStream) {
            unsafe {
                drop(Box::from_raw((*stream).private_data.cast::<Source>()));
                (*stream).release = None;
            }
        }
        unsafe extern "C" fn schema(stream: *mut FfiStream, schema: *mut FfiSchema) -> c_int {
            unsafe { ptr::write(schema, schema_of_ids(&(*(*stream).private_data.cast::<Source>()).alive)) };
            0
        }
        unsafe extern "C" fn next(stream: *mut FfiStream, array: *mut FfiArray) -> c_int {
            let source = unsafe { &mut *(*stream).private_data.cast::<Source>() };
            if source.ids.is_empty() && !source.error.is_empty() {
                return 5;
            }
            let ids = source.ids.drain(..source.ids.len().min(1)).collect::<Vec<_>>();
            let batch = if ids.is_empty() { FfiArray::empty() } else { batch_of_ids(&ids, &source.alive) };
            unsafe { ptr::write(array, batch) };
            0
        }
        unsafe extern "C" fn last_error(stream: *mut FfiStream) -> *const c_char {
            unsafe { (*(*stream).private_data.cast::<Source>()).error.as_ptr() }
        }
        let mut stream = FfiStream::empty();
        stream.get_schema = Some(schema);
        stream.get_next = Some(next);
        stream.get_last_error = Some(last_error);
        stream.release = Some(release);
        stream.private_data = Box::into_raw(Box::new(self)).cast();
        stream
    }
}

/// The memory of a structure, freed by its release function. `alive` counts structures that are not released.
struct Owner<Memory> {
    _memory: Memory,
    alive: Arc<AtomicUsize>,
}

fn owner<Memory>(memory: Memory, alive: &Arc<AtomicUsize>) -> *mut c_void {
    alive.fetch_add(1, Ordering::Relaxed);
    Box::into_raw(Box::new(Owner { _memory: memory, alive: Arc::clone(alive) })).cast()
}

unsafe fn end<Memory>(private_data: *mut c_void) {
    let owner = unsafe { Box::from_raw(private_data.cast::<Owner<Memory>>()) };
    owner.alive.fetch_sub(1, Ordering::Relaxed);
}

type SchemaMemory = (Box<FfiSchema>, Box<[*mut FfiSchema]>);
type ArrayMemory = (Box<FfiArray>, Box<[*mut FfiArray]>, Box<[*const c_void]>);
type ValueMemory = (Vec<i32>, Vec<u8>, Box<[*const c_void]>);

/// The type of a record batch with the column "id".
fn schema_of_ids(alive: &Arc<AtomicUsize>) -> FfiSchema {
    unsafe extern "C" fn release(schema: *mut FfiSchema) {
        unsafe {
            end::<SchemaMemory>((*schema).private_data);
            (*schema).release = None;
        }
    }
    let mut field = Box::new(FfiSchema::empty());
    (field.format, field.name) = (c"u".as_ptr(), c"id".as_ptr());
    unsafe extern "C" fn release_field(schema: *mut FfiSchema) {
        unsafe { (*schema).release = None };
    }
    field.release = Some(release_field);
    let children: Box<[*mut FfiSchema]> = Box::new([&mut *field]);
    let mut schema = FfiSchema::empty();
    (schema.format, schema.name, schema.n_children) = (c"+s".as_ptr(), c"".as_ptr(), 1);
    schema.children = children.as_ptr().cast_mut();
    schema.release = Some(release);
    schema.private_data = owner::<SchemaMemory>((field, children), alive);
    schema
}

/// A record batch with the column "id".
fn batch_of_ids(ids: &[&CStr], alive: &Arc<AtomicUsize>) -> FfiArray {
    unsafe extern "C" fn release(array: *mut FfiArray) {
        unsafe {
            end::<ArrayMemory>((*array).private_data);
            (*array).release = None;
        }
    }
    unsafe extern "C" fn release_values(array: *mut FfiArray) {
        unsafe {
            end::<ValueMemory>((*array).private_data);
            (*array).release = None;
        }
    }
    let (mut offsets, mut bytes) = (vec![0], Vec::new());
    for id in ids {
        bytes.extend_from_slice(id.to_bytes());
        offsets.push(bytes.len() as i32);
    }
    let buffers: Box<[*const c_void]> = Box::new([ptr::null(), offsets.as_ptr().cast(), bytes.as_ptr().cast()]);
    let mut column = Box::new(FfiArray::empty());
    (column.length, column.n_buffers, column.buffers) = (ids.len() as i64, 3, buffers.as_ptr().cast_mut());
    column.release = Some(release_values);
    column.private_data = owner::<ValueMemory>((offsets, bytes, buffers), alive);
    let children: Box<[*mut FfiArray]> = Box::new([&mut *column]);
    let none: Box<[*const c_void]> = Box::new([ptr::null()]);
    let mut batch = FfiArray::empty();
    (batch.length, batch.n_buffers, batch.buffers) = (ids.len() as i64, 1, none.as_ptr().cast_mut());
    (batch.n_children, batch.children) = (1, children.as_ptr().cast_mut());
    batch.release = Some(release);
    batch.private_data = owner::<ArrayMemory>((column, children, none), alive);
    batch
}

#[test]
fn structures_of_another_crate_are_checked_by_pointer() {
    let rules = Rules::parse("fields: [{name: id, type: integer}]").unwrap();
    let alive = Arc::new(AtomicUsize::new(0));
    {
        let (schema, batch) = (schema_of_ids(&alive), batch_of_ids(&[c"1", c"x", c"23"], &alive));
        let (schema, batch): (*const FfiSchema, *const FfiArray) = (&schema, &batch);
        for _ in 0..2 {
            let result = unsafe { rules.check_arrow(schema.cast(), batch.cast(), &Options::new()) }.unwrap();
            assert_eq!(result.verdicts(), Some(vec![true, false, true]));

            // Results as structures of the other crate, which releases them.
            let (array, of_array) = result.arrow_verdicts().unwrap().into_raw();
            let array = unsafe { transmute::<ArrowArray, FfiArray>(array) };
            let of_array = unsafe { transmute::<ArrowSchema, FfiSchema>(of_array) };
            assert_eq!(unsafe { CStr::from_ptr(of_array.format) }, c"b");
            assert_eq!((array.length, array.null_count, array.offset), (3, 0, 0));
            assert_eq!(unsafe { *(*array.buffers.add(1)).cast::<u8>() } & 7, 0b101);
        }
        assert_eq!(alive.load(Ordering::Relaxed), 3);
    }
    assert_eq!(alive.load(Ordering::Relaxed), 0);
}

#[test]
fn streams_of_another_crate_are_checked_batch_by_batch() {
    let rules = Rules::parse("fields: [{name: id, type: integer, constraints: {unique: true}}]").unwrap();
    let alive = Arc::new(AtomicUsize::new(0));
    let check = |error, each: &mut dyn FnMut(Vec<u64>) -> ControlFlow<()>| {
        let mut stream = Source { ids: vec![c"1", c"x", c"1", c"2"], error, alive: Arc::clone(&alive) }.stream();
        let source: *mut FfiStream = &mut stream;
        let checked = unsafe {
            rules.check_arrow_stream(source.cast::<ArrowArrayStream>(), &Options::new(), |result| {
                each(result.findings().map(|finding| finding.record).collect())
            })
        };
        assert_eq!(alive.load(Ordering::Relaxed), 0);
        checked
    };
    let mut found = Vec::new();
    check(c"", &mut |records| {
        found.push(records);
        ControlFlow::Continue(())
    })
    .unwrap();
    assert_eq!(found, [vec![], vec![2], vec![3], vec![]]);

    let mut calls = 0;
    check(c"", &mut |_| {
        calls += 1;
        if calls == 2 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    })
    .unwrap();
    assert_eq!(calls, 2);

    let error = check(c"the disk is full", &mut |_| ControlFlow::Continue(())).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Stream);
    assert!(error.to_string().contains("the disk is full"), "{error}");

    let panic = catch_unwind(AssertUnwindSafe(|| check(c"", &mut |_| panic!("enough"))));
    assert_eq!(panic.unwrap_err().downcast_ref(), Some(&"enough"));
    assert_eq!(alive.load(Ordering::Relaxed), 0);

    // All batches need the column of the rules.
    let other = Rules::parse("fields: [{name: other}]").unwrap();
    let mut stream = Source { ids: vec![c"1"], error: c"", alive: Arc::clone(&alive) }.stream();
    let source: *mut FfiStream = &mut stream;
    let refused = unsafe { other.check_arrow_stream(source.cast(), &Options::new(), |_| ControlFlow::Continue(())) };
    assert_eq!(refused.unwrap_err().kind(), ErrorKind::Columns);
    assert_eq!(alive.load(Ordering::Relaxed), 0);
}
