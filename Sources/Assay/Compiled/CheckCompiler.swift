internal import CAssay

/// Turns a ``Check`` into a tree of nodes.
struct CheckCompiler {
    var engine: Pattern.Engine
    var maxPatternBytes: Int
    var cache: PatternCache
    /// How values tell their types: in JSON a list is an array.
    var typing = Typing.text

    func compile(_ check: Check) throws(CompileError) -> Node {
        switch check {
        case .type(let type): try node(of: type)
        case .length(let min, let max, let unit): try length(min: min, max: max, unit: unit)
        case .count(let min, let max, let type): try count(min: min, max: max, of: type)
        case .matches(let source, let options):
            .leaf(Leaf(try cache.pattern(source, options: options, engine: engine, maxBytes: maxPatternBytes)))
        case .oneOf(let values, let type): .leaf(try set(values, of: type))
        case .range(let min, let max, let type): try range(min: min, max: max, of: type)
        case .all(let checks): .all(try compile(checks))
        case .any(let checks): .any(try compile(checks))
        case .not(let check): .not(try compile(check))
        case .when(let condition, let then): .when(try compile(condition), then: try compile(then))
        }
    }

    private func compile(_ checks: [Check]) throws(CompileError) -> [Node] {
        var nodes: [Node] = []
        for check in checks { nodes.append(try compile(check)) }
        return nodes
    }

    private func node(of type: ValueType) throws(CompileError) -> Node {
        switch (type.kind, type.format) {
        case (.any, nil), (.any, "json"), (.string, nil), (.string, "default"): .constant(true)
        default: .leaf(try TypeChecks.shared.leaf(type, engine: engine, isJSON: typing == .jsonStrict))
        }
    }

    private func length(min: Int?, max: Int?, unit: LengthUnit) throws(CompileError) -> Node {
        for (bound, part) in [(min, CompileError.Part.minimum), (max, .maximum)] {
            if let bound, bound < 0 { throw CompileError(part: part, message: "a length is not negative") }
        }
        let (low, high) = (min ?? 0, max ?? Int.max)
        if low > high {
            throw CompileError(part: .check, message: "the maximum \(high) is less than the minimum \(low)")
        }
        let leaf = Leaf(assay_check_create_length(low, high, unit.cValue))
        return unit == .characters ? .characters(leaf, min: low, max: high) : .leaf(leaf)
    }

    private func count(min: Int?, max: Int?, of type: ValueType) throws(CompileError) -> Node {
        for (bound, part) in [(min, CompileError.Part.minimum), (max, .maximum)] {
            if let bound, bound < 0 { throw CompileError(part: part, message: "a number of items is not negative") }
        }
        let compiled = try CompiledType(type, isJSON: typing == .jsonStrict)
        var error = assay_error()
        guard let handle = assay_check_create_count(compiled.handle, min ?? 0, max ?? Int.max, &error) else {
            throw CompileError(error, part: .check)
        }
        return .leaf(Leaf(handle, type: compiled))
    }

    private func set(_ values: [String], of type: ValueType) throws(CompileError) -> Leaf {
        let type = try CompiledType(type, isJSON: typing == .jsonStrict)
        var error = assay_error()
        let handle = withCTexts(values) { assay_check_create_set(type.handle, $0.baseAddress, $0.count, &error) }
        guard let handle else { throw CompileError(error, part: .value(error.offset)) }
        return Leaf(handle, type: type)
    }

    private func range(min: Bound?, max: Bound?, of type: ValueType) throws(CompileError) -> Node {
        if [.any, .string, .boolean].contains(type.kind) || type.hasMembers {
            throw CompileError(part: .check, message: "\(type.kind.withArticle) has no minimum or maximum")
        }
        for (bound, part) in [(min, CompileError.Part.minimum), (max, .maximum)] where bound?.text.isEmpty == true {
            throw CompileError(part: part, message: "a bound is not empty; leave it out to have none")
        }
        if min == nil && max == nil { return .constant(true) }
        let type = try CompiledType(type)
        var error = assay_error()
        let handle = withCTexts([min?.text ?? "", max?.text ?? ""]) { texts in
            assay_check_create_range(
                type.handle,
                assay_bound(text: texts[0], exclusive: min?.isExclusive ?? false),
                assay_bound(text: texts[1], exclusive: max?.isExclusive ?? false), engine.withoutThoseBefore, &error)
        }
        guard let handle else { throw CompileError(error, part: error.offset == 0 ? .minimum : .maximum) }
        return .leaf(Leaf(handle, type: type))
    }
}

extension LengthUnit {
    fileprivate var cValue: assay_length_unit {
        switch self {
        case .scalars: .ASSAY_LENGTH_SCALARS
        case .utf8: .ASSAY_LENGTH_BYTES
        case .utf16: .ASSAY_LENGTH_UTF16
        case .characters: .ASSAY_LENGTH_CHARACTERS
        }
    }
}
