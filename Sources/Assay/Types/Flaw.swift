internal import CAssay

/// What is wrong with a value of a built-in type, beyond that it is none.
///
///     Requirement<String>.iban().evaluate("DE88370400440532013000").reason?.parameters["flaw"]
///     // check-digits: "the check digits do not fit the rest"
///
/// Looked for only in values that failed, and proved: a value is said to have white space around it when it would pass
/// without. It holds nothing of the value.
package struct Flaw: Hashable, Sendable, Codable {
    /// For programs, and the key of its sentence in a ``MessageCatalog``: `check-digits` is under `flaw.check-digits`.
    package var name: String

    /// In English; goes on behind "is not an IBAN: ".
    package var text: String

    /// All that are ever found.
    package static let all: [Flaw] = {
        var all: [Flaw] = []
        while let flaw = assay_failure_reason_at(all.count) {
            all.append(Flaw(name: String(cString: flaw.pointee.name), text: String(cString: flaw.pointee.text)))
        }
        return all
    }()
}

extension CompiledCheck {
    /// What is wrong with a value that fails this check as it is not of a built-in type; `nil` where nothing more is known
    /// or something else failed. Thread-safe; takes a few times as long as the verdict.
    package func flaw(of value: String) -> Flaw? {
        withUTF8(of: value) { bytes in
            withThreadScratch { node.flaw(of: bytes, scratch: $0).map { Flaw.all[$0] } }
        }
    }
}

extension Node {
    /// The place in ``Flaw/all`` of what is wrong with a value, as the first built-in type in it that fails says.
    func flaw(of value: UnsafeBufferPointer<UInt8>, scratch: OpaquePointer) -> Int? {
        switch self {
        case .leaf(let leaf):
            guard let flaw = assay_check_failure_reason(leaf.handle, scratch, value.cBase, value.count) else {
                return nil
            }
            return assay_failure_reason_at(0).map { $0.distance(to: flaw) }
        case .all(let nodes):
            return nodes.first { $0.verdict(of: value, scratch: scratch) == .fail }?.flaw(of: value, scratch: scratch)
        case .constant, .characters, .any, .not, .when:
            return nil
        }
    }

    /// Whether it is one built-in type, of whose values more can be said.
    var isBuiltIn: Bool {
        if case .leaf(let leaf) = self { assay_check_is_builtin(leaf.handle) } else { false }
    }
}
