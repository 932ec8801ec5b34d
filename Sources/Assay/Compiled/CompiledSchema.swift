internal import CAssay

/// A ``Schema`` with compiled checks. Bind it to the columns of a table to run it.
///
/// Immutable; any number of threads may use one value at the same time.
package final class CompiledSchema: Sendable {
    package let schema: Schema
    let fields: [CompiledField]
    /// The row rules, in declared order.
    let rowRules: [CompiledRowRule]
    /// The variables of row rules, by field; `nil` for fields that no row rule uses.
    let rowVariables: [RowVariable?]
    package var fieldCount: Int { fields.count }
    /// Whether a row rule depends on the time of the run.
    package var usesNow: Bool { rowRules.contains { $0.program.usesNow } }
    /// The keys and the sorted columns, in reporting order.
    package let keys: [CompiledKey]
    /// The column that decides which record with a key is kept; `nil` if the order of the records decides.
    package let preference: CompiledPreference?
    /// The foreign keys, in reporting order.
    package let foreignKeys: [CompiledForeignKey]
    /// The number of rules with an id, including those from a type, a format, `required` or a key.
    package var ruleCount: Int {
        fields.reduce(rowRules.count + keys.count + foreignKeys.count) { $0 + $1.rules.count }
    }

    /// - Parameter typing: The typing of values.
    /// - Throws: ``CompileError`` with a message that names the field and the rule.
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
        rowRules = try Self.rowRules(of: schema, compiler)
        rowVariables = try Self.variables(of: schema, in: rowRules, typing)
        let places = FieldPlaces(schema.fields.lazy.map(\.name))
        keys = try CompiledKey.all(of: schema, places, fields, typing: typing)
        preference = try CompiledPreference(schema, places, fields, typing: typing)
        var foreignKeys: [CompiledForeignKey] = []
        for key in schema.foreignKeys {
            foreignKeys.append(try CompiledForeignKey(key, schema, places, fields, typing: typing))
        }
        self.foreignKeys = foreignKeys
    }

    private static func rowRules(
        of schema: Schema, _ compiler: CheckCompiler
    ) throws(CompileError) -> [CompiledRowRule] {
        let columns = CELColumns(schema.rows.isEmpty ? [] : schema.fields)
        var budget = ReadingBudget.trusting
        var rules: [CompiledRowRule] = []
        for rule in schema.rows {
            do {
                rules.append(
                    CompiledRowRule(try rule.program(for: schema.fields, columns, &budget), compiler: compiler))
            } catch {
                throw CompileError(error, in: rule)
            }
        }
        return rules
    }

    /// Returns, by field, the variable of the row rules; `nil` if no rule names the field.
    private static func variables(
        of schema: Schema, in rules: [CompiledRowRule], _ typing: Typing
    ) throws(CompileError) -> [RowVariable?] {
        let named = rules.reduce(into: Set<Int>()) { $0.formUnion($1.fields) }
        var variables: [RowVariable?] = []
        for (index, field) in schema.fields.enumerated() {
            guard named.contains(index) else {
                variables.append(nil)
                continue
            }
            // A JSON Boolean is `true` or `false`, independently of the field's spellings.
            let type = typing.isStrict && field.type.kind == .boolean ? .boolean : field.type
            variables.append(try RowVariable(type, isJSON: typing.isStrict, isWholeNumber: typing == .jsonSchema))
        }
        return variables
    }
}

/// The way in which the type of a value is determined.
package enum Typing: Hashable, Sendable {
    /// From the text, as in CSV.
    case text
    /// From the text, except that JSON objects and lists have no text.
    case jsonText
    /// From the JSON type: string, number or Boolean.
    case jsonStrict
    /// From the JSON type as in JSON Schema: null is a value, and every whole number is an integer.
    case jsonSchema

    /// Whether the JSON type of a value decides, instead of its text.
    package var isStrict: Bool { self == .jsonStrict || self == .jsonSchema }

    /// The type for comparing values of a field.
    func type(of declared: ValueType) -> ValueType {
        switch declared.kind {
        case .boolean where isStrict: .boolean
        case .integer where self == .jsonSchema: .number
        default: declared
        }
    }

    /// Whether a field of this type expects JSON numbers; otherwise it expects strings.
    package static func isNumber(_ type: ValueType) -> Bool { [.integer, .number].contains(type.kind) }

    /// The JSON literals without quotes that the type requires, if typing is strict.
    fileprivate func literals(of type: ValueType) -> assay_json_literals {
        guard isStrict else { return .ASSAY_JSON_NO_LITERALS }
        if Self.isNumber(type) { return .ASSAY_JSON_NUMBERS }
        return type.kind == .boolean ? .ASSAY_JSON_BOOLEANS : .ASSAY_JSON_NO_LITERALS
    }
}

extension Check {
    /// Whether the check or one of its parts depends on the JSON type of the value.
    fileprivate var needsJSONType: Bool {
        switch self {
        case .jsonType: true
        case .type, .length, .count, .matches, .oneOf, .range, .multiple: false
        case .all(let checks), .any(let checks): checks.contains(where: \.needsJSONType)
        case .not(let check): check.needsJSONType
        case .when(let condition, let then): condition.needsJSONType || then.needsJSONType
        }
    }
}

