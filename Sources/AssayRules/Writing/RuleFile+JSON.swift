internal import Assay

extension RuleFile {
    /// Returns the rules as a rule file in JSON, which is also a Table Schema with Assay's additions.
    ///
    /// The types of fields, the ids in `rules` and `rows`, units of length and `fieldsMatch` are always written. Most
    /// other settings are written only if they differ from their defaults. Limits on reading the file
    /// (`rule-file-bytes`, `depth`, `rules`) are left out. `RuleFile.parse` of the result is equal to `self` for every
    /// value that `parse` returned. A value that was built in Swift may have properties that a file cannot represent.
    /// If the code of a rule differs from the kind of its check, the code becomes that of the kind. A check that is
    /// always true or always false is written in an equivalent form. The ``policy`` is not written, so the parsed
    /// result has the policy of rules that are given as a text.
    public func json() -> String {
        var json = JSONWriter()
        json.object { json in
            json.key("fields")
            json.array { json in
                let unique = schema.uniqueFields
                for field in schema.fields {
                    json.field(field, isUnique: unique.contains(ByteEqualString(field.name)))
                }
            }
            if !schema.rows.isEmpty {
                json.key("rows")
                json.array { json in
                    for rule in schema.rows { json.expression(rule.id, rule.check, rule.message, rule.severity) }
                }
            }
            if !tableRules.isEmpty {
                json.key("table")
                json.array { json in
                    for rule in tableRules { json.expression(rule.id, rule.check, rule.message, rule.severity) }
                }
            }
            json.keys(schema, referencedTables)
            if schema.missingValues != Schema().missingValues {
                json.key("missingValues")
                json.strings(schema.missingValues)
            }
            // It is always written, because its default in the standard is different.
            json.key("fieldsMatch")
            json.string(schema.fieldsMatch.rawValue)
            if dialect != Dialect() { json.dialect(dialect) }
            if jsonTypes != .strict {
                json.key("types")
                json.string(jsonTypes.rawValue)
            }
            json.limits(limits)
            json.thresholds(thresholds)
        }
        return json.text + "\n"
    }
}

extension JSONWriter {
    /// Writes a row rule or a rule on the table.
    fileprivate mutating func expression(_ id: String, _ check: String, _ message: String?, _ severity: Severity) {
        object { json in
            json.key("id")
            json.string(id)
            json.key("check")
            json.string(check)
            json.consequence(message, severity)
        }
    }

    /// Writes the message and the severity of a rule, unless they have their defaults.
    private mutating func consequence(_ message: String?, _ severity: Severity) {
        if let message {
            key("message")
            string(message)
        }
        if severity != .reject {
            key("severity")
            string(severity.rawValue)
        }
    }

    mutating func dialect(_ dialect: Dialect) {
        key("dialect")
        object { json in
            if dialect.delimiter != nil {
                json.key("delimiter")
                json.string(String(decoding: dialect.separatorBytes, as: UTF8.self))
            }
            json.key("quoteChar")
            if let quote = dialect.quoteChar { json.string(String(Unicode.Scalar(quote))) } else { json.null() }
            json.key("header")
            json.bool(dialect.header)
            for (name, byte) in [("escapeChar", dialect.escapeChar), ("commentChar", dialect.commentChar)] {
                guard let byte else { continue }
                json.key(name)
                json.string(String(Unicode.Scalar(byte)))
            }
            if dialect.skipInitialSpace {
                json.key("skipInitialSpace")
                json.bool(true)
            }
            if dialect.skip != 0 {
                json.key("skip")
                json.integer(dialect.skip)
            }
            if dialect.headerRows != [1] {
                json.key("headerRows")
                json.array { json in for row in dialect.headerRows { json.integer(row) } }
            }
            if dialect.headerJoin != " " {
                json.key("headerJoin")
                json.string(dialect.headerJoin)
            }
            if dialect.extraFields != .reject {
                json.key("extraFields")
                json.string(dialect.extraFields.rawValue)
            }
            if dialect.trailingDelimiter {
                json.key("trailingDelimiter")
                json.bool(true)
            }
            if dialect.blankLines != .reject || dialect.rejectsLastBlankLines {
                json.key("blankLines")
                json.string(dialect.blankLines.rawValue)
            }
            if let terminator = dialect.lineTerminator {
                json.key("lineTerminator")
                json.string(terminator == .cr ? "\r" : "\n")
            }
            if let encoding = dialect.encoding {
                json.key("encoding")
                json.string(encoding)
            }
            if dialect.trustEncoding {
                json.key("trustEncoding")
                json.bool(true)
            }
        }
    }

