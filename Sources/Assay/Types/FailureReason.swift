internal import CAssay

/// The reason why a value is not of a built-in type or not a date or time.
///
///     Requirement<String>.iban().evaluate("DE88370400440532013000").reason?.parameters["failureReason"]
///     // check-digits: "the check digits do not fit the rest"
///
/// Determined only for values that failed, and verified: the reason is white space around a value only if the value
/// passes without it. A failure reason does not contain the value.
package struct FailureReason: Hashable, Sendable, Codable {
    /// The name for programs. The ``MessageCatalog`` key of `check-digits` is `failureReason.check-digits`.
    package var name: String

    /// The English text, which follows "is not an IBAN: ".
    package var text: String

    /// All failure reasons.
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
    /// The failure reason of a value that fails this check because it is not of a type; `nil` if there is no known
    /// reason or another part failed. Thread-safe. Takes a few times as long as the verdict.
    package func failureReason(of value: String) -> FailureReason? {
        withUTF8(of: value) { bytes in
            withThreadScratch { node.failureReason(of: bytes, scratch: $0).map { FailureReason.all[$0] } }
        }
    }
}

extension CompiledRepairs {
    /// The index in ``FailureReason/all`` for a value that a format of ``Repair/canonical(_:)`` reads although it is
    /// not of the type; `nil` if no format reads it or the reason is unknown.
    func failureReason(of value: UnsafeBufferPointer<UInt8>, scratch: OpaquePointer) -> Int? {
        guard let reason = assay_repairs_failure_reason(handle, scratch, value.cBase, value.count) else { return nil }
        return assay_failure_reason_at(0).map { $0.distance(to: reason) }
    }
}

extension Node {
    /// The index in ``FailureReason/all`` for a value, from the first type in the tree that fails.
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

    /// Whether the node is a single type with failure reasons: a built-in type, or dates and times in their ISO 8601
    /// forms.
    var hasFailureReasons: Bool {
        if case .leaf(let leaf) = self { assay_check_has_reasons(leaf.handle) } else { false }
    }
}
