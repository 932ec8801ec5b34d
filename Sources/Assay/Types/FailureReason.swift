internal import CAssay

/// What is wrong with a value of a built-in type, or with a date or time, beyond that it is none.
///
///     Requirement<String>.iban().evaluate("DE88370400440532013000").reason?.parameters["failureReason"]
///     // check-digits: "the check digits do not fit the rest"
///
/// Looked for only in values that failed, and proved: a value is said to have white space around it when it would pass
/// without. It holds nothing of the value.
package struct FailureReason: Hashable, Sendable, Codable {
    /// For programs, and the key of its sentence in a ``MessageCatalog``: `check-digits` is under `failureReason.check-digits`.
    package var name: String

    /// In English; goes on behind "is not an IBAN: ".
    package var text: String

    /// All that are ever found.
    package static let all: [FailureReason] = {
        var all: [FailureReason] = []
        while let failureReason = assay_failure_reason_at(all.count) {
            all.append(
                FailureReason(
                    name: String(cString: failureReason.pointee.name), text: String(cString: failureReason.pointee.text)
                ))
        }
        return all
    }()
}

extension CompiledCheck {
    /// What is wrong with a value that fails this check as it is not of a type; `nil` where nothing more is known
    /// or something else failed. Thread-safe; takes a few times as long as the verdict.
    package func failureReason(of value: String) -> FailureReason? {
        withUTF8(of: value) { bytes in
            withThreadScratch { node.failureReason(of: bytes, scratch: $0).map { FailureReason.all[$0] } }
        }
    }
}

extension CompiledRepairs {
    /// The place in ``FailureReason/all`` of what is wrong with a value that is not of its type although a format of
    /// ``Repair/canonical(_:)`` reads it; `nil`: none does, or nothing more is known.
    func failureReason(of value: UnsafeBufferPointer<UInt8>, scratch: OpaquePointer) -> Int? {
        guard let reason = assay_repairs_failure_reason(handle, scratch, value.cBase, value.count) else { return nil }
        return assay_failure_reason_at(0).map { $0.distance(to: reason) }
    }
}

extension Node {
    /// The place in ``FailureReason/all`` of what is wrong with a value, as the first type in it that fails says.
    func failureReason(of value: UnsafeBufferPointer<UInt8>, scratch: OpaquePointer) -> Int? {
        switch self {
        case .leaf(let leaf):
            guard let failureReason = assay_check_failure_reason(leaf.handle, scratch, value.cBase, value.count) else {
                return nil
            }
            return assay_failure_reason_at(0).map { $0.distance(to: failureReason) }
        case .all(let nodes):
            return nodes.first { $0.verdict(of: value, scratch: scratch) == .fail }?.failureReason(
                of: value, scratch: scratch)
        case .constant, .characters, .kinds, .any, .not, .when:
            return nil
        }
    }

    /// Whether it is one type of whose values more can be said: a built-in one, or dates and times in their ISO 8601 forms.
    var hasFailureReasons: Bool {
        if case .leaf(let leaf) = self { assay_check_has_reasons(leaf.handle) } else { false }
    }
}
