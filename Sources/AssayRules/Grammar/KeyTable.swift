internal import Assay

/// The keys that one kind of mapping may contain.
///
/// The JSON Schema for editors (Docs/assay-rules.schema.json) lists the same keys; a test compares them.
struct KeyTable {
    /// The name of the mapping in messages, as in "a field has no key 'x'".
    var place: String

    /// The keys that Assay reads.
    var known: [String]

    /// The keys that describe the data for people. Assay accepts and ignores them.
    var descriptive: [String] = []

    /// Keys that are valid elsewhere or not supported yet: the reason, and a suggestion.
    var refused: [String: Refusal] = [:]

    /// Whether the error for an unknown key lists all keys.
    var isListed = false

    /// Whether a key is for people: a description, possibly in a given language (`title@de`), or a note.
    func describes(_ key: String) -> Bool {
        if descriptive.contains(key) || key.hasPrefix("x-") { return true }
        guard let at = key.firstIndex(of: "@"), key.index(after: at) < key.endIndex else { return false }
        return Self.translated.contains(String(key[..<at])) && descriptive.contains(String(key[..<at]))
    }

    /// Keys that may appear in several languages, according to the translations pattern of Data Packages.
    static let translated = ["title", "description"]

    /// Names of our keys in other languages that differ too much for a spelling suggestion.
    static let otherNames = [
        "regex": "pattern", "regexp": "pattern", "min": "minimum", "max": "maximum", "values": "enum",
        "allowed": "enum", "mandatory": "required", "separator": "delimiter", "sep": "delimiter", "quote": "quoteChar",
        "column": "name", "level": "severity",
    ]

    /// Returns advice for `required:true`, which YAML reads as a single word.
    func spaceAdvice(_ text: String) -> String? {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let key = String(text[..<colon])
        return (known + descriptive).contains(key) ? "a space must follow the colon: \(key): …" : nil
    }

    struct Refusal {
        var message: String
        var suggestion: String?
        var remedy: RuleProblem.Remedy?

        init(_ message: String, _ suggestion: String? = nil, remedy: RuleProblem.Remedy? = nil) {
            self.message = message
            self.suggestion = suggestion
            self.remedy = remedy
        }

        static func notYet(_ what: String, _ suggestion: String?) -> Refusal {
            Refusal("\(what) is not supported yet", suggestion)
        }
    }
}

extension KeyTable {
    /// The keys that concern the whole table.
    static let settings = ["missingValues", "fieldsMatch", "dialect", "limits", "types", "thresholds"]

    static let file: KeyTable = {
        var table = fileWithoutDialect
        for key in ["encoding", "delimiter", "quoteChar", "header", "skip"] {
            table.refused[key] = Refusal("'\(key)' belongs under 'dialect'", "write dialect: {\(key): …}")
        }
        return table
    }()

    private static let fileWithoutDialect = KeyTable(
        place: "a rule file",
        known: ["fields", "rows", "table", "primaryKey", "uniqueKeys", "foreignKeys", "keep", "lengthUnit"] + settings,
        descriptive: [
            "$schema", "profile", "id", "name", "title", "description", "homepage", "version", "created", "keywords",
            "contributors", "sources", "licenses", "image", "example", "examples", "rdfType",
        ],
        refused: [
            "resources": Refusal(
                "this is a Data Package; a rule file is the schema of one table",
                "give it to check or clean as the input, without --rules"),
            "schema": Refusal(
                "this is a Data Resource; a rule file is its schema",
                "give it to check or clean as the input, without --rules"),
            "properties": Refusal(
                "'properties' is JSON Schema, and 'fields' is Table Schema", "a file is one of the two"),
            "rules": Refusal("rules belong to a field", "write them under the field: - name: …"),
            "constraints": Refusal("constraints belong to a field", "write them under the field: - name: …"),
            "columns": Refusal("a rule file has no key 'columns'", "did you mean 'fields'?"),
        ])

    static let typeKeys = [
        "type", "format", "bareNumber", "decimalChar", "groupChar", "trueValues", "falseValues", "itemType",
        "delimiter",
    ]

    static let field: KeyTable = {
        var table = KeyTable(
            place: "a field",
            known: ["name"] + typeKeys + [
                "categories", "categoriesOrdered", "nullable", "optional", "missingValues", "lengthUnit", "repair",
                "constraints", "rules",
            ],
            descriptive: ["title", "description", "example", "examples", "rdfType"])
        for key in constraintKeys {
            table.refused[key] = Refusal("'\(key)' belongs under 'constraints'", "write constraints: {\(key): …}")
        }
        for key in ["all", "any", "not", "when"] {
            table.refused[key] = Refusal("'\(key)' belongs under 'rules'", "write rules: [{\(key): …}]")
        }
        table.refused["options"] = Refusal(
            "'options' belongs beside a pattern under 'rules'", "write rules: [{pattern: …, options: …}]")
        table.refused.merge(ofRules) { _, new in new }
        table.refused["repairs"] = Refusal("unknown key 'repairs' in a field", "did you mean 'repair'?")
        return table
    }()

