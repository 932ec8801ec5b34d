internal import Assay
internal import CAssay

/// A type that values are tried for. Compiled, immutable and shared.
final class ProbedType: Sendable {
    let description: ValueType
    // SAFETY: made in `init`, freed in `deinit`, never changed between.
    nonisolated(unsafe) private let check: OpaquePointer
    /// The type, where it is not a string.
    private let type: CompiledType?

    /// `nil`: there is no such type.
    init?(_ description: ValueType) {
        let type = description.kind == .string ? nil : try? CompiledType(description)
        let made: OpaquePointer?
        if let type {
            made = assay_check_create_type(type.handle, 0)
        } else {
            var error = assay_error()
            made = withUTF8(of: description.format ?? "") { format in
                assay_check_create_builtin(assay_text(bytes: format.cBase, count: format.count), 0, &error)
            }
        }
        guard let made else { return nil }
        (self.description, check, self.type) = (description, made, type)
    }

    deinit { assay_check_free(check) }

    /// What reads dates and times; `nil`: it is neither.
    var times: OpaquePointer? { [.date, .time, .datetime].contains(description.kind) ? type?.handle : nil }

    /// Judges values: the bits of those that are not of the type, and of those that could not be decided.
    func judge(
        _ bytes: UnsafePointer<UInt8>, _ cells: UnsafePointer<assay_cell>, _ count: Int, skip: UnsafePointer<UInt64>,
        scratch: OpaquePointer, failed: UnsafeMutablePointer<UInt64>, undecided: UnsafeMutablePointer<UInt64>
    ) {
        assay_check_column(check, scratch, bytes, cells, count, skip, failed, undecided)
        for word in 0..<maskWords(count) { failed[word] |= undecided[word] }
    }
}
