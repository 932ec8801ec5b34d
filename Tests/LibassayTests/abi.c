/* Prints the sizes, offsets and values that programs depend on, in addition to the functions. A test compares them
   with abi.txt. */
#include <assay/assay.h>
#include <stdio.h>

#define SIZE(type) printf("sizeof(%s) %zu\n", #type, sizeof(type))
#define PLACE(type, member) printf("%s.%s %zu\n", #type, #member, offsetof(type, member))
#define VALUE(name) printf("%s %lld\n", #name, (long long)(name))

int main(void)
{
    VALUE(ASSAY_ABI_VERSION);
    SIZE(assay_fault);
    PLACE(assay_fault, code);
    PLACE(assay_fault, message);
    PLACE(assay_fault, next);
    SIZE(assay_allocator);
    PLACE(assay_allocator, allocate);
    PLACE(assay_allocator, context);
    SIZE(assay_options);
    PLACE(assay_options, threads);
    PLACE(assay_options, first_record);
    PLACE(assay_options, allocator);
    PLACE(assay_options, progress);
    PLACE(assay_options, key_memory);
    PLACE(assay_options, seen);
    PLACE(assay_options, key_secret);
    PLACE(assay_options, references);
    PLACE(assay_options, budget_ticks);
    PLACE(assay_options, budget_bytes);
    PLACE(assay_options, budget_nanoseconds);
    PLACE(assay_options, now_seconds);
    PLACE(assay_options, now_nanoseconds);
    PLACE(assay_options, has_now);
    SIZE(assay_column);
    PLACE(assay_column, layout);
    PLACE(assay_column, bytes);
    PLACE(assay_column, offsets);
    PLACE(assay_column, pointers);
    PLACE(assay_column, validity);
    SIZE(assay_totals);
    SIZE(assay_finding);
    PLACE(assay_finding, column);
    PLACE(assay_finding, severity);
    SIZE(assay_cursor);
    SIZE(assay_rule_count);
    SIZE(assay_outputs);
    PLACE(assay_outputs, replace);
    PLACE(assay_outputs, changes);
    PLACE(assay_outputs, max_findings);
    PLACE(assay_outputs, compression);
    PLACE(assay_outputs, delimiter);
    PLACE(assay_outputs, guard_formulas);
    PLACE(assay_outputs, reserved);
    SIZE(assay_change_count);
    SIZE(assay_table);
    PLACE(assay_table, path);
    PLACE(assay_table, open);
    PLACE(assay_table, context);
    PLACE(assay_table, name);
    SIZE(struct ArrowSchema);
    SIZE(struct ArrowArray);
    SIZE(struct ArrowArrayStream);
    VALUE(ASSAY_FAULT_ARGUMENT);
    VALUE(ASSAY_FAULT_MEMORY);
    VALUE(ASSAY_FAULT_RULES);
    VALUE(ASSAY_FAULT_COLUMNS);
    VALUE(ASSAY_FAULT_ARROW);
    VALUE(ASSAY_FAULT_STREAM);
    VALUE(ASSAY_FAULT_INPUT);
    VALUE(ASSAY_FAULT_FILE);
    VALUE(ASSAY_FAULT_CANCELLED);
    VALUE(ASSAY_FAULT_INTERNAL);
    VALUE(ASSAY_MATCH_CASE_INSENSITIVE);
    VALUE(ASSAY_MATCH_UNICODE_CLASSES);
    VALUE(ASSAY_MATCH_DOT_ALL);
    VALUE(ASSAY_MATCH_EXTENDED);
    VALUE(ASSAY_MATCH_MULTILINE);
    VALUE(ASSAY_MATCH_SEARCH);
    VALUE(ASSAY_MATCH_LINEAR_TIME);
    VALUE(ASSAY_LAYOUT_OFFSETS32);
    VALUE(ASSAY_LAYOUT_OFFSETS64);
    VALUE(ASSAY_LAYOUT_POINTERS);
    VALUE(ASSAY_ROWS_REJECTED);
    VALUE(ASSAY_ROWS_UNDECIDED);
    VALUE(ASSAY_ROWS_MISSING);
    VALUE(ASSAY_SEVERITY_REJECT);
    VALUE(ASSAY_SEVERITY_WARN);
    VALUE(ASSAY_VERDICTS_NULLABLE);
    return 0;
}
