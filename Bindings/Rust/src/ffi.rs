//! Handwritten declarations of `assay/assay.h`. `Bindings/check_declarations.py` compares the functions with the
//! header. `layout.rs` compares the structures and values with the output of a C compiler.
#![allow(non_camel_case_types)]

use std::ffi::{c_char, c_void};

use crate::arrow::{ArrowArray, ArrowArrayStream, ArrowSchema};

#[repr(C)]
pub struct assay_rules {
    opaque: [u8; 0],
}

#[repr(C)]
pub struct assay_result {
    opaque: [u8; 0],
}
#[repr(C)]
pub struct assay_stream {
    opaque: [u8; 0],
}

#[repr(C)]
pub struct assay_tally {
    opaque: [u8; 0],
}

#[repr(C)]
pub struct assay_changes {
    opaque: [u8; 0],
}

#[repr(C)]
pub struct assay_seen_keys {
    opaque: [u8; 0],
}

#[repr(C)]
pub struct assay_fault {
    pub size: usize,
    pub code: u32,
    pub line: u32,
    pub column: u32,
    pub reserved: u32,
    pub message: *const c_char,
    pub hint: *const c_char,
    pub text: *const c_char,
    pub next: *const assay_fault,
}

#[repr(C)]
pub struct assay_options {
    pub size: usize,
    pub threads: u32,
    pub reserved: u32,
    pub first_record: u64,
    pub allocator: *const c_void,
    pub progress: Option<unsafe extern "C" fn(*mut c_void, u64, u64) -> bool>,
    pub progress_context: *mut c_void,
    pub key_memory: u64,
    pub seen: *mut c_void,
    pub key_secret: *const u8,
    pub references: *const c_void,
    pub budget_ticks: u64,
    pub budget_bytes: u64,
    pub budget_nanoseconds: u64,
    pub now_seconds: i64,
    pub now_nanoseconds: u32,
    pub has_now: u32,
}

pub const ASSAY_LAYOUT_POINTERS: u32 = 3;

#[repr(C)]
pub struct assay_column {
    pub size: usize,
    pub name: *const c_char,
    pub layout: u32,
    pub reserved: u32,
    pub bytes: *const u8,
    pub byte_count: usize,
    pub offsets: *const c_void,
    pub pointers: *const *const u8,
    pub lengths: *const usize,
    pub validity: *const u8,
}

pub const ASSAY_ROWS_REJECTED: u32 = 1;
pub const ASSAY_ROWS_UNDECIDED: u32 = 2;
pub const ASSAY_ROWS_MISSING: u32 = 3;
pub const ASSAY_SEVERITY_REJECT: u32 = 0;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct assay_finding {
    pub record: u64,
    pub line: u64,
    pub offset: u64,
    pub column: *const c_char,
    pub rule: *const c_char,
    pub code: *const c_char,
    pub message: *const c_char,
    pub severity: u32,
    pub reserved: u32,
}

#[repr(C)]
pub struct assay_cursor {
    pub row: u64,
    pub place: u64,
    pub reserved: [u64; 2],
}

#[repr(C)]
pub struct assay_rule_count {
    pub column: *const c_char,
    pub rule: *const c_char,
    pub severity: u32,
    pub reserved: u32,
    pub failed: u64,
    pub undecided: u64,
}

#[repr(C)]
pub struct assay_outputs {
    pub size: usize,
    pub clean: *const c_char,
    pub rejects: *const c_char,
    pub findings: *const c_char,
    pub report: *const c_char,
    pub replace: bool,
    pub annotate: bool,
    pub changes: *const c_char,
    pub max_findings: u64,
    pub head: u64,
    pub compression: *const c_char,
    pub encoding: *const c_char,
    pub delimiter: *const c_char,
    pub show_values: bool,
    pub guard_formulas: bool,
    pub reserved: [u8; 6],
}

#[repr(C)]
pub struct assay_table {
    pub size: usize,
    pub path: *const c_char,
    pub open: Option<unsafe extern "C" fn(*mut c_void, *mut c_void) -> i32>,
    pub context: *mut c_void,
    pub name: *const c_char,
}

