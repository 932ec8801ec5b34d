internal import CAssay

extension Node {
    /// Judges one value, which must be well-formed UTF-8. Agrees with `judge(_:skip:scratch:into:)` on a column of it.
    func verdict(of value: UnsafeBufferPointer<UInt8>, scratch: OpaquePointer) -> Verdict {
        switch self {
        case .constant(let passes): return passes ? .pass : .fail
        case .leaf(let leaf): return leaf.verdict(of: value, scratch: scratch)

        case .characters(let leaf, let min, let max):
            let verdict = leaf.verdict(of: value, scratch: scratch)
            guard verdict == .undecided else { return verdict }
            let count = String(decoding: value, as: UTF8.self).count
            return count < min || count > max ? .fail : .pass

        case .all(let nodes):
            var result = Verdict.pass
            for node in nodes {
                switch node.verdict(of: value, scratch: scratch) {
                case .fail: return .fail
                case .undecided: result = .undecided
                case .pass: break
                }
            }
            return result

        case .any(let nodes):
            var result = Verdict.fail
            for node in nodes {
                switch node.verdict(of: value, scratch: scratch) {
                case .pass: return .pass
                case .undecided: result = .undecided
                case .fail: break
                }
            }
            return result

        case .not(let node):
            switch node.verdict(of: value, scratch: scratch) {
            case .pass: return .fail
            case .fail: return .pass
            case .undecided: return .undecided
            }

        case .when(let condition, let then):
            switch condition.verdict(of: value, scratch: scratch) {
            case .fail: return .pass
            case .pass: return then.verdict(of: value, scratch: scratch)
            case .undecided: return then.verdict(of: value, scratch: scratch) == .pass ? .pass : .undecided
            }
        }
    }
}

extension Leaf {
    @inline(__always)
    func verdict(of value: UnsafeBufferPointer<UInt8>, scratch: OpaquePointer) -> Verdict {
        Verdict(assay_check_value(handle, scratch, value.cBase, value.count))
    }
}
