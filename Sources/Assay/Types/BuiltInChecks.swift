internal import CAssay
internal import Synchronization

/// Compiled built-in types by their text, so that `Requirement.email()` may be written where it is used.
///
/// Bounded: when it is full it starts over. Two threads that want the same new one at once may both compile it.
final class BuiltInChecks: Sendable {
    static let shared = BuiltInChecks()

    private struct Key: Hashable {
        let format: ExactText
        let engine: Pattern.Engine
    }

    private let capacity = 256
    private let leaves = Mutex<[Key: Leaf]>([:])

    /// - Throws: ``CompileError`` with the place in the format.
    func leaf(_ format: String, engine: Pattern.Engine) throws(CompileError) -> Leaf {
        let key = Key(format: ExactText(format), engine: engine)
        if let known = leaves.withLock({ $0[key] }) { return known }
        var error = assay_error()
        let handle = withCTexts([format]) { assay_check_create_builtin($0[0], engine.withoutThoseBefore, &error) }
        guard let handle else { throw CompileError(error, part: .format) }
        let leaf = Leaf(handle)
        if !Self.looksAtToday(format) {
            leaves.withLock { leaves in
                if leaves.count >= capacity { leaves.removeAll() }
                leaves[key] = leaf
            }
        }
        return leaf
    }

    /// Whether the type means another thing tomorrow.
    private static func looksAtToday(_ format: String) -> Bool {
        let words = format.split(separator: " ")
        return words.first == "date" && words.count > 1 && !words.contains { $0.hasPrefix("on=") }
    }
}