    fileprivate mutating func limits(_ limits: Limits) {
        let changed = Limits.settings.filter {
            !Limits.beforeReading.contains($0.name) && $0.value(in: limits) != $0.value(in: Limits())
        }
        if changed.isEmpty { return }
        key("limits")
        object { json in
            for setting in changed {
                json.key(setting.name)
                json.integer(setting.value(in: limits))
            }
        }
    }

    fileprivate mutating func field(_ field: Field, isUnique: Bool) {
        object { json in
            json.key("name")
            json.string(field.name)
            json.type(field.type)
            if field.isNullable {
                json.key("nullable")
                json.bool(true)
            }
            if field.isOptional {
                json.key("optional")
                json.bool(true)
            }
            if let values = field.missingValues {
                json.key("missingValues")
                json.strings(values)
            }
            if !field.repair.isEmpty {
                json.key("repair")
                json.array { json in for repair in field.repair { json.repair(repair) } }
            }
            // The first rules of the field, up to a rule that cannot be written as a constraint. Constraints give equal
            // rules in the same order.
            var constraints = field.rules[...]
            var last = -1
            constraints = constraints.prefix { rule in
                guard let place = field.placeAmongConstraints(rule), place > last else { return false }
                last = place
                return true
            }
            if let check = constraints.first(where: { $0.code == "categories" })?.check,
                case .oneOf(let values, _) = check
            {
                json.key("categories")
                json.strings(values)
            }
            let inConstraints = constraints.filter { $0.code != "categories" }
            if field.isRequired || isUnique || field.sorted != nil || !inConstraints.isEmpty {
                json.key("constraints")
                json.object { json in json.constraints(of: field, isUnique: isUnique, inConstraints) }
            }
            let others = field.rules[constraints.endIndex...]
            if !others.isEmpty {
                json.key("rules")
                json.array { json in
                    for rule in others { json.rule(rule, in: field) }
                }
            }
        }
    }

    private mutating func constraints(of field: Field, isUnique: Bool, _ rules: [Rule]) {
        if field.isRequired {
            key("required")
            bool(true)
        }
        if isUnique {
            key("unique")
            bool(true)
        }
        if let order = field.sorted {
            key("sorted")
            string(order.direction.rawValue)
            if order.isStrict {
                key("strict")
                bool(true)
            }
        }
        for rule in rules { checkKeys(rule.check, typeOf: nil) }
        // All lengths have the same unit, because Field.placeAmongConstraints excludes other units.
        if let unit = rules.lazy.compactMap(\.check.lengthUnit).first { lengthUnit(unit) }
    }

    private mutating func lengthUnit(_ unit: LengthUnit) {
        key("lengthUnit")
        string(unit.rawValue)
    }

    private mutating func rule(_ rule: Rule, in field: Field) {
        object { json in
            json.key("id")
            json.string(rule.id)
            json.consequence(rule.message, rule.severity)
            json.check(rule.check, in: field)
        }
    }

    /// Writes the keys of a check inside an object. Writes the type if it differs from that of `field`.
    mutating func check(_ check: Check, in field: Field) {
        switch check {
        case .oneOf([], _), .any([]):
            // Always false.
            key("not")
            object { json in json.check(.all([]), in: field) }
        case .length(nil, nil, _), .count(nil, nil, _), .range(nil, nil, _):
            self.check(.all([]), in: field)
        case .all(let checks):
            key("all")
            self.checks(checks, in: field)
        case .any(let checks):
            key("any")
            self.checks(checks, in: field)
        case .not(let check):
            key("not")
            object { json in json.check(check, in: field) }
        case .when(let condition, let then):
            key("when")
            object { json in json.check(condition, in: field) }
            key("then")
            object { json in json.check(then, in: field) }
        case .type, .length, .count, .matches, .oneOf, .range, .multiple, .jsonType:
            checkKeys(check, typeOf: field)
            if let unit = check.lengthUnit { lengthUnit(unit) }
        }
    }

