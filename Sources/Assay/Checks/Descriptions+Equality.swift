// Descriptions are equal only if they behave alike. The engine compares their texts byte by byte: a composed `é` in a
// pattern or name differs from `e` with a combining accent, although `==` of strings treats them as equal. Equal bytes
// also have equal hashes of strings, so the synthesized `hash(into:)` stays valid.

extension Check {
    public static func == (one: Check, other: Check) -> Bool {
        switch one {
        case .type(let one):
            if case .type(let other) = other { one == other } else { false }
        case .length(let min, let max, let unit):
            if case .length(let otherMin, let otherMax, let otherUnit) = other {
                (min, max, unit) == (otherMin, otherMax, otherUnit)
            } else {
                false
            }
        case .count(let min, let max, let type):
            if case .count(let otherMin, let otherMax, let otherType) = other {
                (min, max, type) == (otherMin, otherMax, otherType)
            } else {
                false
            }
        case .matches(let pattern, let options):
            if case .matches(let otherPattern, let otherOptions) = other {
                areByteEqual(pattern, otherPattern) && options == otherOptions
            } else {
                false
            }
        case .oneOf(let values, let type):
            if case .oneOf(let otherValues, let otherType) = other {
                areByteEqual(values, otherValues) && type == otherType
            } else {
                false
            }
        case .range(let min, let max, let type):
            if case .range(let otherMin, let otherMax, let otherType) = other {
                (min, max, type) == (otherMin, otherMax, otherType)
            } else {
                false
            }
        case .multiple(let divisor, let type):
            if case .multiple(let otherDivisor, let otherType) = other {
                areByteEqual(divisor, otherDivisor) && type == otherType
            } else {
                false
            }
        case .jsonType(let one):
            if case .jsonType(let other) = other { one == other } else { false }
        case .all(let one):
            if case .all(let other) = other { one == other } else { false }
        case .any(let one):
            if case .any(let other) = other { one == other } else { false }
        case .not(let one):
            if case .not(let other) = other { one == other } else { false }
        case .when(let condition, let then):
            if case .when(let otherCondition, let otherThen) = other {
                (condition, then) == (otherCondition, otherThen)
            } else {
                false
            }
        }
    }
}

extension Bound {
    public static func == (one: Bound, other: Bound) -> Bool {
        areByteEqual(one.text, other.text) && one.isExclusive == other.isExclusive
    }
}

extension ValueType {
    public static func == (one: ValueType, other: ValueType) -> Bool {
        one.kind == other.kind && one.itemType == other.itemType && one.isBareNumber == other.isBareNumber
            && areByteEqual(one.format, other.format) && areByteEqual(one.decimalChar, other.decimalChar)
            && areByteEqual(one.groupChar, other.groupChar) && areByteEqual(one.delimiter, other.delimiter)
            && areByteEqual(one.trueValues, other.trueValues) && areByteEqual(one.falseValues, other.falseValues)
    }
}

extension Schema {
    public static func == (one: Schema, other: Schema) -> Bool {
        one.fields == other.fields && areByteEqual(one.missingValues, other.missingValues)
            && one.fieldsMatch == other.fieldsMatch && one.rows == other.rows && one.keys == other.keys
            && one.foreignKeys == other.foreignKeys && one.keep == other.keep
    }
}

extension DuplicatePolicy {
    public static func == (one: DuplicatePolicy, other: DuplicatePolicy) -> Bool {
        switch (one, other) {
        case (.first, .first), (.last, .last), (.none, .none): true
        case (.max(let one), .max(let other)), (.min(let one), .min(let other)): areByteEqual(one, other)
        default: false
        }
    }
}

extension Field {
    public static func == (one: Field, other: Field) -> Bool {
        areByteEqual(one.name, other.name) && one.type == other.type && one.repair == other.repair
            && one.isRequired == other.isRequired && one.isNullable == other.isNullable
            && one.isOptional == other.isOptional && areByteEqual(one.missingValues, other.missingValues)
            && one.sorted == other.sorted && one.rules == other.rules
    }
}

extension Rule {
    public static func == (one: Rule, other: Rule) -> Bool {
        areByteEqual(one.id, other.id) && areByteEqual(one.code, other.code) && one.check == other.check
            && areByteEqual(one.message, other.message) && one.severity == other.severity
    }
}

extension RowRule {
    public static func == (one: RowRule, other: RowRule) -> Bool {
        areByteEqual(one.id, other.id) && areByteEqual(one.check, other.check)
            && areByteEqual(one.message, other.message) && one.severity == other.severity
    }
}

extension TableRule {
    public static func == (one: TableRule, other: TableRule) -> Bool {
        areByteEqual(one.id, other.id) && areByteEqual(one.check, other.check)
            && areByteEqual(one.message, other.message) && one.severity == other.severity
    }
}

extension Key {
    public static func == (one: Key, other: Key) -> Bool {
        one.kind == other.kind && areByteEqual(one.fields, other.fields) && areByteEqual(one.id, other.id)
    }
}

extension ForeignKey {
    public static func == (one: ForeignKey, other: ForeignKey) -> Bool {
        areByteEqual(one.fields, other.fields) && one.reference == other.reference && areByteEqual(one.id, other.id)
    }
}

extension ForeignKey.Reference {
    public static func == (one: Self, other: Self) -> Bool {
        areByteEqual(one.resource, other.resource) && areByteEqual(one.fields, other.fields)
    }
}

extension Repair {
    public static func == (one: Repair, other: Repair) -> Bool {
        switch (one, other) {
        case (.missing(let words), .missing(let otherWords)):
            areByteEqual(words, otherWords)
        case (.replace(let pattern, let text), .replace(let otherPattern, let otherText)):
            areByteEqual(pattern, otherPattern) && areByteEqual(text, otherText)
        case (.map(let one), .map(let other)):
            one == other
        case (.default(let text), .default(let otherText)):
            areByteEqual(text, otherText)
        case (.canonical(let one), .canonical(let other)):
            one == other
        case (.missing, _), (.replace, _), (.map, _), (.default, _), (.canonical, _):
            false
        case (.trim, _), (.collapse, _), (.upper, _), (.lower, _), (.nfc, _), (.nfkc, _), (.stripControl, _),
            (.asciiDigits, _), (.unquote, _):
            // The name determines a repair without parameters.
            one.name == other.name
        }
    }
}

extension Repair.Mapping.Entry {
    public static func == (one: Self, other: Self) -> Bool {
        areByteEqual(one.from, other.from) && areByteEqual(one.to, other.to)
    }
}

extension Repair.CanonicalOptions {
    public static func == (one: Self, other: Self) -> Bool {
        areByteEqual(one.from, other.from) && areByteEqual(one.region, other.region)
            && areByteEqual(one.decimalChar, other.decimalChar) && areByteEqual(one.groupChar, other.groupChar)
    }
}
