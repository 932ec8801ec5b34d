internal import CAssay

extension Node {
    /// The verdict on one value, which must be well-formed UTF-8. Must agree with `evaluate(_:skip:scratch:into:)` for
    /// a column with that value.
    func verdict(of value: UnsafeBufferPointer<UInt8>, scratch: OpaquePointer) -> Verdict {
        switch self {
        case .constant(let passes): return passes ? .pass : .fail
        case .leaf(let leaf): return leaf.verdict(of: value, scratch: scratch)

        case .characters(let leaf, let min, let max):
            let verdict = leaf.verdict(of: value, scratch: scratch)
            guard verdict == .undecided else { return verdict }
            let count = String(decoding: value, as: UTF8.self).count
            return count < min || count > max ? .fail : .pass

        case .kinds(_, let ofText): return ofText.verdict(of: value, scratch: scratch)
        case .all(let nodes): return KleeneOperator.and.combine(nodes) { $0.verdict(of: value, scratch: scratch) }
        case .any(let nodes): return KleeneOperator.or.combine(nodes) { $0.verdict(of: value, scratch: scratch) }
        case .not(let node): return node.verdict(of: value, scratch: scratch).negated

        case .when(let condition, let then):
            return condition.verdict(of: value, scratch: scratch).implies { then.verdict(of: value, scratch: scratch) }
        }
    }
}

extension Leaf {
    @inline(__always)
    func verdict(of value: UnsafeBufferPointer<UInt8>, scratch: OpaquePointer) -> Verdict {
        Verdict(assay_check_value(handle, scratch, value.cBase, value.count))
    }
}
