internal import CAssay

/// The fields of a schema as paths into one JSON object, and the reason of each rule. Immutable and shared.
final class BodyPlan: Sendable {
    let paths: JSONPaths
    /// The rules of the fields with one value, and the row rules.
    let plain: BoundSchema
    let plainReasons: [BodyReason]
    /// The fields with lists.
    let lists: [List]
    let limits: MatchLimits
    let maxBytes: Int
    /// For each field: the path, and the type that a JSON value of another kind lacks.
    let recordPaths: [RecordPath]
    let typeNames: [String]

    /// A field whose values are the elements of lists.
    struct List: Sendable {
        let field: Int
        let depth: Int
        let schema: BoundSchema
        let reasons: [BodyReason]
    }

    init(_ schema: Schema, _ typing: Typing, _ limits: MatchLimits, maxBytes: Int) throws(CompileError) {
        if schema.fieldsMatch != .subset {
            throw CompileError(
                part: .check,
                message: "a JSON object may have any members, so fieldsMatch must be subset, not \(schema.fieldsMatch)")
        }
        let paths = try Self.paths(schema, typing)
        let compiled = try CompiledSchema(schema.withoutComparisons, typing: typing)
        // The C core accepted the names as paths.
        recordPaths = schema.fields.map { RecordPath($0.name)! }
        typeNames = schema.fields.map { $0.type.kind == .any ? "string" : $0.type.kind.rawValue }
        plain = BoundSchema(compiled, fields: paths.plain, hasRows: true)
        plainReasons = BodyReason.all(plain, schema, recordPaths)
        var lists: [List] = []
        for field in paths.lists {
            let bound = BoundSchema(compiled, fields: [field], hasRows: false)
            lists.append(
                List(
                    field: field, depth: recordPaths[field].lists, schema: bound,
                    reasons: BodyReason.all(bound, schema, recordPaths)))
        }
        (self.lists, self.paths, self.limits, self.maxBytes) = (lists, paths, limits, maxBytes)
    }

    private static func paths(_ schema: Schema, _ typing: Typing) throws(CompileError) -> JSONPaths {
        do throws(JSONPaths.Failure) {
            return try JSONPaths(schema, typing)
        } catch {
            guard case .noPath(let field, let message) = error else { outOfMemory() }
            throw CompileError(part: .check, message: "the field '\(field)' is no path into JSON: \(message)")
        }
    }

    /// The reason of a value of another JSON kind; `nil` if the field takes values of its kind.
    func wrongKind(_ kind: UInt8, of field: Int, rule: String) -> Reason? {
        if paths.kinds[field] >> UInt32(kind) & 1 != 0 { return nil }
        let found = ["absent", "null", "string", "number", "boolean", "object", "array"][Int(kind)]
        return wrongType(found, typeNames[field], rule: rule)
    }

    func wrongType(_ found: String, _ expected: String, rule: String) -> Reason {
        Reason(rule: "value.type", parameters: ["type": .text(expected), "found": .text(found)]).named(rule)
    }
}

/// The reasons of a rule of a bound schema.
struct BodyReason: Sendable {
    let id: String
    /// The index of the field; `Int.max` for a row rule.
    let field: Int
    let isType: Bool
    let rejects: Bool
    /// Whether the failure reason of a value is known.
    let hasFailureReasons: Bool
    /// The reason of a failure, with the path of a plain field.
    let failed: Reason
    /// The reason of an undecided value.
    let undecided: Reason

    /// Returns the reasons of all rules, in the order of the rules.
    static func all(_ bound: BoundSchema, _ schema: Schema, _ paths: [RecordPath]) -> [BodyReason] {
        var reasons: [BodyReason] = []
        for column in bound.columns {
            let field = schema.fields[column.fieldIndex]
            let firstOwn = column.rules.upperBound - field.rules.count
            for rule in column.rules {
                let reason: Reason
                if rule >= firstOwn {
                    let own = field.rules[rule - firstOwn]
                    reason = Reason(failing: own.check).worded(own.message)
                } else {
                    reason = rule == column.typeRule ? Reason(failing: .type(field.type)) : .missing
                }
                reasons.append(
                    BodyReason(
                        bound.rules[rule], reason, field: column.fieldIndex, isType: rule == column.typeRule,
                        path: paths[column.fieldIndex].lists == 0 ? paths[column.fieldIndex].valuePath() : ValuePath()))
            }
        }
        for (row, rule) in zip(schema.rows, bound.rules[bound.rowRuleRange]) {
            let reason = Reason(rule: "record.check", parameters: ["check": .text(Check.shortened(row.check))])
            reasons.append(BodyReason(rule, reason.worded(row.message), field: .max, isType: false, path: ValuePath()))
        }
        return reasons
    }

    private init(_ rule: CompiledRule, _ reason: Reason, field: Int, isType: Bool, path: ValuePath) {
        (id, self.field, self.isType) = (rule.id, field, isType)
        rejects = rule.severity == .reject
        hasFailureReasons = rule.hasFailureReasons
        failed = reason.named(rule.id).at(path)
        undecided = Reason.limit.named(rule.id).at(path)
    }
}

extension Reason {
    /// This reason with a custom message, if there is one.
    fileprivate func worded(_ message: String?) -> Reason {
        message.map { replaced(code: Self.defaultCode, message: $0) } ?? self
    }

    /// This reason with another path.
    func at(_ path: ValuePath) -> Reason {
        var reason = self
        reason.path = path
        return reason
    }
}
