/// The features of CEL that row rules do not support.
///
/// The parser recognizes these features, so that messages can name them.
///
/// Source: cel-spec, "Language Definition"; the extensions of cel-go.
enum CELRefusal: String, CaseIterable {
    case unsigned = "unsigned integers"
    case oversized = "numbers of more than 38 digits"
    case bytes
    case null
    case maps, messages
    case types = "type values"
    case dynamic = "dynamic values"
    case optionals = "optional values"
    case fields = "fields of values"
    case twoVariableMacros = "two-variable macros"
    case bindings = "local bindings"
    case strings = "string formats"
    case math = "functions of binary numbers"
    case lists = "list extensions"
    case sets = "set extensions"
    case regex = "regex extensions"
    case encoders
    case network = "network extensions"

    /// The error for a use of the feature at `range`.
    func mistake(_ suggestion: String? = nil, at range: Range<Int>) -> CELMistake {
        let verb = self == .null ? "is" : "are"
        return CELMistake("CEL's \(rawValue) \(verb) not supported in row rules", suggestion ?? advice, at: range)
    }

    /// The error for a call, at `range`, of a function that belongs to the feature.
    func mistake(of function: String, _ suggestion: String? = nil, at range: Range<Int>) -> CELMistake {
        let message = "'\(function)' is not supported in row rules: it belongs to CEL's \(rawValue)"
        return CELMistake(message, suggestion ?? advice, at: range)
    }

    /// The supported alternative, if there is one.
    private var advice: String? {
        switch self {
        case .unsigned: "write an integer without 'u'"
        case .null: "write !has(x) for a column without a value"
        case .maps: "write a list, or row[\"name\"] for a column"
        case .dynamic, .types: "the types of the columns are those of the fields"
        case .optionals: "has(x) tests whether a column has a value"
        case .twoVariableMacros: "write all, exists, exists_one, map or filter with one variable"
        case .regex: "write x.matches('…')"
        case .sets, .lists: "write all, exists or in"
        case .oversized, .bytes, .messages, .fields, .bindings, .strings, .math, .encoders, .network: nil
        }
    }

    /// The unsupported functions, by name.
    static let functions: [String: CELRefusal] = {
        var table: [String: CELRefusal] = ["uint": .unsigned, "bytes": .bytes, "type": .types, "dyn": .dynamic]
        let extensions: [(CELRefusal, [String])] = [
            (.strings, ["format", "quote"]), (.lists, ["flatten", "first", "last", "sortBy"]),
            (.optionals, ["hasValue", "value", "or", "orValue", "optMap", "optFlatMap", "unwrap", "unwrapOpt"]),
            (.twoVariableMacros, ["existsOne", "transformList", "transformMap", "transformMapEntry"]),
            (.network, ["ip", "cidr", "isIP", "isCIDR"]),
        ]
        for (refusal, names) in extensions {
            for name in names { table[name] = refusal }
        }
        return table
    }()

    /// The features of functions with a namespace, as in `math.abs(x)`.
    static let namespaces: [String: CELRefusal] = [
        "math": .math, "strings": .strings, "sets": .sets, "lists": .lists, "regex": .regex, "base64": .encoders,
        "optional": .optionals, "cel": .bindings, "proto": .messages, "google": .messages,
    ]

    /// The names of types, which are values in CEL.
    static let typeNames: Set<String> = [
        "bool", "int", "uint", "double", "string", "bytes", "list", "map", "null_type", "type",
    ]
}
