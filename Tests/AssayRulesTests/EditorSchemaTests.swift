import Assay
import CAssaySystem
import Testing

@testable import AssayRules

/// The JSON Schema for editors must accept the same files as the reader.
@Suite("Docs/assay-rules.schema.json") struct EditorSchemaTests {
    static let schema: YAMLNode? = {
        let path = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
        guard let file = fopen(path + "/Docs/assay-rules.schema.json", "rb") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
        var reader = YAMLReader(SourceText(name: "schema", bytes: bytes), depth: 32)
        return reader.read()
    }()

    @Test(arguments: KeyTable.all.map(\.name)) func keysAreThoseOfTheReader(_ name: String) throws {
        let table = try #require(KeyTable.all.first { $0.name == name }).table
        let schema = try #require(Self.schema)
        let definition = name == "file" ? schema : try #require(schema["$defs"]?[name])
        let keys = try #require(definition["properties"]).keys
        #expect(Set(keys) == Set(table.known + table.descriptive))
        #expect(keys.count == Set(keys).count)
        #expect(Set(table.refused.keys).isDisjoint(with: keys))
        let translated = table.descriptive.contains("title") ? ["^(title|description)@."] : []
        #expect(definition["patternProperties"]?.keys == ["^x-"] + translated)
        #expect(definition["additionalProperties"]?.scalarText == "false")
    }

    @Test func everythingIsDescribed() throws {
        let definitions = try #require(Self.schema?["$defs"])
        for name in definitions.keys {
            for key in definitions[name]?["properties"]?.keys ?? [] {
                let property = definitions[name]?["properties"]?[key]
                let isReported = property?["description"] != nil || property?["anyOf"] != nil
                #expect(isReported, "\(name).\(key)")
            }
        }
    }

    @Test func choicesAreThoseOfTheReader() throws {
        let definitions = try #require(Self.schema?["$defs"])
        let options = definitions["check"]?["properties"]?["options"]?["items"]?["enum"]?.texts
        #expect(options == Pattern.Options.names.map(\.name))
        let types = definitions["field"]?["properties"]?["type"]?["enum"]?.texts
        #expect(types == ValueType.Kind.allCases.map(\.rawValue))
        #expect(definitions["rule"]?["properties"]?["severity"]?["enum"]?.texts == Severity.allCases.map(\.rawValue))
        #expect(
            definitions["field"]?["properties"]?["lengthUnit"]?["enum"]?.texts == LengthUnit.allCases.map(\.rawValue))
    }
}

extension YAMLNode {
    fileprivate var entries: [YAMLEntry] {
        if case .mapping(let entries) = content { return entries }
        return []
    }

    fileprivate var keys: [String] { entries.map(\.key) }

    fileprivate subscript(key: String) -> YAMLNode? { entries.first { $0.key == key }?.value }

    fileprivate var texts: [String]? {
        if case .sequence(let nodes) = content { return nodes.compactMap(\.scalarText) }
        return nil
    }
}