    /// The keys of a rule, refused in a field and its constraints.
    private static let ofRules: [String: Refusal] = [
        "severity": Refusal("'severity' belongs to an entry of 'rules'", "write rules: [{pattern: …, severity: warn}]"),
        "level": Refusal("unknown key 'level'", "a rule has a severity: rules: [{pattern: …, severity: warn}]"),
    ]

    private static let nullable = Refusal(
        "unknown key 'nullable'", "values may be missing unless there is constraints: {required: true}")

    private static let constraintKeys = [
        "required", "unique", "sorted", "minLength", "maxLength", "pattern", "enum", "minimum", "exclusiveMinimum",
        "maximum", "exclusiveMaximum",
    ]

    static let constraints: KeyTable = {
        var table = KeyTable(place: "constraints", known: constraintKeys + ["strict", "lengthUnit"])
        table.refused["jsonSchema"] = Refusal(
            "'jsonSchema' is not supported: there is no validator of JSON Schema in Assay",
            "in JSON Lines write a field for each value inside, such as address.city or items[].price")
        table.refused["options"] = Refusal(
            "'options' belongs beside a pattern under 'rules'", "write rules: [{pattern: …, options: …}]")
        for key in typeKeys + ["name", "missingValues", "categories", "rules"] {
            table.refused[key] = Refusal("'\(key)' belongs to the field", "write it beside 'constraints', not inside")
        }
        for key in ["all", "any", "not", "when"] {
            table.refused[key] = Refusal("'\(key)' belongs under 'rules'", "write rules: [{\(key): …}]")
        }
        table.refused.merge(ofRules) { _, new in new }
        table.refused["nullable"] = nullable
        return table
    }()

    static let checkKeys =
        ["pattern", "options", "minLength", "maxLength", "lengthUnit", "enum"]
        + ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf", "as", "jsonType"] + typeKeys
        + ["all", "any", "not", "when", "then"]

    /// An entry of `rules`.
    static let rule = KeyTable(
        place: "a rule", known: ["id", "message", "severity"] + checkKeys,
        descriptive: ["title", "description", "example", "examples"], refused: inChecks)

    /// A check inside a rule.
    static let check: KeyTable = {
        var table = KeyTable(place: "a check", known: checkKeys, refused: inChecks)
        for key in ["id", "message", "severity"] {
            table.refused[key] = Refusal(
                "'\(key)' belongs to the rule as a whole", "write it beside the outermost check")
        }
        return table
    }()

    /// The keys of requirements that concern more than a cell.
    static let requirementKeys =
        ["at", "rules"] + Comparison.allCases.map(\.rawValue)
        + ["require", "check", "required", "missingValues", "minItems", "maxItems", "each", "contains"]
        + ["uniqueItems", "uniqueBy", "ifPresent", "notNil"]

    /// A rule of a requirement, at any depth.
    static let requirement: KeyTable = {
        var table = rule
        table.known += requirementKeys
        for key in requirementKeys { table.refused[key] = nil }
        table.refused["unique"] = Refusal("a rule has no key 'unique'", "write uniqueItems: true, or uniqueBy: …")
        table.refused["constraints"] = Refusal("constraints belong to a column", "write rules: [{…}]")
        return table
    }()

    private static let inChecks: [String: Refusal] = [
        "required": Refusal("'required' belongs under 'constraints'", "write constraints: {required: true}"),
        "unique": Refusal("'unique' belongs under 'constraints'", "write constraints: {unique: true}"),
        "sorted": Refusal("'sorted' belongs under 'constraints'", "write constraints: {sorted: ascending}"),
        "name": Refusal("a rule has no name", "write 'id'"),
        "else": Refusal("'when' has no 'else'", "write a second rule: {when: {not: …}, then: …}"),
        "if": Refusal("a rule has no key 'if'", "write {when: …, then: …}"),
    ]

    /// An entry of `repair` that has options.
    static let repair: KeyTable = {
        var table = KeyTable(
            place: "a repair", known: ["missing", "replace", "with", "map", "default", "canonical"])
        for key in ["pattern", "regex"] {
            table.refused[key] = Refusal("unknown key '\(key)' in a repair", "write {replace: PATTERN, with: TEXT}")
        }
        for key in ["from", "region", "decimalChar", "groupChar"] {
            table.refused[key] = Refusal("'\(key)' belongs under 'canonical'", "write {canonical: {\(key): …}}")
        }
        for word in Repair.words.map(\.name) where !table.known.contains(word) {
            table.refused[word] = Refusal("'\(word)' is a repair without a value", "write [\(word)]")
        }
        for key in ["strip", "remove"] {
            table.refused[key] = Refusal(
                "unknown key '\(key)' in a repair", "write trim for white space, or {replace: PATTERN, with: ''}")
        }
        return table
    }()

