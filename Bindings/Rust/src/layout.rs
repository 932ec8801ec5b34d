//! Compares sizes, offsets and values with those that a C compiler computed, in `Tests/LibassayTests/abi.txt`.

use std::collections::HashMap;
use std::mem::offset_of;

use crate::arrow::{ArrowArray, ArrowArrayStream, ArrowSchema};
use crate::ffi::*;
use crate::{ErrorKind, Flags, Totals};

fn recorded() -> HashMap<String, usize> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Tests/LibassayTests/abi.txt");
    let text = std::fs::read_to_string(path).expect(path);
    let entry = |line: &str| line.rsplit_once(' ').map(|(name, value)| (name.to_owned(), value.parse().unwrap()));
    text.lines().filter_map(entry).collect()
}

#[test]
fn declarations_are_those_of_the_header() {
    let recorded = recorded();
    let known = [
        ("sizeof(assay_fault)", size_of::<assay_fault>()),
        ("assay_fault.code", offset_of!(assay_fault, code)),
        ("assay_fault.message", offset_of!(assay_fault, message)),
        ("assay_fault.next", offset_of!(assay_fault, next)),
        ("sizeof(assay_options)", size_of::<assay_options>()),
        ("assay_options.threads", offset_of!(assay_options, threads)),
        ("assay_options.first_record", offset_of!(assay_options, first_record)),
        ("assay_options.allocator", offset_of!(assay_options, allocator)),
        ("assay_options.progress", offset_of!(assay_options, progress)),
        ("assay_options.key_memory", offset_of!(assay_options, key_memory)),
        ("assay_options.seen", offset_of!(assay_options, seen)),
        ("assay_options.key_secret", offset_of!(assay_options, key_secret)),
        ("assay_options.references", offset_of!(assay_options, references)),
        ("assay_options.budget_ticks", offset_of!(assay_options, budget_ticks)),
        ("assay_options.budget_bytes", offset_of!(assay_options, budget_bytes)),
        ("assay_options.budget_nanoseconds", offset_of!(assay_options, budget_nanoseconds)),
        ("assay_options.now_seconds", offset_of!(assay_options, now_seconds)),
        ("assay_options.has_now", offset_of!(assay_options, has_now)),
        ("sizeof(assay_column)", size_of::<assay_column>()),
        ("assay_column.layout", offset_of!(assay_column, layout)),
        ("assay_column.bytes", offset_of!(assay_column, bytes)),
        ("assay_column.offsets", offset_of!(assay_column, offsets)),
        ("assay_column.pointers", offset_of!(assay_column, pointers)),
        ("assay_column.validity", offset_of!(assay_column, validity)),
        ("sizeof(assay_totals)", size_of::<Totals>()),
        ("sizeof(assay_finding)", size_of::<assay_finding>()),
        ("assay_finding.column", offset_of!(assay_finding, column)),
        ("assay_finding.severity", offset_of!(assay_finding, severity)),
        ("sizeof(assay_cursor)", size_of::<assay_cursor>()),
        ("sizeof(assay_rule_count)", size_of::<assay_rule_count>()),
        ("sizeof(assay_outputs)", size_of::<assay_outputs>()),
        ("assay_outputs.replace", offset_of!(assay_outputs, replace)),
        ("assay_outputs.changes", offset_of!(assay_outputs, changes)),
        ("assay_outputs.max_findings", offset_of!(assay_outputs, max_findings)),
        ("assay_outputs.compression", offset_of!(assay_outputs, compression)),
        ("assay_outputs.delimiter", offset_of!(assay_outputs, delimiter)),
        ("assay_outputs.guard_formulas", offset_of!(assay_outputs, guard_formulas)),
        ("assay_outputs.reserved", offset_of!(assay_outputs, reserved)),
        ("sizeof(assay_table)", size_of::<assay_table>()),
        ("assay_table.path", offset_of!(assay_table, path)),
        ("assay_table.open", offset_of!(assay_table, open)),
        ("assay_table.context", offset_of!(assay_table, context)),
        ("assay_table.name", offset_of!(assay_table, name)),
        ("sizeof(struct ArrowSchema)", size_of::<ArrowSchema>()),
        ("sizeof(struct ArrowArray)", size_of::<ArrowArray>()),
        ("sizeof(struct ArrowArrayStream)", size_of::<ArrowArrayStream>()),
        ("ASSAY_FAULT_ARGUMENT", ErrorKind::Argument as usize),
        ("ASSAY_FAULT_MEMORY", ErrorKind::Memory as usize),
        ("ASSAY_FAULT_RULES", ErrorKind::Rules as usize),
        ("ASSAY_FAULT_COLUMNS", ErrorKind::Columns as usize),
        ("ASSAY_FAULT_ARROW", ErrorKind::Arrow as usize),
        ("ASSAY_FAULT_STREAM", ErrorKind::Stream as usize),
        ("ASSAY_FAULT_INPUT", ErrorKind::Input as usize),
        ("ASSAY_FAULT_FILE", ErrorKind::File as usize),
        ("ASSAY_FAULT_CANCELLED", ErrorKind::Cancelled as usize),
        ("ASSAY_FAULT_INTERNAL", ErrorKind::Internal as usize),
        ("ASSAY_MATCH_CASE_INSENSITIVE", Flags::CASE_INSENSITIVE.0 as usize),
        ("ASSAY_MATCH_UNICODE_CLASSES", Flags::UNICODE_CLASSES.0 as usize),
        ("ASSAY_MATCH_DOT_ALL", Flags::DOT_ALL.0 as usize),
        ("ASSAY_MATCH_EXTENDED", Flags::EXTENDED.0 as usize),
        ("ASSAY_MATCH_MULTILINE", Flags::MULTILINE.0 as usize),
        ("ASSAY_MATCH_SEARCH", Flags::SEARCH.0 as usize),
        ("ASSAY_MATCH_LINEAR_TIME", Flags::LINEAR_TIME.0 as usize),
        ("ASSAY_LAYOUT_POINTERS", ASSAY_LAYOUT_POINTERS as usize),
        ("ASSAY_ROWS_REJECTED", ASSAY_ROWS_REJECTED as usize),
        ("ASSAY_ROWS_UNDECIDED", ASSAY_ROWS_UNDECIDED as usize),
        ("ASSAY_ROWS_MISSING", ASSAY_ROWS_MISSING as usize),
        ("ASSAY_SEVERITY_REJECT", ASSAY_SEVERITY_REJECT as usize),
    ];
    for (name, ours) in known {
        assert_eq!(recorded.get(name), Some(&ours), "{name}");
    }
}
