internal import CAssay

/// A ``Schema`` whose checks are compiled. Bind it to the columns of a table to run it.
///
/// Immutable and shared freely between threads.
package final class CompiledSchema: Sendable {
    package let schema: Schema
    let fields: [CompiledField]
    /// The rules between columns, in declared order.
    let rowRules: [CompiledRowRule]
    /// How the columns are read that those rules name, by field; `nil`: none names it.
    let rowVariables: [RowVariable?]
    package var fieldCount: Int { fields.count }
    /// Its keys, in reported order.
    package let keys: [CompiledKey]
    /// Its foreign keys, in reported order.
    package let foreignKeys: [CompiledForeignKey]
    /// How many rules have an id, those that a type, a format, `required` or a key makes among them.
    package var ruleCount: Int {
        fields.reduce(rowRules.count + keys.count + foreignKeys.count) { $0 + $1.rules.count }
    }

    /// - Parameter typing: how values tell their types.
    /// - Throws: ``CompileError``; its message names the field and the rule.
    package init(
        _ schema: Schema, engine: Pattern.Engine = .dfa, maxPatternBytes: Int = 10_000, typing: Typing = .text,
        cache: PatternCache = .shared
    ) throws(CompileError) {
        self.schema = schema
        let compiler = CheckCompiler(
            engine: engine, maxPatternBytes: maxPatternBytes, cache: cache, typing: typing)
        var fields: [CompiledField] = []
        for field in schema.fields {
            fields.append(try CompiledField(field, schema: schema, typing: typing, compiler: compiler))
        }
        self.fields = fields
        var rows: [CompiledRowRule] = []
        let columns = CELColumns(schema.rows.isEmpty ? [] : schema.fields)
        var budget = ReadingBudget.trusting
        for rule in schema.rows {
            do {
                rows.append(CompiledRowRule(try rule.program(for: schema.fields, columns, &budget), compiler: compiler))
            } catch {
                throw CompileError(error, in: rule)
            }
        }
        rowRules = rows
        let named = rows.reduce(into: Set<Int>()) { $0.formUnion($1.fields) }
        var variables: [RowVariable?] = []
        for (index, field) in schema.fields.enumerated() {
            guard named.contains(index) else {
                variables.append(nil)
                continue
            }
            // What JSON says is true is `true`, whatever the spellings.
            let type = typing.isStrict && field.type.kind == .boolean ? .boolean : field.type
            variables.append(try RowVariable(type, isJSON: typing.isStrict, isWholeNumber: typing == .jsonSchema))
        }
        rowVariables = variables
        if schema.keys.count + 2 * schema.foreignKeys.count > CompiledKey.most {
            throw CompileError(part: .check, message: "a table has at most \(CompiledKey.most) keys")
        }
        var keys: [CompiledKey] = []
        let places = FieldPlaces(schema.fields.lazy.map(\.name))
        for key in schema.keys { keys.append(try CompiledKey(key, schema, places, fields, typing: typing)) }
        self.keys = keys
        var foreignKeys: [CompiledForeignKey] = []
        for key in schema.foreignKeys {
            foreignKeys.append(try CompiledForeignKey(key, schema, places, fields, typing: typing))
        }
        self.foreignKeys = foreignKeys
    }
}

