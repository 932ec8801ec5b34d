internal import CAssay

/// A ``Check`` in executable form. A ``Requirement`` consists of compiled checks, and so do rule files.
///
/// Immutable; any number of threads may use one value at the same time.
package final class CompiledCheck: Sendable {
    /// The source of this check.
    package let description: Check

    let node: Node

    /// - Parameters:
    ///   - engine: The first engine to try for each pattern.
    ///   - maxPatternBytes: The maximum length of a pattern, in bytes.
    ///   - cache: The cache of compiled patterns.
    /// - Throws: ``CompileError`` with the invalid part of the check and the position.
    package init(
        _ check: Check, engine: Pattern.Engine = .dfa, maxPatternBytes: Int = 10_000,
        cache: PatternCache = .shared
    ) throws(CompileError) {
        description = check
        let compiler = CheckCompiler(engine: engine, maxPatternBytes: maxPatternBytes, cache: cache)
        node = try compiler.compile(check)
    }

    /// The pattern, if the check is a single pattern.
    package var pattern: Pattern? { if case .leaf(let leaf) = node { leaf.pattern } else { nil } }

    /// The verdict on one value under the default ``MatchLimits``. Thread-safe. Does not allocate memory, except for a
    /// length in characters of a non-ASCII value.
    package func verdict(of value: String) -> Verdict { withUTF8(of: value) { verdict(of: $0) } }

    /// The verdict on one value, which must be well-formed UTF-8.
    @inline(__always)
    func verdict(of value: UnsafeBufferPointer<UInt8>) -> Verdict {
        withThreadScratch { node.verdict(of: value, scratch: $0) }
    }
}

/// The tree of a compiled check. Leaves run in the C core; the other nodes combine whole masks.
indirect enum Node: Sendable {
    case constant(Bool)
    case leaf(Leaf)
    /// A length in characters. The C core checks ASCII values and leaves the others to Swift.
    case characters(Leaf, min: Int, max: Int)
    /// The value has one of these JSON kinds, a set of bits `1 << assay_json_kind`. `ofText` decides for values that
    /// are only text.
    case kinds(UInt32, ofText: Node)
    case all([Node])
    case any([Node])
    case not(Node)
    case when(Node, then: Node)
}

extension Node {
    /// A copy that shares only the handles of the C core.
    func copied() -> Node {
        switch self {
        case .constant: self
        case .leaf(let leaf): .leaf(Leaf(sharing: leaf))
        case .characters(let leaf, let min, let max): .characters(Leaf(sharing: leaf), min: min, max: max)
        case .kinds(let kinds, let ofText): .kinds(kinds, ofText: ofText.copied())
        case .all(let nodes): .all(nodes.map { $0.copied() })
        case .any(let nodes): .any(nodes.map { $0.copied() })
        case .not(let node): .not(node.copied())
        case .when(let condition, let then): .when(condition.copied(), then: then.copied())
        }
    }

    /// The last engine, in declared order, that a pattern in the tree needs; `nil` without patterns.
    var engine: Pattern.Engine? {
        switch self {
        case .constant, .characters: nil
        case .kinds(_, let ofText): ofText.engine
        case .leaf(let leaf): leaf.engine
        case .not(let node): node.engine
        case .all(let nodes), .any(let nodes):
            Pattern.Engine.allCases.last { engine in nodes.contains { $0.engine == engine } }
        case .when(let condition, let then): Node.all([condition, then]).engine
        }
    }

    /// The distinct plans of the patterns in the tree, in evaluation order; see ``Pattern/plan``.
    var plans: [String] {
        switch self {
        case .constant, .characters: []
        case .kinds(_, let ofText): ofText.plans
        case .leaf(let leaf): leaf.plan.map { [$0] } ?? []
        case .not(let node): node.plans
        case .all(let nodes), .any(let nodes):
            nodes.flatMap(\.plans).reduce(into: []) { plans, plan in if !plans.contains(plan) { plans.append(plan) } }
        case .when(let condition, let then): Node.all([condition, then]).plans
        }
    }
}

/// A check of the C core, with the objects that it refers to.
final class Leaf: Sendable {
    // SAFETY: an assay_check does not change after its creation (core.h, "House rules").
    nonisolated(unsafe) let handle: OpaquePointer
    let pattern: Pattern?
    private let type: CompiledType?
    /// The owner of the handle; `nil` if this leaf owns it.
    private let owner: Leaf?

    init(_ pattern: Pattern) {
        guard let handle = assay_check_create_pattern(pattern.handle) else { outOfMemory() }
        self.handle = handle
        self.pattern = pattern
        type = nil
        owner = nil
    }

    init(_ handle: OpaquePointer?, type: CompiledType? = nil) {
        guard let handle else { outOfMemory() }
        self.handle = handle
        self.type = type
        pattern = nil
        owner = nil
    }

    init(sharing owner: Leaf) {
        handle = owner.handle
        pattern = owner.pattern
        type = nil
        self.owner = owner
    }

    deinit { if owner == nil { assay_check_free(handle) } }

    /// The engine of its pattern; `nil` if it has no pattern.
    var engine: Pattern.Engine? { assay_check_pattern(handle).map { Pattern.Engine(running: $0) } }

    /// The plan of its pattern; `nil` if it has no pattern.
    var plan: String? { assay_check_pattern(handle).map { Pattern.plan(of: $0) } }
}

/// A type of the C core.
package final class CompiledType: Sendable {
    // SAFETY: an assay_type does not change after its creation (core.h, "House rules").
    nonisolated(unsafe) package let handle: OpaquePointer

    /// - Parameter isJSON: Whether lists are JSON arrays.
    package init(_ type: ValueType, isJSON: Bool = false) throws(CompileError) {
        var error = assay_error()
        let texts = [
            type.kind == .string ? "" : type.format ?? "", type.decimalChar ?? "", type.groupChar ?? "",
            type.delimiter ?? "",
        ]
        let handle = withCTexts(texts) { texts in
            withCTexts(type.trueValues ?? []) { trueValues in
                withCTexts(type.falseValues ?? []) { falseValues in
                    var description = assay_type_description(
                        kind: type.kind.cValue, format: texts[0], decimal_char: texts[1], group_char: texts[2],
                        allow_extra: !type.isBareNumber,
                        true_values: trueValues.baseAddress, true_count: trueValues.count,
                        false_values: falseValues.baseAddress, false_count: falseValues.count,
                        item_kind: (type.itemType ?? .string).cValue, delimiter: texts[3], is_json: isJSON)
                    return assay_type_create(&description, &error)
                }
            }
        }
        guard let handle else { throw CompileError(error, part: type.format == nil ? .type : .format) }
        self.handle = handle
    }

    deinit { assay_type_free(handle) }
}

extension ValueType.Kind {
    /// The name with its article, such as "an array".
    package var withArticle: String {
        [.any, .integer, .array, .object].contains(self) ? "an \(rawValue)" : "a \(rawValue)"
    }

    var cValue: assay_kind {
        switch self {
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
        case .list: .ASSAY_KIND_LIST
        case .array: .ASSAY_KIND_ARRAY
        case .object: .ASSAY_KIND_OBJECT
        }
    }
}
