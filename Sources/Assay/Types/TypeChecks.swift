internal import CAssay

/// A cache of compiled types, so that calls such as `Requirement.email()` are cheap, and columns of one type share
/// their tables.
///
/// The capacity is limited: a full cache is emptied. Types with custom spellings of Booleans are not cached, because
/// there may be many. Two threads that request the same new type at the same time may both compile it.
final class TypeChecks: Sendable {
    static let shared = TypeChecks()

    private struct Key: Hashable {
        let type: ValueType
        let isJSON: Bool
        let engine: Pattern.Engine
    }

    private init() {}

    private let capacity = 256
    private let leaves = Lock<[Key: Leaf]>(ofProcess: [:])

    /// - Parameter isJSON: Whether lists are JSON arrays.
    /// - Throws: ``CompileError`` with the position in the format.
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

    /// Whether the meaning of the type depends on the current date.
    private func looksAtToday(_ type: ValueType) -> Bool {
        let words = type.kind == .string ? type.format?.split(separator: " ") ?? [] : []
        return words.first == "date" && words.count > 1 && !words.contains { $0.hasPrefix("on=") }
    }
}