    /// The options of `canonical`.
    static let canonical = KeyTable(
        place: "canonical", known: ["from", "region", "decimalChar", "groupChar"],
        refused: ["to": Refusal("there is one canonical form, and no other can be asked for", "remove it")])

    /// An entry of `rows`.
    static let row: KeyTable = {
        var table = KeyTable(
            place: "a row rule", known: ["id", "check", "message", "severity"],
            descriptive: ["title", "description", "example", "examples"], isListed: true)
        for key in checkKeys {
            table.refused[key] = Refusal("'\(key)' is about one column", "write it under 'rules' of that field")
        }
        return table
    }()

    /// An entry of `table`.
    static let tableRule: KeyTable = {
        var table = KeyTable(
            place: "a rule on the table", known: ["id", "check", "message", "severity"],
            descriptive: ["title", "description", "example", "examples"], isListed: true)
        for key in checkKeys {
            table.refused[key] = Refusal("'\(key)' is about one column", "write it under 'rules' of that field")
        }
        return table
    }()

    /// An entry of `foreignKeys`.
    static let foreignKey: KeyTable = {
        var table = KeyTable(
            place: "a foreign key", known: ["fields", "reference"], descriptive: ["title", "description", "name"])
        table.refused["resource"] = Refusal("'resource' belongs under 'reference'", "write reference: {resource: …}")
        return table
    }()

    /// Its `reference`.
    static let reference: KeyTable = {
        var table = KeyTable(place: "a reference", known: ["resource", "fields", "dialect"])
        for key in ["encoding", "delimiter", "quoteChar", "header", "skip"] {
            table.refused[key] = Refusal("'\(key)' belongs under 'dialect'", "write dialect: {\(key): …}")
        }
        return table
    }()

    /// The column that decides which record with a key is kept.
    static let keep = KeyTable(
        place: "keep", known: ["max", "min"],
        refused: [
            "maximum": Refusal("unknown key 'maximum' in keep", "did you mean 'max'?"),
            "minimum": Refusal("unknown key 'minimum' in keep", "did you mean 'min'?"),
        ])

    /// A type with its properties, as in `as:`.
    static let type = KeyTable(place: "a type", known: typeKeys)

    /// An entry of `missingValues` or `categories` with a label.
    static let labelled = KeyTable(place: "a value with a label", known: ["value", "label"])

    static let dialect: KeyTable = {
        var table = KeyTable(
            place: "a dialect",
            known: [
                "delimiter", "quoteChar", "header", "doubleQuote", "lineTerminator", "skipInitialSpace", "escapeChar",
                "commentChar", "headerRows", "headerJoin", "commentRows", "nullSequence", "skip", "extraFields",
                "trailingDelimiter", "blankLines", "encoding", "trustEncoding", "caseSensitiveHeader",
            ],
            descriptive: ["$schema", "name", "title", "description", "csvddfVersion"])
        for key in ["property", "itemType", "itemKeys", "sheetNumber", "sheetName", "table"] {
            table.refused[key] = Refusal("'\(key)' is for files other than CSV", "remove it")
        }
        return table
    }()

    static let limits: KeyTable = {
        let names = Limits.names.filter { !Limits.beforeReading.contains($0) }
        var table = KeyTable(place: "limits", known: names, isListed: true)
        for name in Limits.beforeReading {
            table.refused[name] = Refusal(
                "'\(name)' cannot be set in the file that it limits", remedy: .setBefore(name))
        }
        return table
    }()

    static let thresholds = KeyTable(place: "thresholds", known: ["rejected", "columns", "rules", "records"])

    /// The limits on the number of records in a table.
    static let recordThresholds = KeyTable(
        place: "records", known: ["min", "max"],
        refused: [
            "minimum": Refusal("unknown key 'minimum' in records", "did you mean 'min'?"),
            "maximum": Refusal("unknown key 'maximum' in records", "did you mean 'max'?"),
        ])

    /// All tables by the name of their definition in the JSON Schema.
    static let all: [(name: String, table: KeyTable)] = [
        ("file", file), ("field", field), ("constraints", constraints), ("rule", rule), ("check", check), ("row", row),
        ("tableRule", tableRule), ("foreignKey", foreignKey), ("reference", reference), ("repair", repair),
        ("canonical", canonical),
        ("keep", keep), ("type", type), ("labelled", labelled), ("dialect", dialect), ("limits", limits),
        ("thresholds", thresholds), ("recordThresholds", recordThresholds),
    ]
}
