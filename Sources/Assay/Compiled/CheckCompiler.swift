internal import CAssay

/// A compiler from a ``Check`` to a tree of nodes.
struct CheckCompiler {
    var engine: Pattern.Engine
    var maxPatternBytes: Int
    var cache: PatternCache
    /// The typing of values. In JSON, a list is an array.
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
        case .multiple(let divisor, let type): .leaf(try multiple(of: divisor, type))
        case .jsonType(let types): try kinds(types)
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

    /// The type for comparisons. In JSON Schema, integers are numbers, because `1.0` is an integer.
    private func evaluatedType(_ type: ValueType) -> ValueType {
        typing == .jsonSchema && type.kind == .integer ? .number : type
    }

    private func multiple(of divisor: String, _ type: ValueType) throws(CompileError) -> Leaf {
        let type = try CompiledType(evaluatedType(type))
        var error = assay_error()
        let handle = withCTexts([divisor]) { assay_check_create_multiple(type.handle, $0[0], &error) }
        guard let handle else { throw CompileError(error, part: .check) }
        return Leaf(handle, type: type)
    }

    private func kinds(_ types: [JSONType]) throws(CompileError) -> Node {
        var bits: UInt32 = 0
        var ofText: [Node] = []
        for type in types {
            switch type {
            case .string:
                bits |= 1 << assay_json_kind.ASSAY_JSON_STRING.rawValue
                ofText.append(.constant(true))
            case .number:
                bits |= 1 << assay_json_kind.ASSAY_JSON_NUMBER.rawValue
                ofText.append(try compile(.jsonNumber))
            case .integer:
                ofText.append(try compile(.all([.jsonNumber, .multiple(of: "1")])))
            case .boolean:
                bits |= 1 << assay_json_kind.ASSAY_JSON_BOOLEAN.rawValue
                ofText.append(try compile(.oneOf(["true", "false"])))
            case .null: bits |= 1 << assay_json_kind.ASSAY_JSON_NULL.rawValue
            case .array:
                bits |= 1 << assay_json_kind.ASSAY_JSON_ARRAY.rawValue
                ofText.append(try compile(.type(.array)))
            case .object:
                bits |= 1 << assay_json_kind.ASSAY_JSON_OBJECT.rawValue
                ofText.append(try compile(.type(.object)))
            }
        }
        let node = Node.kinds(bits, ofText: types.contains(.string) ? Node.constant(true) : Node.any(ofText))
        if !types.contains(.integer) || types.contains(.number) { return node }
        // A whole number, if the value is a JSON number.
        let number = Node.kinds(
            1 << assay_json_kind.ASSAY_JSON_NUMBER.rawValue, ofText: try compile(.jsonNumber))
        return .any([node, .all([number, .leaf(try multiple(of: "1", .number))])])
    }

    private func node(of type: ValueType) throws(CompileError) -> Node {
        if typing == .jsonSchema && type.kind == .integer {
            return .all([try node(of: .number), .leaf(try multiple(of: "1", .number))])
        }
        switch (type.kind, type.format) {
        case (.any, nil), (.any, "json"), (.string, nil), (.string, "default"): return .constant(true)
        default: return .leaf(try TypeChecks.shared.leaf(type, engine: engine, isJSON: typing.isStrict))
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
        let compiled = try CompiledType(type, isJSON: typing.isStrict)
        var error = assay_error()
        guard let handle = assay_check_create_count(compiled.handle, min ?? 0, max ?? Int.max, &error) else {
            throw CompileError(error, part: .check)
        }
        return .leaf(Leaf(handle, type: compiled))
    }

    private func set(_ values: [String], of type: ValueType) throws(CompileError) -> Leaf {
        let type = try CompiledType(evaluatedType(type), isJSON: typing.isStrict)
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
            throw CompileError(part: part, message: "a bound must not be empty; leave it out if there is no bound")
        }
        if min == nil && max == nil { return .constant(true) }
        let type = try CompiledType(evaluatedType(type))
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

extension Check {
    /// A text with the syntax of a JSON number.
    fileprivate static let jsonNumber = Check.matches(pattern: #"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?"#)
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