/// How values tell their types.
package enum Typing: Hashable, Sendable {
    /// By their text, as in CSV.
    case text
    /// By their text, and some values are none: objects and lists of JSON.
    case jsonText
    /// By what JSON says they are: strings, numbers, true and false.
    case jsonStrict
    /// As JSON Schema means them: null is a value, and every whole number an integer.
    case jsonSchema

    /// Whether the type of a value is that of JSON, and not that of its text.
    package var isStrict: Bool { self == .jsonStrict || self == .jsonSchema }

    /// The type by which values of a field are compared.
    func type(of declared: ValueType) -> ValueType {
        switch declared.kind {
        case .boolean where isStrict: .boolean
        case .integer where self == .jsonSchema: .number
        default: declared
        }
    }

    /// Whether a field of this type has to see a number of JSON; else a string.
    package static func isNumber(_ type: ValueType) -> Bool { [.integer, .number].contains(type.kind) }

    /// What JSON writes without quotes, of a type that must be so.
    fileprivate func literals(of type: ValueType) -> assay_json_literals {
        guard isStrict else { return .ASSAY_JSON_NO_LITERALS }
        if Self.isNumber(type) { return .ASSAY_JSON_NUMBERS }
        return type.kind == .boolean ? .ASSAY_JSON_BOOLEANS : .ASSAY_JSON_NO_LITERALS
    }
}

extension Check {
    /// Whether some part depends on the JSON type of the value.
    fileprivate var asksJSONType: Bool {
        switch self {
        case .jsonType: true
        case .type, .length, .count, .matches, .oneOf, .range, .multiple: false
        case .all(let checks), .any(let checks): checks.contains(where: \.asksJSONType)
        case .not(let check): check.asksJSONType
        case .when(let condition, let then): condition.asksJSONType || then.asksJSONType
        }
    }
}

/// One rule as it runs and as it is reported.
package struct CompiledRule: Sendable {
    package let id: String
    package let code: String
    package let severity: Severity
    package let message: String
    /// Of a rule between columns.
    package var expression: String?
    let node: Node

    /// See ``BoundSchema/copied()``.
    func copied() -> CompiledRule {
        CompiledRule(
            id: id, code: code, severity: severity, message: message, expression: expression, node: node.copied(),
            hasFailureReasons: hasFailureReasons, asksJSONType: asksJSONType,
            repairs: repairs.map { CompiledRepairs(sharing: $0) })
    }

    /// Whether a finding can say more than ``message``: the rule asks for a type that knows reasons, in words of ours.
    package let hasFailureReasons: Bool
    /// Whether it depends on the JSON type of the value, so that it also runs for null.
    var asksJSONType = false
    /// Of a type: repairs whose formats may have read a value that is not of it; `nil`: they have none.
    var repairs: CompiledRepairs?

    /// What its patterns run on; `nil` when it has none.
    package var engine: Pattern.Engine? { node.engine }

    /// The different plans of its patterns: which engine judges which values ("DFA; columns: DFA").
    package var plans: [String] { node.plans }
}

/// A field as it runs.
///
///     reported as   required, type, rule, rule …
///     asked in      missing? → required       (nothing else is asked of a missing value)
///     this order    present  → type → rules   (no rule is asked of a value of another type)
///
/// A class, as is a column: workers ask for them again and again, and copying a struct would count a reference for each of
/// its parts, which all threads share.
final class CompiledField: Sendable {
    let name: String
    /// Fails for missing values; `nil` when no text means "missing".
    let presence: Node?
    /// Whether no other text than the empty one means "missing".
    let onlyEmptyIsMissing: Bool
    /// In the order they are reported.
    let rules: [CompiledRule]
    /// Whether the first of the rules is `required`, and whether the next one is the type.
    let hasRequired: Bool
    let hasType: Bool
    /// Applied before all else; `nil`: none.
    let repairs: CompiledRepairs?
    /// What its values must be in JSON, where types are strict.
    let literals: assay_json_literals

    /// See ``BoundSchema/copied()``.
    init(copying other: CompiledField) {
        name = other.name
        presence = other.presence?.copied()
        onlyEmptyIsMissing = other.onlyEmptyIsMissing
        rules = other.rules.map { $0.copied() }
        hasRequired = other.hasRequired
        hasType = other.hasType
        repairs = other.repairs.map { CompiledRepairs(sharing: $0) }
        literals = other.literals
    }

