internal import Assay
internal import CAssay

/// A type that values are tested for. Compiled, immutable and shared.
final class ProbedType: Sendable {
    let description: ValueType
    // SAFETY: created in `init`, freed in `deinit`, and immutable in between.
    nonisolated(unsafe) private let check: OpaquePointer
    /// The compiled type; `nil` for strings.
    private let type: CompiledType?
    /// The digits that values must have in addition.
    private let digits: assay_written_digits?

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
        digits = description.kind == .string ? nil : description.format.flatMap { assay_written_digits($0) }
    }

    deinit { assay_check_free(check) }

    /// The type for reading dates and times; `nil` for other types.
    var times: OpaquePointer? { [.date, .time, .datetime].contains(description.kind) ? type?.handle : nil }

    /// Checks values. Sets the bits of values that are not of the type or undecided in `failed`, and those of undecided
    /// ones in `undecided`.
    func evaluate(
        _ bytes: UnsafePointer<UInt8>, _ cells: UnsafePointer<assay_cell>, _ count: Int, skip: UnsafePointer<UInt64>,
        scratch: OpaquePointer, failed: UnsafeMutablePointer<UInt64>, undecided: UnsafeMutablePointer<UInt64>
    ) {
        assay_check_column(check, scratch, bytes, cells, count, skip, failed, undecided)
        for word in 0..<maskWords(count) { failed[word] |= undecided[word] }
        if let digits { assay_profile_require_digits(digits, bytes, cells, count, skip, failed) }
    }
}

extension assay_written_digits {
    /// The digits that a date or time must have, so that other numbers are not taken for one.
    ///
    /// A format accepts a month, an hour or a year with fewer digits. So `%Y%m%d%H%M%S` reads most numbers of ten
    /// digits, such as Unix seconds, and `%H:%M` the ratio `2:1`.
    ///
    /// - Returns: `nil` if the format has no such digits.
    init?(_ format: String) {
        self.init()
        switch format {
        // No characters separate the parts.
        case "%Y%m%d": length = 8
        case "%Y%m%dT%H%M%S": length = 15
        case "%Y%m%d%H%M%S": length = 14
        default: break
        }
        if format.hasPrefix("%Y") { first = 4 }
        if format.hasSuffix("%Y") { last = 4 }
        if format.hasSuffix(":%M") || format.hasSuffix(":%S") { last = 2 }
        if length == 0 && first == 0 && last == 0 { return nil }
    }
}
