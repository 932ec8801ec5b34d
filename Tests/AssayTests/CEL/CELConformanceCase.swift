import Assay

/// One case of cel-spec's conformance suite.
struct CELConformanceCase {
    /// `file/section/name`, with a number if the suite repeats a name.
    let id: String
    let expression: String
    /// Whether the case requires evaluation without a type checker.
    let isUnchecked: Bool
    /// The variables that row rules can have, with their values.
    let variables: [(variable: CELVariable, value: CELOutcome)]
    /// Whether it has variables that row rules do not support.
    let hasOtherVariables: Bool
    let expectation: Expectation

    /// The expected outcome.
    enum Expectation {
        case value(CELValue)
        /// A value that row rules do not have, such as a map, infinity or -2^64.
        case otherValue
        case error
    }

    init(_ test: TextProto, id: String) {
        self.id = id
        expression = test["expr"]?.text ?? ""
        isUnchecked = test["disable_check"]?.text == "true"
        var variables: [(variable: CELVariable, value: CELOutcome)] = []
        var hasOtherVariables = false
        for declaration in test[all: "type_env"] {
            let name = declaration["name"]?.text ?? ""
            let binding = test[all: "bindings"].first { $0["key"]?.text == name }
            let value = binding?["value"]?["value"].flatMap(Self.value)
            if let type = declaration["ident"]?["type"].flatMap(Self.type) {
                variables.append((CELVariable(name, type), value.map { .value($0) } ?? .undecided))
            } else {
                hasOtherVariables = true
            }
        }
        (self.variables, self.hasOtherVariables) = (variables, hasOtherVariables)
        if test["eval_error"] != nil {
            expectation = .error
        } else if let value = test["value"] {
            expectation = Self.value(value).map { .value($0) } ?? .otherValue
        } else {
            expectation = .value(.bool(true))
        }
    }

    /// `nil` for types that row rules do not have.
    private static func type(_ type: TextProto) -> CELType? {
        guard let field = type.fields.first else { return nil }
        switch (field.name, field.value.text) {
        case ("primitive", "BOOL"): return .bool
        case ("primitive", "INT64"): return .int
        case ("primitive", "DOUBLE"): return .number
        case ("primitive", "STRING"): return .string
        case ("message_type", "google.protobuf.Duration"): return .duration
        case ("message_type", "google.protobuf.Timestamp"): return .timestamp
        case ("list_type", _): return field.value["elem_type"].flatMap(Self.type).map { .list($0) }
        default: return nil
        }
    }

    /// `nil` for values that row rules do not have.
    private static func value(_ value: TextProto) -> CELValue? {
        guard let field = value.fields.first else { return nil }
        let text = field.value.text
        switch field.name {
        case "bool_value": return .bool(text == "true")
        case "int64_value": return Int64(text).map { .int($0) }
        case "double_value": return CELNumber(text.utf8).map { .number($0) }
        case "string_value": return .string(text)
        case "list_value":
            let elements = field.value[all: "values"].map(Self.value)
            return elements.contains { $0 == nil } ? nil : .list(elements.compactMap { $0 })
        case "object_value":
            guard let object = field.value.fields.first, object.name.hasSuffix("google.protobuf.Duration]") else {
                return nil
            }
            let seconds = object.value["seconds"].flatMap { Int64($0.text) } ?? 0
            let nanoseconds = object.value["nanos"].flatMap { Int32($0.text) } ?? 0
            return .duration(CELTime(seconds: seconds, nanoseconds: nanoseconds))
        default: return nil
        }
    }
}
