internal import CAssay

/// Compiled types by what they are, so that `Requirement.email()` may be written where it is used, and columns of one type
/// share the tables that judge them.
///
/// Bounded: when it is full it starts over, and types with words of their own, which may be many, are not kept. Two threads
/// that want the same new one at once may both compile it.
final class TypeChecks: Sendable {
    static let shared = TypeChecks()

    private struct Key: Hashable {
        let type: ValueType
        let isJSON: Bool
        let engine: Pattern.Engine
    }

    private let capacity = 256
    private let leaves = Lock<[Key: Leaf]>([:])

    /// - Parameter isJSON: whether lists are arrays of JSON.
    /// - Throws: ``CompileError`` with the place in the format.
    func leaf(_ type: ValueType, engine: Pattern.Engine, isJSON: Bool = false) throws(CompileError) -> Leaf {
        if type.trueValues != nil || type.falseValues != nil { return try make(type, engine, isJSON) }
        let key = Key(type: type, isJSON: isJSON, engine: engine)
        if let known = leaves.withLock({ $0[key] }) { return known }
        let leaf = try make(type, engine, isJSON)
        if !looksAtToday(type) {
            leaves.withLock { leaves in
                if leaves.count >= capacity { leaves.removeAll() }
                leaves[key] = leaf
            }
        }
        return leaf
    }

    private func make(_ type: ValueType, _ engine: Pattern.Engine, _ isJSON: Bool) throws(CompileError) -> Leaf {
        guard type.kind == .string, let format = type.format else {
            let type = try CompiledType(type, isJSON: isJSON)
            return Leaf(assay_check_create_type(type.handle, engine.withoutThoseBefore), type: type)
        }
        var error = assay_error()
        let handle = withCTexts([format]) { assay_check_create_builtin($0[0], engine.withoutThoseBefore, &error) }
        guard let handle else { throw CompileError(error, part: .format) }
        return Leaf(handle)
    }

    /// Whether the type means another thing tomorrow.
    private func looksAtToday(_ type: ValueType) -> Bool {
        let words = type.kind == .string ? type.format?.split(separator: " ") ?? [] : []
        return words.first == "date" && words.count > 1 && !words.contains { $0.hasPrefix("on=") }
    }
}
