import CAssay

/// A column check through the C interface, as a C program makes it: one call for the whole column.
final class CoreCheck {
    private let pattern: OpaquePointer
    private let check: OpaquePointer
    private let scratch: OpaquePointer
    /// Two masks, made once.
    private let masks: UnsafeMutablePointer<UInt64>
    private let words: Int

    init(_ subject: Subject, count: Int) {
        var text = subject.pattern
        var error = assay_error()
        let made = text.withUTF8 { assay_pattern_create($0.baseAddress, $0.count, 0, 0, &error) }
        guard let pattern = made, let check = assay_check_create_pattern(pattern),
            let scratch = assay_scratch_create(nil)
        else { fatalError("the pattern of \(subject.name) does not compile") }
        self.pattern = pattern
        self.check = check
        self.scratch = scratch
        words = assay_mask_words(count)
        masks = .allocate(capacity: 2 * words)
    }

    deinit {
        masks.deallocate()
        assay_scratch_free(scratch)
        assay_check_free(check)
        assay_pattern_free(pattern)
    }

    /// The cells of a column, made once: a scanner hands them out, this benchmark does not measure that.
    static func cells(_ column: Column) -> [assay_cell] {
        var cells = [assay_cell](repeating: assay_cell(), count: column.count)
        let isRight = assay_cells_from_offsets32(column.offsets, column.count, column.bytes.count, &cells, nil)
        precondition(isRight, "the generator made wrong offsets")
        return cells
    }

    /// How many values match.
    func count(_ column: Column, _ cells: [assay_cell]) -> Int {
        let (failed, undecided) = (masks, masks + words)
        assay_check_column(check, scratch, column.bytes, cells, column.count, nil, failed, undecided)
        return column.count - assay_mask_count(failed, words) - assay_mask_count(undecided, words)
    }
}