    private mutating func checks(_ checks: [Check], in field: Field) {
        array { json in
            for check in checks { json.object { json in json.check(check, in: field) } }
        }
    }

    /// Writes the keys of a check without inner checks. Writes the type if it differs from that of `field`.
    private mutating func checkKeys(_ check: Check, typeOf field: Field?) {
        switch check {
        case .type(let type):
            self.type(type)
        case .length(let min, let max, _):
            lengths(min, max)
        case .count(let min, let max, let type):
            lengths(min, max)
            self.as(type, unless: field)
        case .matches(let source, let options):
            key("pattern")
            string(source)
            if !options.isEmpty {
                key("options")
                strings(Pattern.Options.names.filter { options.contains($0.option) }.map(\.name))
            }
        case .oneOf(let values, let type):
            key("enum")
            strings(values)
            self.as(type, unless: field)
        case .range(let min, let max, let type):
            // Always as strings: a number could lose digits in other readers.
            if let min {
                key(min.isExclusive ? "exclusiveMinimum" : "minimum")
                string(min.text)
            }
            if let max {
                key(max.isExclusive ? "exclusiveMaximum" : "maximum")
                string(max.text)
            }
            self.as(type, unless: field)
        case .multiple(let divisor, let type):
            key("multipleOf")
            string(divisor)
            self.as(type, unless: field)
        case .jsonType(let types):
            key("jsonType")
            strings(types.map(\.rawValue))
        case .all, .any, .not, .when:
            preconditionFailure("a check that holds others has no keys of its own")
        }
    }

    private mutating func lengths(_ min: Int?, _ max: Int?) {
        for case (let name, let count?) in [("minLength", min), ("maxLength", max)] {
            key(name)
            integer(count)
        }
    }

    private mutating func `as`(_ type: ValueType, unless field: Field?) {
        guard let field, field.type != type else { return }
        key("as")
        object { json in json.type(type) }
    }

    /// The keys of a type, inside an object.
    private mutating func type(_ type: ValueType) {
        key("type")
        string(type.kind.rawValue)
        let texts = [("format", type.format), ("decimalChar", type.decimalChar), ("groupChar", type.groupChar)]
        for case (let name, let text?) in texts {
            key(name)
            string(text)
        }
        for case (let name, let text?) in [("itemType", type.itemType?.rawValue), ("delimiter", type.delimiter)] {
            key(name)
            string(text)
        }
        if !type.isBareNumber {
            key("bareNumber")
            bool(false)
        }
        for case (let name, let values?) in [("trueValues", type.trueValues), ("falseValues", type.falseValues)] {
            key(name)
            strings(values)
        }
    }
}

extension Field {
    /// Returns the place of a rule among the constraints of this field, if a constraint would give an equal rule.
    fileprivate func placeAmongConstraints(_ rule: Rule) -> Int? {
        guard ByteEqualString(rule.id) == ByteEqualString("\(name).\(rule.code)"), rule.message == nil,
            rule.severity == .reject
        else { return nil }
        switch (rule.code, rule.check) {
        case ("minLength", .length(_?, nil, let unit)), ("maxLength", .length(nil, _?, let unit)):
            // One `lengthUnit` applies to both minLength and maxLength.
            let other = rules.lazy.compactMap(\.check.lengthUnit).first
            guard other == nil || other == unit else { return nil }
        case ("minLength", .count(_?, nil, type)), ("maxLength", .count(nil, _?, type)): break
        case ("pattern", .matches(_, [])): break
        case ("enum", .oneOf(let values, type)): if values.isEmpty { return nil }
        case ("categories", .oneOf(let values, type)):
            if values.isEmpty || ![.string, .integer].contains(type.kind) { return nil }
        case (rule.check.code, .range(_, _, type)): break
        default: return nil
        }
        let order = [
            "minLength", "maxLength", "pattern", "enum", "categories", "minimum", "exclusiveMinimum", "maximum",
            "exclusiveMaximum",
        ]
        return order.firstIndex(of: rule.code)
    }
}

extension Check {
    /// The unit of a length. It is always written, because its default depends on the `lengthUnit` of the field and of
    /// the file.
    fileprivate var lengthUnit: LengthUnit? {
        if case .length(_, _, let unit) = self { return unit }
        return nil
    }
}