// SAFETY for all functions: the contracts in `assay/assay.h`. The caller owns returned pointers, except `const char *`.
extern "C" {
    pub fn assay_release() -> *const c_char;
    pub fn assay_engine() -> *const c_char;
    pub fn assay_fault_free(fault: *mut assay_fault);

    pub fn assay_rules_parse(
        text: *const c_char,
        count: usize,
        name: *const c_char,
        rules: *mut *mut assay_rules,
    ) -> *mut assay_fault;
    pub fn assay_rules_load(path: *const c_char, rules: *mut *mut assay_rules) -> *mut assay_fault;
    pub fn assay_rules_parse_trusted(
        text: *const c_char,
        count: usize,
        name: *const c_char,
        rules: *mut *mut assay_rules,
    ) -> *mut assay_fault;
    pub fn assay_rules_load_trusted(path: *const c_char, rules: *mut *mut assay_rules) -> *mut assay_fault;
    pub fn assay_rules_from_pattern(
        text: *const c_char,
        count: usize,
        flags: u32,
        rules: *mut *mut assay_rules,
    ) -> *mut assay_fault;
    pub fn assay_rules_retain(rules: *mut assay_rules) -> *mut assay_rules;
    pub fn assay_rules_free(rules: *mut assay_rules);
    pub fn assay_rules_field_count(rules: *const assay_rules) -> usize;
    pub fn assay_rules_field_name(rules: *const assay_rules, field: usize) -> *const c_char;
    pub fn assay_rules_json(rules: *const assay_rules) -> *const c_char;

    pub fn assay_seen_keys_create(
        rules: *const assay_rules,
        memory: u64,
        seen: *mut *mut assay_seen_keys,
    ) -> *mut assay_fault;
    pub fn assay_seen_keys_free(seen: *mut assay_seen_keys);

    pub fn assay_rules_check_column(
        rules: *const assay_rules,
        field: usize,
        column: *const assay_column,
        count: usize,
        options: *const assay_options,
        result: *mut *mut assay_result,
    ) -> *mut assay_fault;
    pub fn assay_rules_check_columns(
        rules: *const assay_rules,
        columns: *const assay_column,
        column_count: usize,
        count: usize,
        options: *const assay_options,
        result: *mut *mut assay_result,
    ) -> *mut assay_fault;
    pub fn assay_rules_accepts(rules: *const assay_rules, values: *const *const u8, lengths: *const usize) -> bool;
    pub fn assay_rules_check_csv(
        rules: *const assay_rules,
        bytes: *const u8,
        count: usize,
        options: *const assay_options,
        result: *mut *mut assay_result,
    ) -> *mut assay_fault;
    pub fn assay_stream_open(
        rules: *const assay_rules,
        field: usize,
        source: *mut ArrowArrayStream,
        options: *const assay_options,
        stream: *mut *mut assay_stream,
    ) -> *mut assay_fault;
    pub fn assay_stream_next(stream: *mut assay_stream, result: *mut *mut assay_result) -> *mut assay_fault;
    pub fn assay_stream_free(stream: *mut assay_stream);
    pub fn assay_rules_check_arrow_table(
        rules: *const assay_rules,
        schema: *const ArrowSchema,
        array: *const ArrowArray,
        options: *const assay_options,
        result: *mut *mut assay_result,
    ) -> *mut assay_fault;
    pub fn assay_rules_repair_column(
        rules: *const assay_rules,
        field: usize,
        column: *const assay_column,
        count: usize,
        options: *const assay_options,
        repaired: *mut ArrowArray,
        repaired_schema: *mut ArrowSchema,
        changes: *mut *mut assay_changes,
    ) -> *mut assay_fault;

    pub fn assay_result_totals(result: *const assay_result, totals: *mut crate::Totals, size: usize);
    pub fn assay_result_rejected_by(result: *const assay_result, column: *const c_char) -> u64;
    pub fn assay_result_rows(result: *const assay_result, rows: u32) -> *const u64;
    pub fn assay_result_findings(
        result: *const assay_result,
        cursor: *mut assay_cursor,
        findings: *mut assay_finding,
        size: usize,
        capacity: usize,
    ) -> usize;
    pub fn assay_result_free(result: *mut assay_result);
    pub fn assay_result_export_verdicts(
        result: *const assay_result,
        flags: u32,
        array: *mut ArrowArray,
        schema: *mut ArrowSchema,
    ) -> *mut assay_fault;
    pub fn assay_result_export_reasons(
        result: *const assay_result,
        array: *mut ArrowArray,
        schema: *mut ArrowSchema,
    ) -> *mut assay_fault;
    pub fn assay_result_export_findings(
        result: *const assay_result,
        limit: u64,
        array: *mut ArrowArray,
        schema: *mut ArrowSchema,
    ) -> *mut assay_fault;
    pub fn assay_result_export_keys(
        result: *const assay_result,
        array: *mut ArrowArray,
        schema: *mut ArrowSchema,
    ) -> *mut assay_fault;

    pub fn assay_tally_create() -> *mut assay_tally;
    pub fn assay_tally_add(tally: *mut assay_tally, result: *const assay_result);
    pub fn assay_tally_get(tally: *const assay_tally, index: usize, count: *mut assay_rule_count, size: usize) -> bool;
    pub fn assay_tally_free(tally: *mut assay_tally);

    pub fn assay_clean_file(
        rules: *const assay_rules,
        input: *const c_char,
        outputs: *const assay_outputs,
        options: *const assay_options,
        report: *mut *mut c_char,
    ) -> *mut assay_fault;
    pub fn assay_text_free(text: *mut c_char);
    pub fn assay_rules_profile(
        rules: *const assay_rules,
        table: *const assay_table,
        shows_values: bool,
        options: *const assay_options,
        profile: *mut *mut c_char,
    ) -> *mut assay_fault;
    pub fn assay_rules_infer(
        rules: *const assay_rules,
        table: *const assay_table,
        options: *const assay_options,
        inferred: *mut *mut c_char,
    ) -> *mut assay_fault;
}
