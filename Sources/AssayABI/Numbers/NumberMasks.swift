internal import Assay

/// The masks of a worker that checks slices of numbers.
final class NumberMasks {
    /// The rows with texts that must be checked.
    let unknown: UnsafeMutablePointer<UInt64>
    /// The rows that fail a rule.
    let failed: UnsafeMutablePointer<UInt64>

    init() {
        let words = maskWords(SchemaEvaluator.sliceRows)
        unknown = .allocate(capacity: 2 * words)
        failed = unknown + words
    }

    deinit { unknown.deallocate() }
}
