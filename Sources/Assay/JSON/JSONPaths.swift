package import CAssay

/// The fields of the rules as paths into objects of JSON: one column for each.
///
///     email   address.city   tags[]
///
/// Compiled, immutable and shared.
package final class JSONPaths: Sendable {
    // SAFETY: made in `init`, freed in `deinit`, never changed between.
    nonisolated(unsafe) package let handle: OpaquePointer
    package let names: [String]
    /// The kinds of values that each field takes, a set of bits `1 << assay_json_kind`.
    package let kinds: [UInt32]
    /// The kinds that it takes, or would take with `types: text`.
    package let kindsAsText: [UInt32]
    /// Whether null is a value, as in JSON Schema, and not the same as an absent member.
    package let isNullValue: Bool
    /// Whether values are checked by their text instead of their kind.
    package let areText: Bool
    /// The fields that have one value in a record, and those that have a list.
    package let plain: [Int]
    package let lists: [Int]

    /// An invalid path, or no memory.
    package enum Failure: Error {
        case noPath(field: String, message: String)
        case noMemory(NoMemoryError)
    }

    /// - Parameter typing: The typing of values, which must be one of JSON.
    package init(_ schema: Schema, _ typing: Typing) throws(Failure) {
        names = schema.fields.map(\.name)
        var bad = 0
        var error = assay_error()
        let texts = names.map { Array($0.utf8) }
        let handle = withTexts(texts) { assay_json_paths_create($0.baseAddress, $0.count, &bad, &error) }
        guard let handle else {
            if error.status == .ASSAY_NO_MEMORY { throw .noMemory(NoMemoryError(for: "the paths of the fields")) }
            let message = withUnsafeBytes(of: &error.message) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            throw .noPath(field: names[bad], message: message)
        }
        self.handle = handle
        let isList = names.indices.map { assay_json_paths_depth(handle, $0) > 0 }
        plain = names.indices.filter { !isList[$0] }
        lists = names.indices.filter { isList[$0] }
        let (isNullValue, areText) = (typing == .jsonSchema, typing == .jsonText)
        (self.isNullValue, self.areText) = (isNullValue, areText)
        if isNullValue { assay_json_paths_read_null(handle) }
        kinds = schema.fields.map { field in
            let takesNull = isNullValue && (field.isNullable || field.type.isAnyJSON)
            return Self.kinds(of: field.type, areText: areText) | (takesNull ? Self.null : 0)
        }
        kindsAsText = schema.fields.map { Self.kinds(of: $0.type, areText: true) }
    }

    deinit { assay_json_paths_free(handle) }

    private static func kinds(of type: ValueType, areText: Bool) -> UInt32 {
        let (string, number, boolean) = (bit(.ASSAY_JSON_STRING), bit(.ASSAY_JSON_NUMBER), bit(.ASSAY_JSON_BOOLEAN))
        let (array, object) = (bit(.ASSAY_JSON_ARRAY), bit(.ASSAY_JSON_OBJECT))
        if type.isAnyJSON { return string | number | boolean | array | object }
        switch type.kind {
        case .list: return areText ? string | number | boolean : array
        // A string with the JSON in it is the text of one.
        case .array: return areText ? array | string : array
        case .object: return areText ? object | string : object
        default: break
        }
        if areText || type.kind == .any { return string | number | boolean }
        if Typing.isNumber(type) { return number }
        return type.kind == .boolean ? boolean : string
    }

    package static func bit(_ kind: assay_json_kind) -> UInt32 { 1 << UInt32(kind.rawValue) }

    package static let absent = bit(.ASSAY_JSON_ABSENT)
    package static let null = bit(.ASSAY_JSON_NULL)
    /// The kinds that mean a missing value in these records.
    package var none: UInt32 { isNullValue ? Self.absent : Self.absent | Self.null }
    package static let all: UInt32 = 0x7F
}

/// Lends texts to C.
private func withTexts<Result>(_ texts: [[UInt8]], _ body: (UnsafeBufferPointer<assay_text>) -> Result) -> Result {
    let bytes = texts.flatMap { $0 }
    return bytes.withUnsafeBufferPointer { bytes in
        var start = 0
        let borrowed = texts.map { text in
            defer { start += text.count }
            return assay_text(bytes: bytes.baseAddress.map { $0 + start }, count: text.count)
        }
        return borrowed.withUnsafeBufferPointer(body)
    }
}
