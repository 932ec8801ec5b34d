internal import Assay
internal import CAssay

/// A type that values are tested for. Compiled, immutable and shared.
final class ProbedType: Sendable {
    let description: ValueType
    // SAFETY: created in `init`, freed in `deinit`, and immutable in between.
    nonisolated(unsafe) private let check: OpaquePointer
    /// The compiled type; `nil` for strings.
    private let type: CompiledType?

    /// Returns `nil` if there is no such type.
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

    /// The type for reading dates and times; `nil` for other types.
    var times: OpaquePointer? { [.date, .time, .datetime].contains(description.kind) ? type?.handle : nil }

    /// Checks values. Sets the bits of values that are not of the type or undecided in `failed`, and those of undecided
    /// ones in `undecided`.
    func judge(
        _ bytes: UnsafePointer<UInt8>, _ cells: UnsafePointer<assay_cell>, _ count: Int, skip: UnsafePointer<UInt64>,
        scratch: OpaquePointer, failed: UnsafeMutablePointer<UInt64>, undecided: UnsafeMutablePointer<UInt64>
    ) {
        assay_check_column(check, scratch, bytes, cells, count, skip, failed, undecided)
        for word in 0..<maskWords(count) { failed[word] |= undecided[word] }
    }
}