/// A rule in executable form, with its reported properties.
package struct CompiledRule: Sendable {
    package let id: String
    package let code: String
    package let severity: Severity
    package let message: String
    /// The expression of a row rule; `nil` for other rules.
    package var expression: String?
    let node: Node

    /// See ``BoundSchema/copied()``.
    func copied() -> CompiledRule {
        CompiledRule(
            id: id, code: code, severity: severity, message: message, expression: expression, node: node.copied(),
            hasFailureReasons: hasFailureReasons, needsJSONType: needsJSONType,
            repairs: repairs.map { CompiledRepairs(sharing: $0) })
    }

    /// Whether a finding can contain more than ``message``: the rule checks a type with failure reasons and has no
    /// custom message.
    package let hasFailureReasons: Bool
    /// Whether the rule depends on the JSON type of the value, so that it also runs for null.
    var needsJSONType = false
    /// For a type rule: the repairs with formats that may read a value that is not of the type; `nil` without such
    /// repairs.
    var repairs: CompiledRepairs?

    /// The engine of its patterns; `nil` if it has no patterns.
    package var engine: Pattern.Engine? { node.engine }

    /// The distinct plans of its patterns: which engine evaluates which values ("DFA; columns: DFA").
    package var plans: [String] { node.plans }
}

/// A compiled field.
///
///     reported as    required, type, rule, rule …
///     evaluation     missing? → required       (no other rule runs for a missing value)
///     order          present  → type → rules   (no rule runs for a value of another type)
///
/// A class, like a column, because workers access them often: copying a struct would change the reference count of each
/// property, and all threads share those counts.
final class CompiledField: Sendable {
    let name: String
    /// A node that fails for missing values; `nil` if no text means "missing".
    let presence: Node?
    /// Whether the empty text is the only one that means "missing".
    let onlyEmptyIsMissing: Bool
    /// The rules, in reporting order.
    let rules: [CompiledRule]
    /// Whether the first rule is `required`, and whether the next one is the type.
    let hasRequired: Bool
    let hasType: Bool
    /// The repairs, which run before all rules; `nil` if there are no repairs.
    let repairs: CompiledRepairs?
    /// The JSON literals that its values must be, if typing is strict.
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
        // In JSON Schema, the empty text is a value.
        let isDefault = typing == .jsonSchema && schema.missingValues == Schema().missingValues
        let missing = field.missingValues ?? (isDefault ? [] : schema.missingValues)
        repairs = try Self.repairs(of: field, missing: missing, typing, compiler)
        onlyEmptyIsMissing = missing == [""]
        if missing.isEmpty {
            presence = nil
        } else if onlyEmptyIsMissing {
            presence = .leaf(Leaf(assay_check_create_length(1, Int.max, .ASSAY_LENGTH_BYTES)))
        } else {
            presence = .not(try compiler.compile(.oneOf(missing)))
        }

        var rules = FieldRules(field: field, compiler: compiler)
        // The text of a missing value may stand for null.
        hasRequired = field.isRequired && (typing == .jsonSchema || !field.isNullable)
        if hasRequired { rules.addFlag("required", message: "is missing") }
        let needsText =
            !field.type.isAnyJSON
            && (![.any, .string].contains(field.type.kind) || ![nil, "default"].contains(field.type.format))
        let needsJSON = typing != .text && !field.type.isAnyJSON
        hasType = needsText || needsJSON
        if typing.isStrict && field.type.kind == .boolean || !needsText && needsJSON {
            // The JSON type decides.
            rules.addFlag(
                "type", message: field.type.kind == .any ? "is an object or a list" : field.type.failureMessage)
        } else if hasType {
            let rule = Rule(id: "\(name).\(field.type.ruleCode)", code: field.type.ruleCode, check: .type(field.type))
            try rules.add(rule, usual: field.typeMessage, repairs: field.hasRepairReasons ? repairs : nil)
        }
        for rule in field.rules { try rules.add(rule) }
        self.rules = rules.rules
    }

    /// - Parameter missing: The texts of missing values.
    private static func repairs(
        of field: Field, missing: [String], _ typing: Typing, _ compiler: CheckCompiler
    ) throws(CompileError) -> CompiledRepairs? {
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
                        "'missing' and 'default' need missingValues: [''], because the empty text is a value in JSON "
                        + "Schema"
                )
            }
            if typing != .text && field.type.hasMembers && !field.repair.isEmpty {
                throw CompileError(
                    part: .check, message: "\(field.type.kind.withArticle) of JSON has no text that could be repaired")
            }
            if field.repair.isEmpty { return nil }
            return try CompiledRepairs(
                field.repair, of: field.type, missingValues: missing, maxPatternBytes: compiler.maxPatternBytes)
        } catch {
            throw CompileError(
                part: error.part, message: "field '\(field.name)', repair: \(error.message)", offset: error.offset)
        }
    }
}

/// The rules of a field while it is compiled.
private struct FieldRules {
    let field: Field
    let compiler: CheckCompiler
    var rules: [CompiledRule] = []

    /// Adds a rule without a check: the evaluator finds its failures by other means.
    mutating func addFlag(_ code: String, message: String) {
        rules.append(
            CompiledRule(
                id: "\(field.name).\(code)", code: code, severity: .reject, message: message, node: .constant(true),
                hasFailureReasons: false))
    }

    /// - Parameters:
    ///   - rule: Its message replaces the usual one and the failure reasons.
    ///   - usual: The usual message, if it differs from that of the check.
    ///   - repairs: See ``CompiledRule/repairs``.
    mutating func add(_ rule: Rule, usual: String? = nil, repairs: CompiledRepairs? = nil) throws(CompileError) {
        do {
            let node = try compiler.compile(rule.check)
            rules.append(
                CompiledRule(
                    id: rule.id, code: rule.code, severity: rule.severity,
                    message: rule.message ?? usual ?? rule.check.failureMessage, node: node,
                    hasFailureReasons: rule.message == nil && node.hasFailureReasons,
                    needsJSONType: rule.check.needsJSONType, repairs: repairs))
        } catch {
            throw CompileError(
                part: error.part, message: "field '\(field.name)', rule '\(rule.id)': \(error.message)",
                offset: error.offset)
        }
    }
}
