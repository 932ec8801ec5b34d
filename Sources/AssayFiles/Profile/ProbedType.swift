internal import Assay
internal import CAssay

/// A type that values are tried for. Compiled, immutable and shared.
final class ProbedType: Sendable {
    let description: ValueType
    // SAFETY: made in `init`, freed in `deinit`, never changed between.
    nonisolated(unsafe) let check: OpaquePointer
    /// Of dates and times: what reads them; else `nil`.
    nonisolated(unsafe) let times: OpaquePointer?
    /// The check, where it needs it.
    nonisolated(unsafe) private let type: OpaquePointer?

    /// `nil`: there is no such type.
    init?(_ description: ValueType) {
        var error = assay_error()
        if description.kind == .string {
            let check = withText(description.format ?? "") { assay_check_create_builtin($0, 0, &error) }
            guard let check else { return nil }
            (self.check, type, times) = (check, nil, nil)
        } else {
            let made = withText(description.format ?? "") { format in
                var plain = assay_type_description()
                plain.kind = Self.kind(of: description.kind)
                plain.format = format
                return assay_type_create(&plain, &error)
            }
            guard let made else { return nil }
            guard let check = assay_check_create_type(made, 0) else {
                assay_type_free(made)
                return nil
            }
            (self.check, type) = (check, made)
            times = [.date, .time, .datetime].contains(description.kind) ? made : nil
        }
        self.description = description
    }

    deinit {
        assay_check_free(check)
        assay_type_free(type)
    }

    private static func kind(of kind: ValueType.Kind) -> assay_kind {
        switch kind {
        case .any, .string: .ASSAY_KIND_STRING
        case .integer: .ASSAY_KIND_INTEGER
        case .number: .ASSAY_KIND_NUMBER
        case .boolean: .ASSAY_KIND_BOOLEAN
        case .date: .ASSAY_KIND_DATE
        case .time: .ASSAY_KIND_TIME
        case .datetime: .ASSAY_KIND_DATETIME
        case .year: .ASSAY_KIND_YEAR
        case .yearmonth: .ASSAY_KIND_YEARMONTH
        case .duration: .ASSAY_KIND_DURATION
        case .list, .array, .object: preconditionFailure("a profile does not ask for lists, arrays and objects")
        }
    }

    /// Judges values: the bits of those that are not of the type, and of those that could not be decided.
    func judge(
        _ bytes: UnsafePointer<UInt8>, _ cells: UnsafePointer<assay_cell>, _ count: Int, skip: UnsafePointer<UInt64>,
        scratch: OpaquePointer, failed: UnsafeMutablePointer<UInt64>, undecided: UnsafeMutablePointer<UInt64>
    ) {
        assay_check_column(check, scratch, bytes, cells, count, skip, failed, undecided)
        for word in 0..<maskWords(count) { failed[word] |= undecided[word] }
    }
}

/// Lends a text to C.
private func withText<Result>(_ text: String, _ body: (assay_text) -> Result) -> Result {
    withUTF8(of: text) { body(assay_text(bytes: $0.cBase, count: $0.count)) }
}