    init(_ field: Field, schema: Schema, typing: Typing, compiler: CheckCompiler) throws(CompileError) {
        name = field.name
        literals = typing.literals(of: field.type)
        var rules: [CompiledRule] = []

        /// - Parameters:
        ///   - words: what is said in place of the check's message, and of the reasons behind it; `nil`: nothing.
        ///   - repairs: see ``CompiledRule/repairs``.
        func add(
            id: String, code: String, check: Check, severity: Severity, words: String?, message: String? = nil,
            repairs: CompiledRepairs? = nil
        ) throws(CompileError) {
            do {
                let node = try compiler.compile(check)
                rules.append(
                    CompiledRule(
                        id: id, code: code, severity: severity, message: words ?? message ?? check.failureMessage,
                        node: node, hasFailureReasons: words == nil && node.hasFailureReasons,
                        asksJSONType: check.asksJSONType, repairs: repairs))
            } catch {
                throw CompileError(
                    part: error.part, message: "field '\(field.name)', rule '\(id)': \(error.message)",
                    offset: error.offset)
            }
        }

        // In JSON Schema the empty text is a value like any other.
        let isDefault = typing == .jsonSchema && schema.missingValues == Schema().missingValues
        let missing = field.missingValues ?? (isDefault ? [] : schema.missingValues)
        let fillsMissing = field.repair.contains { repair in
            switch repair {
            case .missing, .default: true
            default: false
            }
        }
        do throws(CompileError) {
            if typing == .jsonSchema && fillsMissing && !missing.contains("") {
                throw CompileError(
                    part: .check,
                    message:
                        "'missing' and 'default' need missingValues: [''], because the empty text is a value in JSON Schema"
                )
            }
            if typing != .text && field.type.hasMembers && !field.repair.isEmpty {
                throw CompileError(
                    part: .check, message: "\(field.type.kind.withArticle) of JSON has no text that could be repaired")
            }
            repairs =
                field.repair.isEmpty
                ? nil
                : try CompiledRepairs(
                    field.repair, of: field.type, missingValues: missing, maxPatternBytes: compiler.maxPatternBytes)
        } catch {
            throw CompileError(
                part: error.part, message: "field '\(field.name)', repair: \(error.message)", offset: error.offset)
        }
        onlyEmptyIsMissing = missing == [""]
        if missing.isEmpty {
            presence = nil
        } else if onlyEmptyIsMissing {
            presence = .leaf(Leaf(assay_check_create_length(1, Int.max, .ASSAY_LENGTH_BYTES)))
        } else {
            presence = .not(try compiler.compile(.oneOf(missing)))
        }

        // A missing text may be null.
        hasRequired = field.isRequired && (typing == .jsonSchema || !field.isNullable)
        if hasRequired {
            rules.append(
                CompiledRule(
                    id: "\(name).required", code: "required", severity: .reject, message: "is missing",
                    node: .constant(true), hasFailureReasons: false))
        }
        let asksText =
            !field.type.isAnyJSON
            && (![.any, .string].contains(field.type.kind) || ![nil, "default"].contains(field.type.format))
        let asksJSON = typing != .text && !field.type.isAnyJSON
        hasType = asksText || asksJSON
        if typing.isStrict && field.type.kind == .boolean || !asksText && asksJSON {
            // What JSON says it is decides.
            let (message, code) = (
                field.type.kind == .any ? "is an object or a list" : field.type.failureMessage, "type"
            )
            rules.append(
                CompiledRule(
                    id: "\(name).type", code: code, severity: .reject, message: message, node: .constant(true),
                    hasFailureReasons: false))
        } else if hasType {
            let code = field.type.ruleCode
            try add(
                id: "\(name).\(code)", code: code, check: .type(field.type), severity: .reject, words: nil,
                message: field.typeMessage, repairs: field.hasRepairReasons ? repairs : nil)
        }
        for rule in field.rules {
            try add(
                id: rule.id, code: rule.code, check: rule.check, severity: rule.severity, words: rule.message)
        }
        self.rules = rules
    }
}
