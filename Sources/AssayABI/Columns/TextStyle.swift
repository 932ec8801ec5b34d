internal import Assay

/// How the values of a field that are not text are written as text: as a file of the same rules would have them.
struct TextStyle {
    let type: ValueType

    /// A writer for the values of an Arrow array; `nil` when no rule can judge them.
    ///
    /// - Precondition: `base` has the values of rows from 0 to the last; `start` is the first that counts.
    func writer(_ format: ArrowFormat, _ base: UnsafeRawPointer, start: Int) -> (any ValueWriter)? {
        nil
    }
}
